import Decoding

/// Counts the `foreignObject` elements of an SVG that show something. librsvg ignores them all. Programs for diagrams
/// put their labels there, often beside a text for such readers in a `switch`, which librsvg then draws.
struct SVGForeignContent {
  private(set) var count = 0
  /// The depth of the outermost open `foreignObject`; nil outside of them.
  private var start: Int?
  private var showsSomething = false
  /// The depths of the open `switch` elements.
  private var switches: [Int] = []
  /// The depth of a `switch` whose `foreignObject` counts unless another child follows.
  private var undecided: Int?

  var isOpen: Bool { start != nil }

  /// - Parameter depth: The number of elements that contain the element, itself included.
  mutating func open(_ tag: SVGTag, depth: Int) {
    guard start == nil else {
      showsSomething = showsSomething || Self.isVisible(tag)
      return
    }
    if undecided == depth - 1 { undecided = nil }
    guard !tag.isEmpty else { return }
    if tag.name.equals("switch") { switches.append(depth) }
    guard tag.name.equals("foreignObject"), !Self.isHidden(tag) else { return }
    (start, showsSomething) = (depth, false)
  }

  /// Takes text between tags into account.
  mutating func read(_ text: ByteView) {
    guard start != nil, !showsSomething else { return }
    var offset = 0
    while let byte = text.byte(offset), byte <= 0x20 { offset += 1 }
    showsSomething = offset < text.count
  }

  /// Closes an element.
  /// - Parameter depth: The number of elements that are still open.
  mutating func close(to depth: Int) {
    if let start {
      guard start > depth else { return }
      if showsSomething {
        if switches.last == depth { undecided = depth } else { count += 1 }
      }
      self.start = nil
    } else if let last = switches.last, last > depth {
      switches.removeLast()
      if undecided == last { (undecided, count) = (nil, count + 1) }
    }
  }

  private static func isHidden(_ tag: SVGTag) -> Bool {
    tag.value("display")?.equals("none") ?? false
      || tag.value("style").map { $0.contains("display:none") || $0.contains("display: none") }
        ?? false
  }

  /// Whether an element of HTML shows something without text.
  private static func isVisible(_ tag: SVGTag) -> Bool {
    let names: [StaticString] = [
      "img", "svg", "canvas", "video", "iframe", "input", "button", "select", "textarea", "object",
      "hr",
    ]
    return names.contains { tag.name.equals($0) }
      || tag.value("style").map { $0.contains("background") || $0.contains("backdrop-filter") }
        ?? false
  }
}
