import JSON

/// Determines from the first element of `items` whether the list is that of a IIIF document whose own type and
/// vocabulary follow later. The events are kept until the element's type is read, or until they are too many.
struct ItemProbe: Sendable {
  enum Verdict: Equatable {
    case iiif
    /// The items are entries of a list, or cannot be told apart from them.
    case list
  }

  static let maximumEvents = 20_000
  static let maximumBytes = 1 << 20

  /// The events so far, beginning with the first one inside the array.
  private(set) var events: [JSONEvent] = []
  private var bytes = 0
  /// The number of open arrays and objects inside the array.
  private var depth = 0
  private var name = ""

  /// Handles the next event inside the array.
  mutating func handle(_ event: JSONEvent) -> Verdict? {
    events.append(event)
    switch event {
    case .beginObject:
      depth &+= 1
    case .beginArray:
      // The elements of such a list are objects.
      guard depth > 0 else { return .list }
      depth &+= 1
    case .endObject, .endArray:
      depth &-= 1
      if depth <= 0 { return .list }
    case .key(let text):
      bytes &+= text.utf8.count
      if depth == 1 { name = text }
    case .string(let text):
      bytes &+= text.utf8.count
      if depth == 1, name == "type" { return IIIFReader.isItem(type: text) ? .iiif : .list }
      if depth == 0 || (depth == 1 && name == "url") { return .list }
    case .number(let text):
      bytes &+= text.utf8.count
      if depth == 0 { return .list }
    case .bool, .null:
      if depth == 0 { return .list }
    }
    return events.count >= Self.maximumEvents || bytes >= Self.maximumBytes ? .list : nil
  }
}
