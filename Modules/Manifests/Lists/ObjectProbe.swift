import JSON

/// Determines the kind of a document's outermost object from its first members.
///
/// The first member is not sufficient: `{"title": …` may begin an entry of JSON Lines, a page with `items`, a
/// series or a map of names. Members are therefore kept until one of them determines the kind, or until there
/// are more than any kind but a map of names has.
struct ObjectProbe: Sendable {
  enum Verdict: Equatable {
    /// The member that has just begun is an array of entries.
    case listPage
    /// The member that has just begun is the array of slices.
    case series
    /// The object is a manifest or collection of the IIIF Presentation API.
    case iiif
    /// The object has too many members for any other kind.
    case nameMap
    /// The object has ended; ``entry`` and ``members`` describe it.
    case ended
  }

  /// A member with the event of its value, or with the first event if the value is an array or object.
  struct Member: Sendable {
    let name: String
    let value: JSONEvent
  }

  static let maximumMembers = 64
  static let maximumBytes = 256 << 10
  static let lists: Set<String> = ["items", "urls", "resources"]

  private(set) var members: [Member] = []
  /// The object parsed as one entry; nil before its end.
  private(set) var entry: EntryDraft?
  /// The name of the current member.
  private(set) var name = ""
  /// The number of open arrays and objects inside the outermost object.
  private(set) var depth = 0
  /// The first vocabulary that the object names (`@context`); nil if it names none.
  private(set) var vocabulary: String?
  /// The error that the members so far state.
  private(set) var stated = StatedError()
  /// The further page that the members so far name.
  private(set) var further = FurtherPage()
  private var reader = EntryReader()
  private var bytes = 0

  init() { _ = reader.handle(.beginObject) }

  /// Whether the members so far make the object a valid entry.
  private var hasURL: Bool {
    members.contains { member in
      if case .string = member.value { member.name == "url" } else { false }
    }
  }

  mutating func handle(_ event: JSONEvent) -> Verdict? {
    let isList = event == .beginArray && depth == 0 && Self.lists.contains(name)
    // The entries of a list state nothing about the object.
    if !isList {
      stated.handle(event)
      further.handle(event)
    }
    if let complete = reader.handle(event) {
      entry = complete
      return .ended
    }
    switch event {
    case .key(let text):
      if depth == 0 { name = text }
      return nil
    case .beginArray where isList:
      return .listPage
    case .beginArray where depth == 0 && name == "slices":
      return .series
    case .beginArray, .beginObject:
      depth &+= 1
      return depth == 1 ? addMember(event) : nil
    case .endArray, .endObject:
      depth &-= 1
      return nil
    case .string(let text) where depth <= 1 && isIIIF(text):
      return .iiif
    default:
      return depth == 0 ? addMember(event) : nil
    }
  }

  /// Whether the text is the vocabulary of the IIIF Presentation API, or the type of one of its documents in
  /// an object without another vocabulary. Other formats with JSON-LD have collections, too.
  private mutating func isIIIF(_ text: String) -> Bool {
    switch name {
    case "@context":
      if IIIFReader.isVocabulary(text) { return true }
      if vocabulary == nil { vocabulary = text }
      return false
    case "type", "@type":
      return depth == 0 && vocabulary == nil && IIIFReader.isDocument(type: text)
    default: return false
    }
  }

  private mutating func addMember(_ value: JSONEvent) -> Verdict? {
    guard members.count < Self.maximumMembers, bytes < Self.maximumBytes else {
      return hasURL ? nil : .nameMap
    }
    bytes &+= name.utf8.count
    if case .string(let text) = value { bytes &+= text.utf8.count }
    members.append(Member(name: name, value: value))
    return nil
  }
}
