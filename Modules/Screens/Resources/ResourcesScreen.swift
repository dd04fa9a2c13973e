import Models
import Terminal

/// The screen of all resources of a record, as a grid or a list (screen 2).
struct ResourcesScreen: Screen {
  private var item: RecordItem
  private(set) var collection: CollectionView
  private(set) var window = ItemWindow<Resource>()
  /// Whether the user has not moved the selection yet, so that the remembered position may still be restored.
  private var isUntouched = true
  /// The index to select as soon as the rows are loaded.
  private var pendingSelection: Int?

  let kind = ScreenKind.resources
  var record: RecordItem? { item }
  var wake: Double? { collection.nextWakeTime }
  var lifted: Int? { collection.lifted }

  init(_ record: RecordItem, selecting index: Int?) {
    item = record
    pendingSelection = index
    // A lazy record opens as a list, because its names are loaded before its images (LZ1).
    collection = CollectionView(record.record.isLazy ? .list : .grid)
  }

  var selected: Resource? { window.item(at: collection.selection) }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    switch event {
    case .command(let command): return perform(command, in: context)
    case .itemPressed(let index): collection.select(index, at: context.now)
    case .itemClicked(let index): return open(at: index, in: context)
    case .itemLongPressed(let index): collection.lift(index)
    case .liftEnded: collection.lift(nil)
    case .wheelTurned(let lines):
      let step = collection.geometry.layout == .list ? 3 : 1
      if collection.scroll(lines * step, at: context.now) {
        return perform(.refresh, in: context)
      }
    case .received(let input): receive(input, context.now)
    case .unlocked(let id): window.unlock(id)
    case .uncovered(let index):
      if let index { collection.select(index, at: context.now) }
      // The closed screen has reported its own visible range, so this screen reports its range again.
      collection.forgetAnnouncement(at: context.now)
    case .headingPressed, .positionChosen, .concurrencyChosen, .pasted, .typed: break
    }
    return []
  }

  mutating func layOut(in context: ScreenContext) {
    let content = layout(in: context).content.size
    let layout = collection.geometry.layout
    let tile = tile(context).size(in: layout, room: content)
    collection.fit(CollectionGeometry(layout, viewport: content, tile: tile), at: context.now)
    guard let wanted = pendingSelection, collection.count > 0 else { return }
    pendingSelection = nil
    collection.select(wanted, at: context.now)
  }

  mutating func advance(in context: ScreenContext) -> [ScreenAction] {
    collection.advance(to: context.now).map { [.setVisibleRange(item.id, $0)] } ?? []
  }

  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction] {
    window.nextRequest(for: collection.visible).map {
      [.perform(.loadResources(item.id, $0, ids: nil))]
    } ?? []
  }

  func isNearEnd() -> Bool { collection.isNearEnd(of: item.record.counts.total) }

  // MARK: - Library updates

  private mutating func receive(_ input: Input, _ now: Double) {
    switch input {
    case .records(_, let items, _, _): item.update(from: items)
    case .resources(item.id, let range, let resources, let count):
      if window.receive(range, resources, count: count) { collection.setCount(count, at: now) }
    case .changed(let change) where change.concerns(item.id): window.invalidate()
    case .remembered(item.id, let index) where isUntouched: pendingSelection = index
    default: break
    }
  }

  // MARK: - User actions

  private mutating func perform(
    _ command: Command, in context: ScreenContext
  ) -> [ScreenAction] {
    if let movement = CollectionView.Movement(command) {
      isUntouched = false
      collection.move(movement, at: context.now)
      return []
    }
    switch command {
    case .back:
      guard collection.lifted != nil else { return [.close] }
      collection.lift(nil)
    case .open: return open(at: collection.selection, in: context)
    case .layout: changeLayout(in: context)
    case .lift: collection.lift(collection.lifted == nil ? collection.selection : nil)
    default:
      return item.actions(for: command, selecting: collection.selection, in: context)
    }
    return []
  }

  private mutating func changeLayout(in context: ScreenContext) {
    let old = collection
    collection = CollectionView(old.geometry.layout == .grid ? .list : .grid)
    collection.setCount(old.count, at: context.now)
    if !context.display.isTooSmall { layOut(in: context) }
    collection.select(old.selection, at: context.now)
    collection.forgetAnnouncement(at: context.now)
  }

  /// Opens an item: the viewer for a tile (DL10), `Image Details` for a row of a lazy list (LZ3).
  private mutating func open(at index: Int, in context: ScreenContext) -> [ScreenAction] {
    guard index < collection.count else { return [] }
    isUntouched = false
    collection.select(index, at: context.now)
    collection.lift(nil)
    if item.record.isLazy, collection.geometry.layout == .list {
      return [.open(.details(item, selecting: index))]
    }
    let target = ViewerTarget(record: item, index: index)
    return [target.openAction(for: window.item(at: index), in: context)]
  }
}
