import Models

extension TransportError {
  /// Returns a server's text for a message to users: bytes other than visible ASCII are escaped,
  /// credentials in URLs are masked, and the text is truncated to `limit` characters and to 500
  /// bytes after escaping.
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
  /// The sentence for an https connection on which the server's first bytes are not TLS.
  public static let plainTextServer =
    "the server does not speak TLS on this port; it may be one for http:// URLs"

  /// Returns the sentence for a body that exceeds `limit` bytes.
  public static func tooLarge(_ limit: Int64) -> String {
    "the body is larger than \(limit) bytes (limits.resourceBytes)"
  }
}
