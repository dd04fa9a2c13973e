import HTTP1
import Models
import SystemCalls

/// The requests of the loopback listeners.
extension ServerCore {
  /// Returns the reply to a request. A request through a loopback listener is checked first, and its reply
  /// has the fields that protect a browser.
  func reply(to request: ControlRequest, of id: SocketLoop.SocketID) async -> ControlReply {
    guard request.listener == .loopback else { return await handle(request, of: id) }
    do throws(ControlError) {
      guard let webChecks else {
        throw ControlError(.noWebPage, "the web page is not enabled")
      }
      if request.target.segments.first != "v1" {
        _ = try webChecks.checkHost(request)
        return .whole(WebPage.shared.response(to: request))
      }
      if request.target.segments == ["v1", "login"] {
        guard try webChecks.checkHost(request) == .page else {
          throw ControlError(.misdirected, "log in at \(webChecks.origin.description)")
        }
        try webChecks.checkSender(request, needsReport: true)
        return await handle(request, of: id).protected
      }
      let token = try webChecks.check(request, now: wallClock.unixSeconds())
      let reply = await handle(request, of: id).protected
      return renews(token) ? reply.settingSession(await web?.sessionToken()) : reply
    } catch {
      return ControlReply.whole(.problem(ProblemMessage(error))).protected
    }
  }

  /// Whether a session is so old that its cookie is replaced.
  private func renews(_ token: AccessToken) -> Bool {
    token.kind == .session
      && token.expiry - wallClock.unixSeconds() < WebAccess.sessionSeconds / 2
  }
}

extension ControlReply {
  /// The reply with the fields that keep a browser from using it in other pages. A file has stricter ones of
  /// its own, and an event stream is no document.
  fileprivate var protected: ControlReply {
    guard case .whole(var response) = self else { return self }
    for (name, value) in WebPage.apiFields { response.fields.append(name, value) }
    // RFC 9110 §15.5.2: the response names a scheme by which the client can prove its identity.
    if response.status == 401 { response.fields.append("WWW-Authenticate", "Bearer") }
    return .whole(response)
  }

  fileprivate func settingSession(_ token: String?) -> ControlReply {
    guard case .whole(var response) = self, let token else { return self }
    response.setSession(token)
    return .whole(response)
  }
}
