import HTTP1
import Models
import SystemCalls

/// The requests of the loopback listeners.
extension ServerCore {
  /// The decision about a request from its head.
  enum Admission {
    /// A request to the API.
    /// - Parameter token: The token that proves who sent it; nil for a login, and through the socket.
    case admitted(AccessToken?)
    /// A request for a file of the page, which everyone may read.
    case page
    case refused(ControlError)

    var isAdmitted: Bool { if case .admitted = self { true } else { false } }
  }

  /// Checks a request that came through a loopback listener by its head.
  func admit(_ request: ControlRequest) -> Admission {
    guard request.listener == .loopback else { return .admitted(nil) }
    do throws(ControlError) {
      guard let webChecks else {
        throw ControlError(.noWebPage, "the web page is not enabled")
      }
      if request.target.segments.first != "v1" {
        _ = try webChecks.checkHost(request)
        return .page
      }
      if request.target.segments == ["v1", "login"] {
        try webChecks.checkLogin(request)
        return .admitted(nil)
      }
      return .admitted(try webChecks.check(request, now: wallClock.unixSeconds()))
    } catch {
      return .refused(error)
    }
  }

  /// Returns the reply to a request. A reply through a loopback listener has the fields that protect a
  /// browser.
  func reply(
    to request: ControlRequest, _ admission: Admission, of id: SocketLoop.SocketID
  ) async -> ControlReply {
    switch admission {
    case .refused(let error):
      return .whole(protected(.problem(ProblemMessage(error)), request.listener))
    case .page:
      return .whole(WebPage.shared.response(to: request))
    case .admitted(let token):
      let reply = await handle(request, of: id)
      guard case .whole(var response) = reply else { return reply }
      if response.status >= 400, let file = request.upload { await uploads.discard(file) }
      if let token, renews(token), response.status < 400, response.fields["Set-Cookie"] == nil,
        let session = await web?.sessionToken()
      {
        response.setSession(session)
      }
      return .whole(protected(response, request.listener))
    }
  }

  /// Whether a session is so old that its cookie is replaced.
  private func renews(_ token: AccessToken) -> Bool {
    token.kind == .session
      && token.expiry - wallClock.unixSeconds() < WebAccess.sessionSeconds / 2
  }

  /// Returns a response with the fields that keep a browser from using it in other pages. A file has stricter
  /// ones of its own, and an event stream is no document.
  nonisolated func protected(
    _ response: ControlResponse, _ listener: ListenerKind
  ) -> ControlResponse {
    guard listener == .loopback else { return response }
    var response = response
    // A browser replaces the fields of a stored file by those of the confirmation that it has not changed.
    if response.status != 304 {
      for (name, value) in WebPage.apiFields { response.fields.append(name, value) }
    }
    // RFC 9110 §15.5.2: the response names a scheme by which the client can prove its identity.
    if response.status == 401 { response.fields.append("WWW-Authenticate", "Bearer") }
    return response
  }
}
