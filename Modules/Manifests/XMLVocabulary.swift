import Markup
import Models

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
    let text = Array(
      bytes.drop { $0 <= 0x20 || $0 == 0xef || $0 == 0xbb || $0 >= 0xfe || $0 == 0xbf })
    let prolog = MarkupProlog(text)
    if let root = prolog.root {
      guard let rule = MarkupRule(rootElement: root) else { return nil }
      self.rule = rule
    } else {
      // The first element comes after the given bytes; a document type states its name.
      let stated = prolog.documentType.flatMap { MarkupRule(rootElement: $0) }
      let isDeclared = text.starts(with: "<?xml".utf8)
      guard prolog.isOpen, stated != nil || isDeclared && bytes.count >= 256 else { return nil }
      rule = stated
    }
  }
}
