/// Collects the text of one element at a time, with that of the elements in it.
struct ElementText: Sendable {
  /// The maximum length of a collected text in bytes; the rest is ignored.
  private static let limit = 64 << 10

  private var depth: Int?
  private var text = ""

  /// Begins with an element, unless the text of an element around it is being collected.
  /// - Parameter depth: The depth of the element.
  mutating func begin(at depth: Int) {
    guard self.depth == nil else { return }
    self.depth = depth
    text = ""
  }

  mutating func append(_ characters: String) {
    if depth != nil, text.utf8.count < Self.limit { text += characters }
  }

  /// Returns the text of an element that ends; nil for another element than the one whose text is collected.
  /// - Parameter isTrimmed: Whether white space around the text is left out.
  mutating func end(at depth: Int, isTrimmed: Bool = true) -> String? {
    guard self.depth == depth else { return nil }
    self.depth = nil
    return isTrimmed ? Self.trimmed(text) : text
  }

  static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
      let last = bytes.lastIndex(where: { $0 > 0x20 })
    else { return "" }
    return String(text[first...last])
  }
}
