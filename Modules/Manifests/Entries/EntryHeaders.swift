public import Models

/// Which header fields a list may ask for.
///
/// A list comes from outside: it may say who refers and what cookie goes with a request, but not
/// whom the request is for, where its body ends, which part is wanted or whether a cached copy
/// will do. Those are decided by the client alone.
public enum EntryHeaders {
  /// The most fields of one entry.
  public static let maximumCount = 64
  /// The most bytes of one value.
  public static let maximumValueLength = 8192

  /// Lower case. Framing and connection (RFC 9110 §7.6.1, RFC 9112 §6), routing, ranges and
  /// conditions (RFC 9110 §13, §14), and encodings that would change what is hashed.
  public static let refused: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "range", "if-range",
    "accept-encoding", "content-encoding", "te", "trailer", "upgrade", "keep-alive", "expect",
    "proxy-connection", "proxy-authorization", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since",
  ]

  /// - Returns: why the fields cannot be sent, nil if they can. Values are never quoted.
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
        return "the header \(name) is not a list's to set"
      }
      guard field.value.utf8.count <= maximumValueLength else {
        return "the header \(name) is longer than \(maximumValueLength) bytes"
      }
      // A line break in a value would begin a header or a request of the list's own.
      guard !field.value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7f }) else {
        return "the header \(name) contains a control character"
      }
    }
    return nil
  }

  /// RFC 9110 §5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
