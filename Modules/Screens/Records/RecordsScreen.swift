import Models
import Terminal

/// The screen that lists the records of the library (screen 1).
struct RecordsScreen: Screen {
  private(set) var collection = CollectionView(.list)
  private(set) var window = ItemWindow<RecordItem>()
  private(set) var arrangement = RecordArrangement()
  /// The identifiers of the records in the requested arrangement; nil for the store's own order.
  private(set) var order: [RecordID]?
  /// Whether the response to the last request for an arrangement is outstanding.
  private var isSorting = false
  private var needsSorting = false
  /// The text field of the filter while the user edits it; nil otherwise.
  private(set) var filterField: TextField?
  /// The names of the loaded records whose titles are not unique.
  private(set) var names: [RecordID: RecordName] = [:]
  /// Whether the store has answered at least once.
  private(set) var isLoaded = false
  private(set) var concurrency = ConcurrencySlider()

  let kind = ScreenKind.records
  let record: RecordItem? = nil
  var wake: Double? { collection.nextWakeTime }
  var lifted: Int? { collection.lifted }
  var acceptsText: Bool { filterField != nil }

  var selected: RecordItem? { window.item(at: collection.selection) }

  /// The records that are visible and loaded.
  var visibleRecords: [RecordItem] { collection.visible.compactMap { window.item(at: $0) } }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    let facts = context.library.snapshot
    switch event {
    case .command(let command): return perform(command, in: context)
    case .itemPressed(let index): collection.select(index, at: context.now)
    case .itemClicked(let index): return open(at: index, context.now)
    case .itemLongPressed(let index): collection.lift(index)
    case .liftEnded: collection.lift(nil)
    case .concurrencyChosen(let share):
      return concurrency.choose(ConcurrencyScale.value(at: share), facts)
    case .wheelTurned(let lines):
      if collection.scroll(lines * 3, at: context.now) { return perform(.refresh, in: context) }
    case .pasted(let text):
      // Pasting a path or a URL into the list opens the dialog that adds it.
      return text.firstLine.isEmpty ? [] : [.showSourceDialog(pasted: text)]
    case .typed(let gesture): return type(gesture, in: context)
    case .received(let input): receive(input, in: context)
    case .headingPressed, .positionChosen, .unlocked, .uncovered: break
    }
    return []
  }

  mutating func layOut(in context: ScreenContext) {
    let content = layout(in: context).content.size
    let tile = RecordRow().size(in: .list, room: content)
    collection.fit(CollectionGeometry(.list, viewport: content, tile: tile), at: context.now)
  }

  mutating func advance(in context: ScreenContext) -> [ScreenAction] {
    _ = collection.advance(to: context.now)
    return []
  }

  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction] {
    var actions: [ScreenAction] = []
    if needsSorting, !isSorting {
      (needsSorting, isSorting) = (false, true)
      actions.append(.perform(.sortRecords(arrangement)))
    }
    // Rows are not requested until their order is known.
    guard arrangement.isNatural || order != nil else { return actions }
    if let range = window.nextRequest(for: collection.visible) {
      let ids = order.map { Array($0[range.clamped(to: 0..<$0.count)]) }
      actions.append(.perform(.loadRecords(range, ids: ids)))
    }
    return actions
  }

  // MARK: - Library updates

  private mutating func receive(_ input: Input, in context: ScreenContext) {
    switch input {
    case .snapshot(let new):
      concurrency.receive(new, isHeld: context.pressedTarget == .concurrency)
    case .changed(let change): receive(change)
    case .records(let range, let items, let count, let isArranged):
      // A response for an order that is no longer wanted is discarded.
      guard isArranged == (order != nil) else { return window.abandon(range) }
      guard window.receive(range, items, count: order?.count ?? count) else { return }
      isLoaded = true
      names = RecordName.names(of: window.items)
      collection.setCount(window.count, at: context.now)
    case .recordsSorted(let arrangement, let ids):
      isSorting = false
      guard arrangement == self.arrangement, !arrangement.isNatural else { return }
      order = ids
      window.invalidate()
      collection.setCount(ids.count, at: context.now)
    default: break
    }
  }

  private mutating func receive(_ change: LibraryChange) {
    if change.wasReset { return startOver() }
    if change.isListChanged || change.isEverything {
      window.invalidate()
      if !arrangement.isNatural { needsSorting = true }
    } else if !change.records.isEmpty {
      window.invalidate()
    }
  }

  /// Resets the screen to its initial state.
  private mutating func startOver() {
    let field = filterField
    self = RecordsScreen()
    // The filter field stays open, so that the user can continue typing.
    guard let field else { return }
    filterField = field
    arrangement.filter = field.text
    rearrange()
  }

  // MARK: - User actions

  private mutating func perform(
    _ command: Command, in context: ScreenContext
  ) -> [ScreenAction] {
    if let movement = CollectionView.Movement(command) {
      collection.move(movement, at: context.now)
      return []
    }
    switch command {
    case .open: return open(at: collection.selection, context.now)
    case .add: return [.showSourceDialog(pasted: nil)]
    case .reset: return [.confirmReset]
    case .fewer: return concurrency.step(by: -1, context.library.snapshot)
    case .more: return concurrency.step(by: 1, context.library.snapshot)
    case .back:
      collection.lift(nil)
      guard !arrangement.isNatural else { return [] }
      arrangement = RecordArrangement()
      rearrange()
    case .filter: filterField = TextField(suggestion: arrangement.filter)
    case .sort:
      arrangement.order = RecordArrangement.Order.allCases.next(after: arrangement.order)
      rearrange()
    case .reverse:
      arrangement.isReversed.toggle()
      rearrange()
    case .lift: collection.lift(collection.lifted == nil ? collection.selection : nil)
    default: return selected?.actions(for: command, in: context) ?? []
    }
    return []
  }

  /// Opens a record (DL7): a series in its viewer, any other record as a grid, or as a list if it is lazy.
  private mutating func open(at index: Int, _ now: Double) -> [ScreenAction] {
    guard let item = window.item(at: index) else { return [] }
    collection.select(index, at: now)
    collection.lift(nil)
    return [
      .open(item.isSeries ? .slices(item) : .resources(item, selecting: nil)),
      .perform(.recall(item.id)),
    ]
  }

  /// Requests the new arrangement after the filter or the order has changed.
  private mutating func rearrange() {
    needsSorting = !arrangement.isNatural
    if !needsSorting { order = nil }
    window.invalidate()
  }

  /// Handles a gesture while the user edits the filter; the list is filtered again after every key.
  private mutating func type(_ gesture: Gesture, in context: ScreenContext) -> [ScreenAction] {
    guard var field = filterField else { return [] }
    switch gesture {
    case .key("escape"), .key("^c"):
      filterField = nil
      arrangement.filter = ""
      rearrange()
    case .key("enter"), .key("tab"), .press, .wheel: filterField = nil
    case .key(let stroke) where ["up", "down", "pageup", "pagedown"].contains(stroke):
      filterField = nil
      return KeyBindings.command(for: stroke, in: kind).map { perform($0, in: context) } ?? []
    case .key(let stroke):
      _ = field.handle(stroke)
      setFilter(field)
    case .paste(let text):
      field.insert(text)
      setFilter(field)
    case .drag, .release: break
    }
    return []
  }

  private mutating func setFilter(_ field: TextField) {
    filterField = field
    guard field.text != arrangement.filter else { return }
    arrangement.filter = field.text
    rearrange()
  }
}
