/// The name by which robots.txt files address a crawler (RFC 9309 §2.2.1): letters, `-` and `_`, compared
/// without regard to case.
public struct ProductToken: Hashable, Sendable {
  /// The token in lower case; empty if the crawler has no name.
  let bytes: [UInt8]

  /// Creates the token of a crawler that sends this value in `User-Agent`, such as `imgdl` for `imgdl/1.2`. A
  /// value that does not begin with a token names no crawler, which then obeys the groups for `*` only.
  public init(userAgent: String) {
    bytes = Self.leadingToken(Array(userAgent.utf8)[...])
  }

  /// Returns the token at the beginning of the text in lower case, so that a version after it is ignored, as
  /// in `User-agent: imgdl/2.0`.
  static func leadingToken(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.prefix { Self.isTokenByte($0) }.map { RobotsText.lowercased($0) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
