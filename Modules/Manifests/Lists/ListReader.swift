/// Reads the elements of an array of entries.
struct ListReader: Sendable {
  private var entry = EntryReader()
  private var isInEntry = false

  /// Takes the events between the brackets and the closing one.
  ///
  /// - Returns: true with the closing one.
  mutating func handle(_ event: JSONEvent, into collector: inout EntryCollector) -> Bool {
    if isInEntry {
      if let draft = entry.handle(event) {
        isInEntry = false
        collector.add(draft)
      }
      return false
    }
    switch event {
    case .string(let text):
      collector.add(url: text)
    case .endArray:
      return true
    case .beginArray, .beginObject:
      isInEntry = true
      _ = entry.handle(event)
    default:
      collector.add(EntryReader.scalar(event))
    }
    return false
  }
}
