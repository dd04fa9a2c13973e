/// A JSON value in memory, for the small parts of a document that cannot be understood event by event.
public indirect enum JSONTree: Equatable, Sendable {
  /// A member of an object. An array of members keeps their order.
  public struct Member: Equatable, Sendable {
    public let name: String
    public let value: JSONTree
  }

  case object([Member])
  case array([JSONTree])
  case string(String)
  /// The number as written, of any size and precision.
  case number(String)
  case bool(Bool)
  case null

  /// The value of the last member with this name; nil if this is not an object or has no such member.
  /// O(members).
  public subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The value of the first of the names that the object has.
  public subscript(either first: String, or second: String) -> JSONTree? {
    self[first] ?? self[second]
  }

  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements of an array; a value that is neither an array nor `null` is its own only element, because
  /// JSON-LD writes a single value without brackets.
  public var elements: [JSONTree] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }

  /// The number if it is integral and exactly representable, as `6000` and `6.0e3` are; otherwise nil.
  public var integer: Int? {
    guard case .number(let text) = self else { return nil }
    if let number = Int(text) { return number }
    guard text.utf8.count <= 32, let number = Double(text), number.magnitude < 0x1p53 else {
      return nil
    }
    return Int(exactly: number)
  }
}

/// Builds a tree from the events of one value, with bounded memory.
struct JSONTreeBuilder: Sendable {
  private struct Container: Sendable {
    let isObject: Bool
    /// The name of the member whose value follows.
    var name = ""
    var members: [JSONTree.Member] = []
    var elements: [JSONTree] = []
  }

  /// The names of the members to keep; nil keeps all of them. Members of a kept member that is in `whole`
  /// are all kept.
  private let wanted: Set<String>?
  private let whole: Set<String>
  private var open: [Container] = []
  /// The number of open containers inside the outermost member that is in `whole`, or nil outside of one.
  private var wholeDepth: Int?
  /// The number of open containers that are skipped.
  private var skipped = 0
  /// Whether the value that follows is skipped.
  private var skipsNext = false
  private var nodeCount = 0
  /// The length of the texts so far.
  private(set) var byteCount = 0

  /// Whether the value exceeded a limit; the rest of the value was then skipped.
  private(set) var isTooLarge = false

  /// The limits of one tree.
  static let maximumNodes = 20_000
  static let maximumBytes = 2 << 20

  init(keeping wanted: Set<String>? = nil, whole: Set<String> = []) {
    self.wanted = wanted
    self.whole = whole
  }

  /// Handles the next event of the value.
  ///
  /// - Returns: The tree after the value's last event, and nil after earlier events.
  mutating func handle(_ event: JSONEvent) -> JSONTree? {
    if skipped > 0 {
      switch event {
      case .beginArray, .beginObject: skipped &+= 1
      case .endArray, .endObject: skipped &-= 1
      default: break
      }
      return nil
    }
    switch event {
    case .key(let name):
      beginMember(name)
      return nil
    case .beginArray, .beginObject:
      guard !skipsValue() else {
        skipped = 1
        return nil
      }
      open.append(Container(isObject: event == .beginObject))
      return nil
    case .endArray, .endObject:
      return close()
    case .string(let text):
      byteCount &+= text.utf8.count
      return add(.string(text))
    case .number(let text):
      byteCount &+= text.utf8.count
      return add(.number(text))
    case .bool(let value): return add(.bool(value))
    case .null: return add(.null)
    }
  }

  private mutating func beginMember(_ name: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].name = name
    byteCount &+= name.utf8.count
    if wholeDepth == nil, whole.contains(name) { wholeDepth = open.count }
    skipsNext = wholeDepth == nil && wanted?.contains(name) == false
  }

  /// Whether the value that begins is not kept. The outermost value is always kept.
  private mutating func skipsValue() -> Bool {
    nodeCount &+= 1
    if nodeCount > Self.maximumNodes || byteCount > Self.maximumBytes { isTooLarge = true }
    defer { skipsNext = false }
    return !open.isEmpty && (skipsNext || isTooLarge)
  }

  private mutating func add(_ value: JSONTree) -> JSONTree? {
    guard !skipsValue() else { return nil }
    return store(value)
  }

  private mutating func close() -> JSONTree? {
    guard let container = open.popLast() else { return nil }
    return store(container.isObject ? .object(container.members) : .array(container.elements))
  }

  private mutating func store(_ value: JSONTree) -> JSONTree? {
    guard let last = open.indices.last else { return value }
    if open[last].isObject {
      open[last].members.append(JSONTree.Member(name: open[last].name, value: value))
      if wholeDepth == open.count { wholeDepth = nil }
    } else {
      open[last].elements.append(value)
    }
    return nil
  }
}

extension JSONTree {
  /// Parses a small JSON text as a whole.
  ///
  /// - Parameter limits: The limits of nesting and of one string; the number of values and the total length
  ///   of texts are bounded as well.
  /// - Throws: ``ManifestError`` with the position of invalid or incomplete text, or of the code
  ///   ``ManifestError/Code/tooLarge``.
  public init(
    parsing bytes: RawSpan, file: String, limits: ManifestLimits = ManifestLimits()
  ) throws(ManifestError) {
    var parser = JSONEventParser(file: file, limits: limits)
    var handler = WholeText()
    try parser.receive(bytes, into: &handler)
    try parser.finish(into: &handler)
    guard let tree = handler.tree, !handler.builder.isTooLarge else {
      throw ManifestError(
        .tooLarge, file: file, "more than \(JSONTreeBuilder.maximumNodes) values in one text")
    }
    self = tree
  }

  private struct WholeText: JSONEventHandler {
    var builder = JSONTreeBuilder()
    var tree: JSONTree?

    mutating func handle(_ event: JSONEvent) { tree = builder.handle(event) ?? tree }
  }
}
