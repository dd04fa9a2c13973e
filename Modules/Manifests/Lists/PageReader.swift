import JSON

/// Reads the members of an object with `items`, `urls` or `resources`, and `next`; other members are skipped.
struct PageReader: Sendable {
  private var list = ListReader()
  /// The error that the members outside the list state.
  private(set) var stated: StatedError
  private var further: FurtherPage
  private var isInList = false
  private var name = ""
  private var depth = 0

  /// - Parameters:
  ///   - stated: The error that the members before those of `handle` state.
  ///   - further: What these members tell about a further page.
  init(stated: StatedError = StatedError(), further: FurtherPage = FurtherPage()) {
    self.stated = stated
    self.further = further
  }

  /// Handles the events after the opening brace of the object.
  ///
  /// - Returns: true for the closing brace of the object.
  mutating func handle(_ event: JSONEvent, into collector: inout EntryCollector) -> Bool {
    if isInList {
      isInList = !list.handle(event, into: &collector)
      return false
    }
    let beginsList = event == .beginArray && depth == 0 && ObjectProbe.lists.contains(name)
    if !beginsList, depth > 0 || (event != .endArray && event != .endObject) {
      further.handle(event)
    }
    if !beginsList { stated.handle(event) }
    switch event {
    case .key(let text):
      if depth == 0 { name = text }
    case .beginArray where beginsList:
      isInList = true
    case .beginArray, .beginObject:
      if depth == 0, name == "next" { next(event, into: &collector) }
      depth &+= 1
    case .endArray, .endObject:
      if depth == 0 {
        further.finish(into: &collector)
        return true
      }
      depth &-= 1
    default:
      if depth == 0, name == "next" { next(event, into: &collector) }
    }
    return false
  }

  func next(_ event: JSONEvent, into collector: inout EntryCollector) {
    switch event {
    // `null`, `false` or an empty `next` marks the last page.
    case .null, .bool(false), .string(""): break
    case .string(let text): collector.items.append(.nextPage(text))
    default: collector.addRemark("its \"next\" is \(EntryReader.name(event)), not a URL")
    }
  }
}
