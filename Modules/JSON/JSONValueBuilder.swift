/// Builds a ``JSONValue`` from its events, with bounded memory.
public struct JSONValueBuilder: Sendable {
  private struct Container: Sendable {
    let isObject: Bool
    /// The name of the member whose value follows.
    var name = ""
    var members: [JSONValue.Member] = []
    var elements: [JSONValue] = []
  }

  private let wanted: Set<String>?
  private let whole: Set<String>
  private var open: [Container] = []
  /// The number of open containers inside the outermost member that is in `whole`, or nil outside of one.
  private var wholeDepth: Int?
  /// The number of open containers that are skipped.
  private var skipped = 0
  /// Whether the value that follows is skipped.
  private var skipsNext = false
  private var valueCount = 0
  /// The length of the texts so far.
  public private(set) var byteCount = 0

  /// Whether the value exceeded a limit; the rest of the value was then skipped.
  public private(set) var isTooLarge = false

  /// The limits that the value exceeded, as a clause.
  public var excess: String {
    "more than \(policy.valueCount) values or \(policy.totalTextLength) bytes of text"
  }

  private let policy: JSONPolicy

  /// - Parameters:
  ///   - policy: The policy, of which `valueCount` and `totalTextLength` apply.
  ///   - wanted: The names of the members to keep; nil keeps all of them.
  ///   - whole: The names of those kept members whose own members are all kept.
  public init(
    _ policy: JSONPolicy = JSONPolicy(), keeping wanted: Set<String>? = nil, whole: Set<String> = []
  ) {
    self.policy = policy
    self.wanted = wanted
    self.whole = whole
  }

  /// Handles the next event of the value.
  ///
  /// - Returns: The whole value after the value's last event, and nil after earlier events.
  public mutating func handle(_ event: JSONEvent) -> JSONValue? {
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
    valueCount &+= 1
    if valueCount > policy.valueCount || byteCount > policy.totalTextLength { isTooLarge = true }
    defer { skipsNext = false }
    return !open.isEmpty && (skipsNext || isTooLarge)
  }

  private mutating func add(_ value: JSONValue) -> JSONValue? {
    guard !skipsValue() else { return nil }
    return store(value)
  }

  private mutating func close() -> JSONValue? {
    guard let container = open.popLast() else { return nil }
    return store(container.isObject ? .object(container.members) : .array(container.elements))
  }

  private mutating func store(_ value: JSONValue) -> JSONValue? {
    guard let last = open.indices.last else { return value }
    if open[last].isObject {
      open[last].members.append(JSONValue.Member(open[last].name, value))
      if wholeDepth == open.count { wholeDepth = nil }
    } else {
      open[last].elements.append(value)
    }
    return nil
  }
}
