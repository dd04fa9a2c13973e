import Models

extension TransportError {
  /// Text of a server for a message to people: what is not visible ASCII is escaped, what is
  /// longer than `limit` characters, or than 500 bytes once it is escaped, is cut, and credentials
  /// in URLs are hidden.
  public static func escaped(_ text: some StringProtocol, limit: Int = 120) -> String {
    var result = ""
    for (index, scalar) in CredentialMask.masked(String(text)).unicodeScalars.enumerated() {
      guard index < limit, result.utf8.count < 480 else { return result + "…" }
      if scalar.value >= 0x20 && scalar.value < 0x7f {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }
}

extension TransportError {
  /// The reason for an https connection on which the server's first bytes are not TLS.
  public static let plainTextServer =
    "the server does not speak TLS on this port; it may be one for http:// URLs"

  /// The reason for a body of more than so many bytes.
  public static func tooLarge(_ limit: Int64) -> String {
    "the body is larger than \(limit) bytes (limits.resourceBytes)"
  }
}
