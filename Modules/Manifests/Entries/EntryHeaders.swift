public import Models

/// The header fields that a list may set.
///
/// Lists are untrusted: they may set the referrer and cookies of a request, but not its host, framing, range
/// or cache conditions, which the client alone decides.
public enum EntryHeaders {
  /// The maximum number of fields of one entry.
  public static let maximumCount = 64
  /// The maximum length of one value in bytes.
  public static let maximumValueLength = 8192

  /// The rejected names in lower case: framing and connection (RFC 9110 §7.6.1, RFC 9112 §6), routing, ranges
  /// and conditions (RFC 9110 §13, §14), and encodings, which would change the hashed content.
  public static let refused: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "range", "if-range",
    "accept-encoding", "content-encoding", "te", "trailer", "upgrade", "keep-alive", "expect",
    "proxy-connection", "proxy-authorization", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since",
  ]

  /// - Returns: The reason why the fields cannot be sent, which quotes no value; nil if they can be sent.
  public static func fault(in headers: HTTPFields) -> String? {
    guard headers.count <= maximumCount else {
      return "has more than \(maximumCount) headers"
    }
    for field in headers.fields {
      let name = Excerpt.quote(field.name)
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte) else {
        return "the header name \(name) is not a token"
      }
      guard !refused.contains(field.name.lowercased()) else {
        return "the header \(name) cannot be set by a list"
      }
      guard field.value.utf8.count <= maximumValueLength else {
        return "the header \(name) is longer than \(maximumValueLength) bytes"
      }
      // A line break in a value would allow a list to inject a field or a request.
      guard !field.value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7f }) else {
        return "the header \(name) contains a control character"
      }
    }
    return nil
  }

  /// Whether the byte is allowed in a token (RFC 9110 §5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
