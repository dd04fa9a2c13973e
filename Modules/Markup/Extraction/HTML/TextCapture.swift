/// Collects the text of the elements whose text matters.
struct TextCapture: Sendable {
  /// The maximum length of a collected text in bytes.
  private static let limit = 1 << 20

  private var open: [(name: String, text: String)] = []

  mutating func begin(_ name: String) {
    if open.count < 8 { open.append((name, "")) }
  }

  mutating func append(_ text: String) {
    guard !open.isEmpty else { return }
    for index in open.indices where open[index].text.utf8.count < Self.limit {
      open[index].text += text
    }
  }

  /// Returns the text of the element that ends; nil if its text was not collected.
  mutating func end(_ name: String) -> String? {
    guard open.last?.name == name else { return nil }
    return open.removeLast().text
  }
}
