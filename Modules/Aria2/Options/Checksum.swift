import Models

/// The digest of a download, as the option `checksum` gives it. Only SHA-256 is checked, because the library
/// identifies files by it.
struct Checksum: Sendable, Equatable {
  /// The type as aria2 names it, such as `sha-1`.
  let type: String
  /// The digest; nil if it is of a type that is not checked.
  let digest: Digest?

  /// Parses `TYPE=DIGEST`; nil for another form. A digest of another type is accepted and not checked.
  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let digits = text[text.index(after: equals)...]
    let type = text[..<equals]
    guard let length = Self.digitCounts[String(type)], digits.utf8.count == length,
      digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    self.type = String(type)
    digest = type == "sha-256" ? Digest(hexadecimal: digits.lowercased()) : nil
  }

  private static let digitCounts = [
    "md5": 32, "sha-1": 40, "sha-224": 56, "sha-256": 64, "sha-384": 96, "sha-512": 128,
  ]
}
