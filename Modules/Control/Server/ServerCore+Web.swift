import HTTP1
import Models
import SystemCalls

/// The checks and replies that protect requests through the loopback listeners.
extension ServerCore {
  /// The decision whether to serve a request, made from its head.
  enum Admission {
    /// The request may call the API.
    /// - Parameter token: The token that authenticates the client; nil for a login, and for the Unix domain
    ///   socket.
    case admitted(AccessToken?)
    /// The request is for a file of the web page, which everyone may read.
    case page
    case refused(ControlError)

    var isAdmitted: Bool { if case .admitted = self { true } else { false } }
  }

  /// Decides by the head of a request whether to serve it. Requests through the Unix domain socket are
  /// admitted.
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

  /// Returns the reply to a request. A reply through a loopback listener has the header fields that protect
  /// the browser.
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

  /// Returns whether a session is so old that its cookie is replaced.
  private func renews(_ token: AccessToken) -> Bool {
    token.kind == .session
      && token.expiry - wallClock.unixSeconds() < WebAccess.sessionSeconds / 2
  }

  /// Returns a response with the header fields that keep other web pages from using it. File responses set
  /// stricter fields themselves, and an event stream cannot be displayed as a document.
  nonisolated func protected(
    _ response: ControlResponse, _ listener: ListenerKind
  ) -> ControlResponse {
    guard listener == .loopback else { return response }
    var response = response
    // With a 304 response, a browser would replace the stored fields of a file by those of the response.
    if response.status != 304 {
      for (name, value) in WebPage.apiFields { response.fields.append(name, value) }
    }
    // RFC 9110 §15.5.2: a 401 response names a scheme by which the client can authenticate.
    if response.status == 401 { response.fields.append("WWW-Authenticate", "Bearer") }
    return response
  }
}
