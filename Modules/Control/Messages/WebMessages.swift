/// `GET /v1/web`: the state of the web page.
struct WebStateMessage: Codable, Equatable {
  /// Whether the page is served now and after each start of the server.
  var isEnabled: Bool
  /// The origin of the page; nil while it is not served.
  var url: String?
  var port: UInt16?

  init(_ origin: WebOrigin?, isEnabled: Bool) {
    self.isEnabled = isEnabled
    url = origin.map { $0.description + "/" }
    port = origin?.port
  }
}

/// The body of `POST /v1/web`.
struct WebPortMessage: Codable, Equatable {
  /// The port to serve the page on; nil means the one it had before.
  var port: WholeNumber?

  init(port: UInt16?) { self.port = port.map { WholeNumber(Int($0)) } }

  func value() throws(ControlError) -> UInt16? {
    guard let port else { return nil }
    guard let number = UInt16(exactly: port.value), WebAccess.ports.contains(number) else {
      let (first, last) = (WebAccess.ports.lowerBound, WebAccess.ports.upperBound)
      throw ControlError(.badValue, "\"port\" is not a number from \(first) to \(last)")
    }
    return number
  }
}

/// The response to `POST /v1/web`.
struct WebLinkMessage: Codable, Equatable {
  /// The origin of the page.
  var url: String
  /// The address that logs a browser in, once and within 60 seconds. The token is a fragment, which browsers
  /// do not send to servers.
  var login: String
  var port: UInt16

  init(_ origin: WebOrigin, token: String) {
    url = origin.description + "/"
    login = "\(origin.description)/login#\(token)"
    port = origin.port
  }
}

/// A token: the body of `POST /v1/login`, and the response to `POST /v1/web/tokens`.
struct TokenMessage: Codable, Equatable {
  var token: String
}
