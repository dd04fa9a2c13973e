import JSON
import Models

/// Reads a manifest or collection of the IIIF Presentation API (3.0 §5, 2.1 §5), event by event: only one
/// canvas, or one reference of a collection, is in memory at a time, beside the first items before the title.
///
/// Each image of a canvas becomes an entry, in the order of the document. An image with an image service
/// becomes an entry for the base URI of the service (``ResourceLocation/imageServiceFragment``), any other
/// image one for its own URL. The members of a collection become documents with records of their own.
/// Content other than images is counted and reported once, at the end.
struct IIIFReader: Sendable {
  /// The container whose elements or members are read; its enclosing containers are below it on the stack.
  private enum Place: Sendable { case root, elements(Kind), sequences, sequence }

  private enum Kind: Sendable {
    /// Canvases, manifests or collections (`items` of version 3).
    case item
    /// A canvas of version 2.
    case canvas
    /// A manifest or collection that a collection of version 2 names.
    case reference
  }

  /// The use of the value that is being built.
  private enum Purpose: Sendable { case label, next, first, element(Kind) }

  private var places = [Place.root]
  /// The number of open containers that are skipped.
  private var skipped: Int
  private var builder: JSONValueBuilder?
  private var purpose = Purpose.label
  private var member = ""
  private var hasList = false
  private var hasElements = false
  private var sequenceCount = 0
  /// The first page of a collection, which is read if the collection lists nothing itself.
  private var first: String?
  private var others = OtherContent()
  /// The first items, as long as a title may follow that the record needs before them.
  private var held: [ManifestItem] = []
  private var holdsItems = true
  /// The length of the texts of the elements whose items are held back.
  private var heldBytes = 0

  /// The number of items, and the length of their texts, that are held back until the title is read. A title
  /// after more of them is ignored.
  static let maximumHeldItems = 2_000
  static let maximumHeldBytes = 4 << 20

  /// The members that matter of a canvas or of a reference.
  private static let wanted: Set<String> = [
    "@context", "@id", "@type", "body", "default", "format", "full", "id", "images", "item",
    "items",
    "label", "motivation", "profile", "resource", "service", "source", "type",
  ]

  /// - Parameter openContainers: The number of containers inside the outermost object that were begun before
  ///   the document was recognized; their rest is skipped.
  init(openContainers: Int = 0) { skipped = openContainers }

