import JSON

/// Reads the elements of an array of entries.
struct ListReader: Sendable {
  private var entry = EntryReader()
  private var isInEntry = false

  /// Handles the events after the opening bracket of the array.
  ///
  /// - Returns: true for the closing bracket of the array.
  mutating func handle(_ event: JSONEvent, into collector: inout EntryCollector) -> Bool {
    if isInEntry {
      if let draft = entry.handle(event) {
        isInEntry = false
        collector.addEntry(draft)
      }
      return false
    }
    switch event {
    case .string(let text):
      collector.addEntry(url: text)
    case .endArray:
      return true
    case .beginArray, .beginObject:
      isInEntry = true
      _ = entry.handle(event)
    default:
      collector.addEntry(EntryReader.scalar(event))
    }
    return false
  }
}
