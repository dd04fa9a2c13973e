import Models

extension Router {
  /// Returns the routes for the web page. Its state and links are available through the socket, login and
  /// logout through the loopback listener.
  /// - Parameter web: nil if this server has no web page.
  static func web(_ web: WebAccess?) -> [Route] {
    @Sendable func access() throws(ControlError) -> WebAccess {
      guard let web else {
        throw ControlError(
          .noWebPage, "only imgdld has a web page, and another program runs the engine")
      }
      return web
    }
    return [
      Route("GET", "/v1/web", through: [.unixSocket]) { _ in
        let (origin, isEnabled) = await web?.state ?? (nil, false)
        return try .json(
          WebStateMessage(isEnabled: isEnabled, url: origin?.address, port: origin?.port))
      },
      Route("POST", "/v1/web", through: [.unixSocket]) { call in
        let port =
          try call.request.body.isEmpty
          ? nil : call.message(WebPortMessage.self).value(in: WebOrigin.ports)
        let (origin, token) = try await access().open(port: port)
        return try .json(
          WebLinkMessage(
            url: origin.address, login: "\(origin.address)login#\(token)", port: origin.port))
      },
      Route("DELETE", "/v1/web", through: [.unixSocket]) { _ in
        try await web?.close()
        return .whole(.nothing)
      },
      Route("POST", "/v1/web/tokens", through: [.unixSocket]) { _ in
        try .json(TokenMessage(token: try await access().bearerToken()))
      },
      Route("POST", "/v1/login", through: [.loopback]) { call in
        let token = try call.message(TokenMessage.self).token
        return .whole(.settingSession(try await access().logIn(token)))
      },
      Route("POST", "/v1/logout", through: [.loopback]) { call in
        if let token = call.request.token { try await access().logOut(token) }
        return .whole(.settingSession(nil))
      },
    ]
  }
}

extension ControlResponse {
  /// Returns an empty response that sets or deletes the session's cookie.
  static func settingSession(_ token: String?) -> ControlResponse {
    var response = ControlResponse.nothing
    response.setSession(token)
    return response
  }

  /// - Parameter token: nil deletes the cookie.
  mutating func setSession(_ token: String?) {
    let age = token == nil ? 0 : WebAccess.sessionSeconds
    fields.append(
      "Set-Cookie",
      "\(WebRequestChecks.cookieName)=\(token ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)"
    )
  }
}
