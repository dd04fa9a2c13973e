import Markup

/// The vocabulary of an XML document, which its first element names.
struct XMLVocabulary {
  /// The rule for reading the document; nil if the first element comes after the given bytes.
  let rule: MarkupRule?

  /// Recognizes a document that begins with an XML declaration or with the first element of a vocabulary that
  /// imgdl reads; nil for everything else, and for XML of another vocabulary.
  /// - Parameter head: The first bytes of a document in UTF-16, or in an encoding that contains ASCII.
  init?(_ head: [UInt8]) {
    // One byte of each UTF-16 code unit is sufficient, because the names are ASCII.
    let isWide = head.prefix(4).contains(0)
    let bytes = isWide ? head.filter { $0 != 0 } : head
    var rest = bytes[...].drop {
      $0 <= 0x20 || $0 == 0xef || $0 == 0xbb || $0 >= 0xfe || $0 == 0xbf
    }
    let isDeclared = Self.begins(rest, "<?xml")
    while true {
      if Self.begins(rest, "<?") {
        guard Self.skip(&rest, past: "?>") else { break }
      } else if Self.begins(rest, "<!--") {
        guard Self.skip(&rest, past: "-->") else { break }
      } else if Self.begins(rest, "<!DOCTYPE") {
        // A document type states the name of the first element.
        guard let rule = Self.rule(rest.dropFirst(9).drop { $0 <= 0x20 }) else { return nil }
        self.rule = rule
        return
      } else {
        guard !rest.isEmpty else { break }
        guard rest.first == UInt8(ascii: "<"), let rule = Self.rule(rest.dropFirst()) else {
          return nil
        }
        self.rule = rule
        return
      }
      rest = rest.drop { $0 <= 0x20 }
    }
    guard isDeclared, bytes.count >= 256 else { return nil }
    rule = nil
  }

  private static func begins(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    bytes.starts(with: text.utf8)
  }

  /// - Returns: Whether the text was found.
  private static func skip(_ bytes: inout ArraySlice<UInt8>, past text: String) -> Bool {
    guard let end = bytes.firstRange(of: Array(text.utf8)) else { return false }
    bytes = bytes[end.upperBound...]
    return true
  }

  private static func rule(_ element: ArraySlice<UInt8>) -> MarkupRule? {
    let name = element.prefix { $0 > 0x20 && !">/[".utf8.contains($0) }
    return name.split(separator: UInt8(ascii: ":")).last
      .flatMap { MarkupRule(rootElement: String(decoding: $0, as: UTF8.self)) }
  }
}
