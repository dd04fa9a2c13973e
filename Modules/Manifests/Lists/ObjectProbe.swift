/// Finds out what a document's outermost object is, from its first members.
///
/// The four kinds cannot be told by the first member alone: `{"title": …` may begin an entry of
/// JSON Lines, a page with `items`, a series or a map of names. So members are held until one
/// decides, or until there are so many that it must be a map.
struct ObjectProbe: Sendable {
  enum Verdict: Equatable {
    /// The member that was just begun is an array of entries.
    case page
    /// The member that was just begun is the array of slices.
    case series
    /// Too many members for anything else.
    case names
    /// The object has ended; ``entry`` and ``members`` say what it was.
    case ended
  }

  /// A member with the event of its value: the first event of an array or object.
  struct Member: Sendable {
    let name: String
    let value: JSONEvent
  }

  static let maximumMembers = 64
  static let maximumBytes = 256 << 10
  static let lists: Set<String> = ["items", "urls", "resources"]

  private(set) var members: [Member] = []
  /// The object read as one entry, with its end.
  private(set) var entry: EntryDraft?
  /// The name of the member that is being read.
  private(set) var name = ""
  /// How many arrays and objects are open inside the outermost object.
  private var depth = 0
  private var reader = EntryReader()
  private var bytes = 0

  init() { _ = reader.handle(.beginObject) }

  /// Whether the object is an entry if it ends now.
  private var hasURL: Bool {
    members.contains { member in
      if case .string = member.value { member.name == "url" } else { false }
    }
  }

  mutating func handle(_ event: JSONEvent) -> Verdict? {
    if let complete = reader.handle(event) {
      entry = complete
      return .ended
    }
    switch event {
    case .key(let text):
      if depth == 0 { name = text }
      return nil
    case .beginArray where depth == 0 && Self.lists.contains(name):
      return .page
    case .beginArray where depth == 0 && name == "slices":
      return .series
    case .beginArray, .beginObject:
      depth &+= 1
      return depth == 1 ? hold(event) : nil
    case .endArray, .endObject:
      depth &-= 1
      return nil
    default:
      return depth == 0 ? hold(event) : nil
    }
  }

  private mutating func hold(_ value: JSONEvent) -> Verdict? {
    guard members.count < Self.maximumMembers, bytes < Self.maximumBytes else {
      return hasURL ? nil : .names
    }
    bytes &+= name.utf8.count
    if case .string(let text) = value { bytes &+= text.utf8.count }
    members.append(Member(name: name, value: value))
    return nil
  }
}
