import JSON

/// Converts the events of one JSON document to the entries of a list.
struct ManifestDocument: JSONEventHandler, Sendable {
  enum Mode: Sendable {
    case start
    /// The events are inside the outermost object, whose kind is still unknown.
    case probing
    /// The events are inside the first element of `items`, which decides about the kind.
    case probingItem
    case list, names, page, series, feed, iiif
    /// The events are inside the outermost array, which is a list or consists of messages of gallery-dl.
    case probingArray
    /// The outermost array consists of messages of gallery-dl, or is one.
    case messages, message
    /// The document has ended; it is a whole list or the first line of JSON Lines.
    case undecided
    case end
  }

  /// The requested form, `json`, `series`, `feed` or `iiif`; nil if the form is recognized from the content.
  private let demanded: ManifestFormat?
  private let limits: ManifestLimits
  private(set) var mode = Mode.start
  private var isSeries = false
  private var isFeed = false
  private var isIIIF = false
  /// Whether the document is `{"name": url}`.
  private(set) var isNameMap = false
  /// The form that the content has shown beyond JSON; nil if there is none, or not yet.
  var specialForm: ManifestFormat? {
    if isIIIF { return .iiif }
    if isFeed { return .feed }
    if hasMessages { return .galleryDL }
    return isSeries ? .series : nil
  }
  /// Whether the events so far may be those of a line of JSON Lines, and no entry has been made of them.
  var mayBeLine: Bool { [.start, .probing, .message].contains(mode) }
  /// The collector of the entries, which the parser's readers of other forms also use.
  var collector: EntryCollector
  private var list = ListReader()
  private var names = NameMapReader()
  private var page = PageReader()
  private var series: SeriesReader?
  /// The error that the members of the series state.
  private var stated = StatedError()
  private var feed = JSONFeedReader()
  private var iiif = IIIFReader()
  private var probe = ObjectProbe()
  private var itemProbe = ItemProbe()
  /// The undecided document parsed as a line of JSON Lines.
  private var line: EntryDraft?
  private var messageProbe = GalleryProbe()
  private(set) var messages = GalleryMessages()
  /// The undecided document parsed as a message of gallery-dl; nil if it is none.
  private(set) var message: GalleryMessage?
  /// Whether the document consists of messages of gallery-dl.
  private var hasMessages = false

  init(demanded: ManifestFormat?, limits: ManifestLimits, collector: EntryCollector) {
    self.demanded = demanded
    self.limits = limits
    self.collector = collector
  }

  mutating func handle(_ event: JSONEvent) throws(ManifestError) {
    var isOver = false
    switch mode {
    case .start: try start(event)
    case .probing: try probing(event)
    case .probingItem: isOver = try probingItem(event)
    case .list: isOver = list.handle(event, into: &collector)
    case .names: isOver = names.handle(event, into: &collector)
    case .page:
      isOver = page.handle(event, into: &collector)
      if isOver, isEmpty { try refuse(page.stated.refusal) }
    case .series:
      stated.handle(event)
      isOver = try series?.handle(event, into: &collector) ?? true
      if isOver, isEmpty { try refuse(stated.refusal) }
    case .probingArray: isOver = probingArray(event)
    case .messages: isOver = messages.handle(event, into: &collector)
    case .message: if message?.handle(event) == true { mode = .undecided }
    case .feed:
      isOver = feed.handle(event, into: &collector)
      if isOver { try refuse(feed.refusal) }
    case .iiif: isOver = try iiif.handle(event, into: &collector)
    case .undecided, .end: break
    }
    if isOver { mode = .end }
    if collector.isOver { throw collector.tooMany }
  }

  /// Whether no entry was found, also none that cannot be used.
  private var isEmpty: Bool { collector.entryCount == 0 && collector.problemCount == 0 }

  private func refuse(_ reason: String?) throws(ManifestError) {
    if let reason { throw ManifestError(.shape, file: collector.file, reason) }
  }

  /// Treats the undecided document as the first line of JSON Lines, in which an invalid line is one problem.
  mutating func resolveAsLine(_ number: Int) {
    if mode == .undecided { resolveMessage(line: number) }
    guard mode == .undecided, let line else { return }
    collector.addEntry(line, line: number)
    mode = .end
  }

  /// Treats the undecided document as the whole list, because no further value follows.
  mutating func resolveAsWhole() throws(ManifestError) {
    if mode == .undecided { resolveMessage(line: 1) }
    guard mode == .undecided, let line else { return }
    mode = .end
    guard probe.entry != nil else {
      throw ManifestError(
        .shape, file: collector.file,
        "\(line.fault ?? "is a single string"); a list is an array or an object")
    }
    if line.url != nil { return collector.addEntry(line) }
    try beginNames()
  }

  /// Adds the members so far as those of a map of names.
  private mutating func beginNames() throws(ManifestError) {
    // An object without members is a list without entries in any shape.
    isNameMap = !probe.members.isEmpty
    try refuse(NameMapRecognition.refusal(of: probe.members, probe.stated))
    for member in probe.members { NameMapReader.add(member.name, member.value, into: &collector) }
  }

  /// Adds the items of a document that an error interrupts.
  mutating func releaseItems() {
    if mode == .iiif { iiif.releaseItems(into: &collector) }
  }

  private mutating func resolveMessage(line: Int) {
    guard let message else { return }
    messages.add(message, line: line, to: &collector)
    self.message = nil
    mode = .end
  }

