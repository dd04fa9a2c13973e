import HTTP1
import Models
import SystemCalls

/// Decides which requests are served.
///
/// Not `Sendable`: the acceptor and the connections, which all run on the acceptor's actor, share it.
final class RequestAdmission {
  /// The decision whether to serve a request, made from its head.
  enum Decision {
    /// The request may call the API.
    /// - Parameter token: The token that authenticates the client; nil for a login, and for the Unix domain
    ///   socket.
    case admitted(AccessToken?)
    /// The request is for a file of the web page, which everyone may read.
    case page
    case refused(ControlError)

    var isAdmitted: Bool { if case .admitted = self { true } else { false } }
  }

  /// The checks of requests through the loopback listeners; nil while there are no such listeners.
  var checks: WebRequestChecks?
  /// The credentials of browsers; nil if this server has no web page.
  private let web: WebAccess?
  private let wallClock: any WallClock

  init(web: WebAccess?, wallClock: any WallClock) {
    self.web = web
    self.wallClock = wallClock
  }

  /// Decides by the head of a request whether to serve it. Requests through the Unix domain socket are
  /// admitted.
  func decide(on request: ControlRequest) -> Decision {
    guard request.listener == .loopback else { return .admitted(nil) }
    do throws(ControlError) {
      guard let checks else {
        throw ControlError(.noWebPage, "the web page is not enabled")
      }
      if request.target.segments.first != "v1" {
        _ = try checks.checkHost(request)
        return .page
      }
      if request.target.segments == ["v1", "login"] {
        try checks.checkLogin(request)
        return .admitted(nil)
      }
      return .admitted(try checks.check(request, now: wallClock.unixSeconds()))
    } catch {
      return .refused(error)
    }
  }

  /// Returns the token of a session that replaces a session's, if that is so old that its cookie is to be
  /// replaced.
  func renewedSession(for token: AccessToken) async -> String? {
    guard token.kind == .session,
      token.expiry - wallClock.unixSeconds() < WebAccess.sessionSeconds / 2
    else { return nil }
    return await web?.sessionToken(renewing: token)
  }
}
