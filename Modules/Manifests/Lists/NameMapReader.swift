import JSON

/// Reads the members of `{"name": url}`; the order of the names is the order of the entries.
struct NameMapReader: Sendable {
  private var name = ""
  private var depth = 0

  /// Handles the events after the opening brace of the object.
  ///
  /// - Returns: true for the closing brace of the object.
  mutating func handle(_ event: JSONEvent, into collector: inout EntryCollector) -> Bool {
    switch event {
    case .key(let text):
      if depth == 0 { name = text }
    case .endArray, .endObject:
      if depth == 0 { return true }
      depth &-= 1
    case .beginArray, .beginObject:
      if depth == 0 { Self.add(name, event, into: &collector) }
      depth &+= 1
    default:
      if depth == 0 { Self.add(name, event, into: &collector) }
    }
    return false
  }

  static func add(_ name: String, _ value: JSONEvent, into collector: inout EntryCollector) {
    var draft: EntryDraft
    switch value {
    case .beginArray:
      draft = .faulty(
        "is an array; the lists of an object are read from \"items\", \"urls\" or \"resources\"")
    case .beginObject: draft = .faulty("is an object, not a URL")
    case .string(let text) where !NameMapRecognition.isURLLike(text):
      draft = .faulty("is \(Excerpt.quote(text)), not a URL")
    default: draft = EntryReader.scalar(value)
    }
    draft.title = name
    if let fault = draft.fault { draft.fault = Excerpt.quote(name) + " " + fault }
    collector.addEntry(draft)
  }
}
