import Models

/// What the library says.
extension State {
  mutating func news(_ input: Input, _ effects: inout [Effect]) {
    switch input {
    case .facts(let new): learn(new)
    case .owner(let new):
      library.connect(to: new)
      askedPage = nil
    case .changed(let change): self.change(change, &effects)
    case .records(let range, let items, let count, let isArranged):
      // An answer in an order that is not wanted any more.
      guard isArranged == (records.order != nil) else { return records.window.abandon(range) }
      records.receive(range, items, count: count, at: now)
      refreshOpenRecord(items)
    case .arranged(let arrangement, let ids):
      records.isArranging = false
      guard arrangement == records.arrangement, !arrangement.isNatural else { return }
      records.order = ids
      records.window.invalidate()
      records.collection.setCount(ids.count, at: now)
    case .resources(let id, let range, let items, let count):
      receive(id, range, items, count)
    case .resourcesArranged(let id, let order, let ids):
      guard details?.record.id == id, details?.order == order else { return }
      details?.isArranging = false
      details?.ids = ids
      details?.window.invalidate()
    case .pages(let id, let pages):
      if viewer?.current?.id == id { viewer?.pages = (id, pages) }
    case .slices(let id, let new):
      if slices?.record.id == id { slices?.receive(new) }
      if viewer?.record.id == id { viewer?.receive(new) }
    case .picture(let key, let answer):
      // Only what is looked at anew is looked for.
      if pictures.receive(key, answer, at: now), let looking {
        effects += [.lookAway(looking), .look(looking, lookingAt)]
      }
    case .remembered(let id, let index): restore(id, index)
    case .unlockAnswered(let request, let answer): receive(request, answer, &effects)
    case .told(let text): tell(text)
    case .failed(let text): tell(text, isError: true)
    case .lost(let text): library.disconnect(because: text)
    case .terminal, .tick: break
    }
  }

  private mutating func learn(_ new: LibraryFacts) {
    library.receive(new, at: now)
    // The library has caught up with the slider, or somebody else moved it.
    if records.concurrency == new.concurrency || press?.target != .concurrency {
      records.concurrency = nil
    }
  }

  private mutating func change(_ change: LibraryChange, _ effects: inout [Effect]) {
    if change.wasReset { return startOver(&effects) }
    library.receive(change.transitions)
    var change = change
    if change.isEverything {
      change.isListChanged = true
      if let id = openRecord?.id { change.records.insert(id) }
    }
    if change.isListChanged {
      records.window.invalidate()
      if !records.arrangement.isNatural { records.mustArrange = true }
    } else if !change.records.isEmpty {
      records.window.invalidate()
    }
    for id in change.removed { leaveRemoved(id, &effects) }
    if let id = resources?.record.id, change.records.contains(id) { resources?.window.invalidate() }
    if let id = details?.record.id, change.records.contains(id) { details?.window.invalidate() }
    if let id = viewer?.record.id, change.records.contains(id) {
      viewer?.window.invalidate()
      effects.append(.loadSlices(id))
    }
    if let id = slices?.record.id, change.records.contains(id) { effects.append(.loadSlices(id)) }
  }

  /// As on the first launch.
  private mutating func startOver(_ effects: inout [Effect]) {
    if let looking { effects.append(.lookAway(looking)) }
    looking = nil
    subjectIsGone(nil)
    path = [.records]
    (resources, details, viewer, slices) = (nil, nil, nil, nil)
    let filter = records.filterField
    records = RecordsScreen()
    // Whoever types a filter goes on with it.
    if let filter {
      records.filterField = filter
      records.arrangement.filter = filter.text
      records.rearrange()
    }
    pictures.removeAll()
    library.startOver()
    askedPage = nil
    tell("Everything was deleted")
  }

  private mutating func leaveRemoved(_ id: RecordID, _ effects: inout [Effect]) {
    subjectIsGone(id)
    while openRecord?.id == id, path.count > 1 { back(&effects) }
  }

  /// The record that the place on top is about.
  var openRecord: RecordItem? {
    switch place {
    case .records: nil
    case .resources: resources?.record
    case .details: details?.record
    case .viewer: viewer?.record
    case .slices: slices?.record
    }
  }

  /// Counts and pauses of the record that is open change with its row.
  private mutating func refreshOpenRecord(_ items: [RecordItem]) {
    guard let id = openRecord?.id, let item = items.first(where: { $0.id == id }) else { return }
    if resources?.record.id == id { resources?.record = item }
    if details?.record.id == id { details?.record = item }
    if viewer?.record.id == id { viewer?.record = item }
    if slices?.record.id == id { slices?.record = item }
  }

  private mutating func receive(
    _ id: RecordID, _ range: Range<Int>, _ items: [Resource], _ count: Int
  ) {
    if resources?.record.id == id, resources?.window.receive(range, items, count: count) == true {
      resources?.collection.setCount(count, at: now)
    }
    if details?.record.id == id, details?.window.receive(range, items, count: count) == true {
      details?.collection.setCount(count, at: now)
    }
    if viewer?.record.id == id { viewer?.receive(range, items, count: count) }
  }

  private mutating func restore(_ id: RecordID, _ index: Int) {
    if slices?.record.id == id { slices?.restore(index) }
    guard resources?.record.id == id, resources?.isUntouched == true else { return }
    resources?.pendingSelection = index
  }
}
