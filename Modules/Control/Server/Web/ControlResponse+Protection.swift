import Models

/// The header fields by which a browser keeps other web pages from using a response.
enum ProtectiveFields {
  /// The fields of an API response.
  static let api = fields(policy: "default-src 'none'; frame-ancestors 'none'")

  /// - Parameter policy: The Content-Security-Policy of the response.
  static func fields(policy: String) -> [(String, String)] {
    [
      ("Content-Security-Policy", policy), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Referrer-Policy", "no-referrer"),
    ]
  }
}

extension ControlResponse {
  /// Returns the response with the header fields that keep other web pages from using it, if it is sent
  /// through a loopback listener. File responses set stricter fields themselves, and an event stream cannot be
  /// displayed as a document.
  func protected(from listener: ListenerKind) -> ControlResponse {
    guard listener == .loopback else { return self }
    var response = self
    // With a 304 response, a browser would replace the stored fields of a file by those of the response.
    if status != 304 {
      for (name, value) in ProtectiveFields.api { response.fields.append(name, value) }
    }
    // RFC 9110 §15.5.2: a 401 response names a scheme by which the client can authenticate.
    if status == 401 { response.fields.append("WWW-Authenticate", "Bearer") }
    return response
  }
}
