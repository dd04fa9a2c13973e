import HTTP1
import Models
import Transport

/// The observations of the responses to one download. Pure.
struct ResponseLog: Sendable {
  /// Whether the head of a response was received; valid after the attempt has failed.
  private(set) var wasAnswered = false
  /// The head of the response that delivered the complete file, or of one with links that failed.
  private(set) var head: ResponseHead?
  /// The head of the last redirect with links that the resource's own server has sent.
  private(set) var redirect: ResponseHead?
  /// The URL of a redirect that the request does not permit; valid after the attempt has failed.
  private(set) var refusedRedirect: HTTPURL?
  /// The origin of the last request, if a redirect led to another origin.
  private(set) var redirectedOrigin: HTTPURL.Origin?

  /// Records the URL that has answered or failed last.
  /// - Parameter location: The location that was requested.
  mutating func recordURL(_ url: HTTPURL, of location: ResourceLocation) {
    redirectedOrigin = url.origin == location.url?.origin ? nil : url.origin
  }

  mutating func recordHead(_ head: ResponseHead?) { self.head = head }

  /// Whether the links of a redirect can count: it has some, and no redirect before it has left the
  /// origin of the request.
  static func mayNameURLs(_ redirect: ResponseHead) -> Bool {
    !redirect.hasLeftOrigin && redirect.fields["Link"] != nil
  }

  /// Records the head of a redirect, whose links count unless the final response has links of their kind.
  ///
  /// A server that distributes its requests among mirrors names the others in its redirect, because the
  /// mirror that it has chosen may not answer.
  /// - Parameter location: The location that was requested.
  mutating func recordRedirect(_ head: ResponseHead, of location: ResourceLocation) {
    guard Self.mayNameURLs(head), head.url.origin == location.url?.origin else { return }
    redirect = head
  }

  mutating func recordAnswer(_ wasAnswered: Bool) { self.wasAnswered = wasAnswered }

  /// Records the failure of a request.
  /// - Parameter wasAnswered: Whether the head of its response was received.
  mutating func recordFailure(_ error: TransportError, wasAnswered: Bool) {
    self.wasAnswered = wasAnswered
    refusedRedirect = error.code == .redirectNotPermitted ? error.url : nil
  }
}