  private mutating func start(_ event: JSONEvent) throws(ManifestError) {
    switch event {
    case .beginArray where demanded == .galleryDL:
      mode = .messages
      hasMessages = true
    case .beginArray where demanded == nil:
      mode = .probingArray
    case .beginObject where demanded == .feed:
      beginFeed()
    case _ where demanded == .feed:
      throw ManifestError(.shape, file: "", "is \(EntryReader.name(event)), not a JSON Feed")
    case .beginObject where demanded == .iiif:
      (mode, isIIIF) = (.iiif, true)
    case _ where demanded == .iiif:
      throw ManifestError(.shape, file: "", "is \(EntryReader.name(event)), not a IIIF manifest")
    case .beginArray where demanded != .series:
      mode = .list
    case .beginObject where demanded == .series:
      try beginSeries()
    case .beginObject:
      mode = .probing
    default:
      if demanded == .series {
        throw ManifestError(.shape, file: "", "is \(EntryReader.name(event)), not a series")
      }
      line = EntryReader.scalar(event)
      mode = .undecided
    }
  }

  /// Handles the first events inside the outermost array. Returns true for its closing bracket.
  private mutating func probingArray(_ event: JSONEvent) -> Bool {
    switch messageProbe.handle(event) {
    case nil:
      return false
    case .messages:
      mode = .messages
      hasMessages = true
      for event in messageProbe.events { _ = messages.handle(event, into: &collector) }
      return false
    case .message:
      mode = .message
      hasMessages = true
      var message = GalleryMessage()
      for event in messageProbe.events { _ = message.handle(event) }
      self.message = message
      return false
    case .list:
      mode = .list
      var isOver = false
      for event in messageProbe.events { isOver = list.handle(event, into: &collector) }
      return isOver
    }
  }

  private mutating func beginPage(_ event: JSONEvent) {
    mode = .page
    page = PageReader(stated: probe.stated, further: probe.further)
    for member in probe.members where member.name == "next" {
      page.next(member.value, into: &collector)
    }
    _ = page.handle(.key(probe.name), into: &collector)
    _ = page.handle(event, into: &collector)
  }

  /// Handles the events of the first element of `items`. Returns true for the end of the document.
  private mutating func probingItem(_ event: JSONEvent) throws(ManifestError) -> Bool {
    guard let verdict = itemProbe.handle(event) else { return false }
    switch verdict {
    case .list: beginPage(.beginArray)
    case .iiif:
      (mode, isIIIF) = (.iiif, true)
      for member in probe.members where member.name == "label" || member.name == "next" {
        try iiif.replay(member.name, member.value, into: &collector)
      }
      _ = try iiif.handle(.key(probe.name), into: &collector)
      _ = try iiif.handle(.beginArray, into: &collector)
    }
    let events = itemProbe.events
    itemProbe = ItemProbe()
    for event in events {
      if mode == .iiif {
        _ = try iiif.handle(event, into: &collector)
      } else {
        _ = page.handle(event, into: &collector)
      }
    }
    return false
  }

  private mutating func beginFeed() {
    isFeed = true
    mode = .feed
    collector.items.append(.referring(policy: nil))
  }

  /// Whether the members so far are those of a JSON Feed whose items begin now.
  private var isBeginningOfFeed: Bool {
    probe.name == "items"
      && probe.members.contains { member in
        guard member.name == "version", case .string(let text) = member.value else { return false }
        return text.hasPrefix(JSONFeedReader.versionPrefix)
      }
  }

  private mutating func beginSeries() throws(ManifestError) {
    series = try SeriesReader(base: collector.base, limits: limits)
    isSeries = true
    mode = .series
  }

  private mutating func probing(_ event: JSONEvent) throws(ManifestError) {
    switch probe.handle(event) {
    case nil:
      return
    // A list that was requested as plain JSON keeps the meaning of its members.
    case .iiif where demanded != nil:
      return
    case .iiif:
      (mode, isIIIF) = (.iiif, true)
      iiif = IIIFReader(openContainers: probe.depth)
      for member in probe.members where member.name == "label" {
        try iiif.replay(member.name, member.value, into: &collector)
      }
    case .ended:
      line = probe.entry
      mode = .undecided
    case .nameMap:
      mode = .names
      try beginNames()
      _ = names.handle(.key(probe.name), into: &collector)
      _ = names.handle(event, into: &collector)
    case .listPage where demanded == nil && isBeginningOfFeed:
      beginFeed()
      for member in probe.members {
        _ = feed.handle(.key(member.name), into: &collector)
        _ = feed.handle(member.value, into: &collector)
        // Of an array or object, only the first event is known.
        if !member.value.isScalar { _ = feed.handle(.endArray, into: &collector) }
      }
      feed.stated = probe.stated
      _ = feed.handle(.key(probe.name), into: &collector)
      _ = feed.handle(event, into: &collector)
    // Other formats with JSON-LD have collections, too.
    case .listPage where demanded == nil && probe.name == "items" && probe.vocabulary == nil:
      mode = .probingItem
    case .listPage:
      beginPage(event)
    case .series:
      try beginSeries()
      stated = probe.stated
      for member in probe.members where member.name == "id" {
        _ = try series?.handle(.key("id"), into: &collector)
        _ = try series?.handle(member.value, into: &collector)
      }
      _ = try series?.handle(.key(probe.name), into: &collector)
      _ = try series?.handle(event, into: &collector)
    }
  }
}
