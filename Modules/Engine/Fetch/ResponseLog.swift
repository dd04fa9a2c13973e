import HTTP1
import Models
import Transport

/// The observations of the responses to one download. Pure.
struct ResponseLog: Sendable {
  /// Whether the head of a response was received; valid after the attempt has failed.
  private(set) var wasAnswered = false
  /// The head of the response that delivered the complete file, or of one with links that failed.
  private(set) var head: ResponseHead?
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

  mutating func recordAnswer(_ wasAnswered: Bool) { self.wasAnswered = wasAnswered }

  /// Records the failure of a request.
  /// - Parameter wasAnswered: Whether the head of its response was received.
  mutating func recordFailure(_ error: TransportError, wasAnswered: Bool) {
    self.wasAnswered = wasAnswered
    refusedRedirect = error.code == .redirectNotPermitted ? error.url : nil
  }

  /// Returns the Metalink description that the last response has named (RFC 6249 §3); nil for a response that
  /// does not represent the content (RFC 8288 §3.2), or if the description could be forged more easily than the
  /// response.
  /// - Parameter own: The URL of the content that was requested.
  func description(ofContentAt own: HTTPURL) -> ContentDescription? {
    guard let head, (200..<300).contains(head.status), let link = DescriptionLink(head.fields),
      let url = try? head.url.resolving(link.target),
      head.url.scheme != .https || url.scheme == .https
    else { return nil }
    return ContentDescription(
      url, digest: RepresentationDigest.sha256(in: head.fields),
      isPublicOnly: head.remoteAddress.flatMap { IPAddress($0)?.isPublic } ?? true,
      receivesFields: !head.hasLeftOrigin && url.origin == own.origin)
  }

  /// The mirrors that the last response has named (RFC 6249 §2); none for a response that cannot prove that
  /// their content is the same.
  var duplicates: [MirrorSelection.Candidate] {
    guard let head, (200..<300).contains(head.status), let links = DuplicateLinks(head.fields)
    else { return [] }
    let isPublicOnly = head.remoteAddress.flatMap { IPAddress($0)?.isPublic } ?? true
    return links.targets.compactMap { try? head.url.resolving($0) }.map {
      MirrorSelection.Candidate($0, identity: links.identity, isPublicOnly: isPublicOnly)
    }
  }
}
