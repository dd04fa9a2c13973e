/// `GET /v1/web`: the state of the web page.
struct WebStateMessage: Codable, Equatable {
  /// Whether the page is served now and after each start of the server.
  var isEnabled: Bool
  /// The address of the page; nil while it is not served.
  var url: String?
  var port: UInt16?
}

/// The body of `POST /v1/web`.
struct WebPortMessage: Codable, Equatable {
  /// The TCP port to serve the page on; nil keeps the port that the page had before.
  var port: WholeNumber?

  init(port: UInt16?) { self.port = port.map { WholeNumber(Int($0)) } }

  func value(in ports: ClosedRange<UInt16>) throws(ControlError) -> UInt16? {
    guard let port else { return nil }
    guard let number = UInt16(exactly: port.value), ports.contains(number) else {
      throw ControlError(
        .badValue, "\"port\" is not a number from \(ports.lowerBound) to \(ports.upperBound)")
    }
    return number
  }
}

/// The response to `POST /v1/web`.
struct WebLinkMessage: Codable, Equatable {
  /// The address of the page.
  var url: String
  /// The address that logs a browser in, valid once and for 60 seconds. The token is in the fragment, which
  /// browsers do not send to servers.
  var login: String
  var port: UInt16
}

/// A token: the body of `POST /v1/login`, and the response to `POST /v1/web/tokens`.
struct TokenMessage: Codable, Equatable {
  var token: String
}