  static func isVocabulary(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.hasPrefix($0 + "iiif.io/api/presentation/") }
  }

  /// Whether a member of `items` with this type is one of a manifest or collection.
  static func isItem(type: String) -> Bool {
    type == "Canvas" || type == "Manifest" || type == "Collection"
  }

  static func isDocument(type: String) -> Bool {
    ["Manifest", "Collection", "sc:Manifest", "sc:Collection"].contains(type)
  }

  /// Handles a member that was read before the document was recognized.
  mutating func replay(
    _ name: String, _ value: JSONEvent, into collector: inout EntryCollector
  ) throws(ManifestError) {
    guard case .string = value else { return }
    let skipped = skipped
    self.skipped = 0
    _ = try handle(.key(name), into: &collector)
    _ = try handle(value, into: &collector)
    self.skipped = skipped
  }

  /// Handles the events after the opening brace of the object.
  ///
  /// - Returns: true for the closing brace of the object.
  mutating func handle(
    _ event: JSONEvent, into collector: inout EntryCollector
  ) throws(ManifestError) -> Bool {
    if skipped > 0 {
      skip(event)
    } else if builder != nil {
      build(event, into: &collector)
    } else {
      switch places.last {
      case .root?, nil: return try handleRoot(event, into: &collector)
      case .elements(let kind)?:
        if event == .endArray {
          places.removeLast()
        } else {
          begin(.element(kind), event, &collector)
        }
      case .sequences?: handleSequences(event)
      case .sequence?: handleSequence(event)
      }
    }
    return false
  }

  private mutating func skip(_ event: JSONEvent) {
    switch event {
    case .beginArray, .beginObject: skipped &+= 1
    case .endArray, .endObject: skipped &-= 1
    default: break
    }
  }

  private mutating func handleRoot(
    _ event: JSONEvent, into collector: inout EntryCollector
  ) throws(ManifestError) -> Bool {
    switch (member, event) {
    case (_, .key(let name)): member = name
    case (_, .endObject):
      try complete(into: &collector)
      return true
    case ("label", _): begin(.label, event, &collector)
    case ("next", _): begin(.next, event, &collector)
    case ("first", _): begin(.first, event, &collector)
    case ("items", .beginArray): open(.elements(.item))
    case ("manifests", .beginArray), ("collections", .beginArray), ("members", .beginArray):
      open(.elements(.reference))
    case ("sequences", .beginArray): open(.sequences)
    case (_, .beginArray), (_, .beginObject): skipped = 1
    default: break
    }
    return false
  }

  private mutating func open(_ place: Place) {
    places.append(place)
    hasList = true
  }

  /// Only the first sequence is read: further ones are other orders of the same canvases.
  private mutating func handleSequences(_ event: JSONEvent) {
    switch event {
    case .endArray: places.removeLast()
    case .beginObject where sequenceCount == 0:
      sequenceCount = 1
      places.append(.sequence)
    case .beginArray, .beginObject: skipped = 1
    default: break
    }
  }

  private mutating func handleSequence(_ event: JSONEvent) {
    switch event {
    case .key(let name): member = name
    case .endObject: places.removeLast()
    case .beginArray where member == "canvases": places.append(.elements(.canvas))
    case .beginArray, .beginObject: skipped = 1
    default: break
    }
  }

  private mutating func begin(
    _ purpose: Purpose, _ event: JSONEvent, _ collector: inout EntryCollector
  ) {
    self.purpose = purpose
    builder = JSONValueBuilder(keeping: Self.wanted, whole: ["label"])
    if case .label = purpose { builder = JSONValueBuilder() }
    build(event, into: &collector)
  }

  private mutating func build(_ event: JSONEvent, into collector: inout EntryCollector) {
    guard let tree = builder?.handle(event) else { return }
    let excess = builder?.isTooLarge == true ? builder?.excess : nil
    heldBytes &+= builder?.byteCount ?? 0
    builder = nil
    switch purpose {
    case .label:
      guard holdsItems, let title = IIIFLabel.text(tree) else { return }
      collector.items.append(.title(title))
      releaseItems(into: &collector)
    case .next:
      if let url = Self.identifier(tree) { collector.items.append(.nextPage(url)) }
    case .first: first = Self.identifier(tree)
    case .element(let kind):
      hasElements = true
      let start = collector.items.count
      if let excess {
        collector.addProblem("has " + excess)
      } else {
        add(tree, kind, into: &collector)
      }
      holdItems(from: start, of: &collector)
    }
  }

  private mutating func holdItems(from start: Int, of collector: inout EntryCollector) {
    guard holdsItems else { return }
    held += collector.items[start...]
    collector.items.removeSubrange(start...)
    if held.count >= Self.maximumHeldItems || heldBytes >= Self.maximumHeldBytes {
      releaseItems(into: &collector)
    }
  }

  /// Adds the items that are held back; called at the end of the document and after an error in it.
  mutating func releaseItems(into collector: inout EntryCollector) {
    holdsItems = false
    collector.items += held
    held = []
  }

  private mutating func add(
    _ tree: JSONValue, _ kind: Kind, into collector: inout EntryCollector
  ) {
    switch (kind, tree[either: "type", or: "@type"]?.text) {
    case (.item, "Manifest"?), (.item, "Collection"?), (.reference, _):
      guard let url = Self.identifier(tree), !url.isEmpty else {
        return collector.addProblem("has no \"id\"")
      }
      guard url.utf8.count <= HTTPURL.maximumLength else {
        return collector.addProblem("its \"id\" is longer than \(HTTPURL.maximumLength) bytes")
      }
      collector.items.append(.document(url, .record))
    case (.item, _):
      IIIFCanvas.addImages(ofVersion3: tree, &others, into: &collector)
    case (.canvas, _):
      IIIFCanvas.addImages(ofVersion2: tree, &others, into: &collector)
    }
  }

  /// Returns the identifier of an object, or the string that stands for one.
  private static func identifier(_ tree: JSONValue) -> String? {
    tree.text ?? tree[either: "id", or: "@id"]?.text
  }

  private mutating func complete(into collector: inout EntryCollector) throws(ManifestError) {
    releaseItems(into: &collector)
    if !hasElements, let first { return collector.items.append(.nextPage(first)) }
    guard hasList || first != nil else {
      throw ManifestError(
        .shape, file: "",
        "the document has neither canvases nor manifests, so it is not a IIIF manifest")
    }
    if let sentence = others.sentence { collector.addProblem(sentence) }
  }
}
