import Models
import Terminal

/// The screen `Image Details`: the size of each image and the timings of its download (LZ3).
struct DetailsScreen: Screen {
  private var item: RecordItem
  private(set) var collection = CollectionView(.list)
  private var window = ItemWindow<Resource>()
  private var order = DetailOrder()
  /// The identifiers of the resources, sorted by `order`; nil for the record's own order.
  private var ids: [ResourceID]?
  /// The order that was requested last. `isSorting` is true until the response arrives.
  private var sortedOrder: DetailOrder?
  private var isSorting = false
  /// The index to select as soon as the rows are loaded.
  private var pendingSelection: Int?

  let kind = ScreenKind.details
  var record: RecordItem? { item }
  var wake: Double? { collection.nextWakeTime }

  init(_ record: RecordItem, selecting index: Int) {
    item = record
    pendingSelection = index
  }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    switch event {
    case .command(let command): return perform(command, in: context)
    case .itemPressed(let index): collection.select(index, at: context.now)
    case .itemClicked(let index): return open(at: index, in: context)
    case .headingPressed(let column): sort(by: column)
    case .wheelTurned(let lines): _ = collection.scroll(lines * 3, at: context.now)
    case .received(let input): receive(input, context.now)
    case .unlocked(let id): window.unlock(id)
    case .itemLongPressed, .liftEnded, .positionChosen, .concurrencyChosen, .pasted, .typed,
      .uncovered:
      break
    }
    return []
  }

  mutating func layOut(in context: ScreenContext) {
    let content = layout(in: context).content.size
    let tile = DetailRow().size(in: .list, room: content)
    collection.fit(CollectionGeometry(.list, viewport: content, tile: tile), at: context.now)
    guard let wanted = pendingSelection, collection.count > 0 else { return }
    pendingSelection = nil
    collection.select(wanted, at: context.now)
  }

  mutating func advance(in context: ScreenContext) -> [ScreenAction] {
    collection.advance(to: context.now).map { [.setVisibleRange(item.id, $0)] } ?? []
  }

  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction] {
    // Rows are not requested until their order is known.
    if !order.isNatural, ids == nil || sortedOrder != order {
      guard !isSorting else { return [] }
      isSorting = true
      sortedOrder = order
      return [.perform(.sortResources(item.id, order))]
    }
    guard let range = window.nextRequest(for: collection.visible) else { return [] }
    let ids = ids.map { Array($0[range.clamped(to: 0..<$0.count)]) }
    return [.perform(.loadResources(item.id, range, ids: ids))]
  }

  /// Whether the end of the record is near; false for a sorted table, whose last row is not the record's end.
  func isNearEnd() -> Bool {
    order.isNatural && collection.isNearEnd(of: item.record.counts.total)
  }

  // MARK: - Library updates

  private mutating func receive(_ input: Input, _ now: Double) {
    switch input {
    case .records(_, let items, _, _): item.update(from: items)
    case .resources(item.id, let range, let resources, let count):
      if window.receive(range, resources, count: count) { collection.setCount(count, at: now) }
    case .resourcesSorted(item.id, order, let ids):
      isSorting = false
      self.ids = ids
      window.invalidate()
    case .changed(let change) where change.concerns(item.id): window.invalidate()
    default: break
    }
  }

  // MARK: - User actions

  private mutating func perform(
    _ command: Command, in context: ScreenContext
  ) -> [ScreenAction] {
    switch command {
    case .back: return [.close]
    case .open: return open(at: collection.selection, in: context)
    case .sort: sort(by: DetailColumn.allCases.next(after: order.column))
    case .reverse:
      order.isReversed.toggle()
      rearrange()
    // Each line holds one item, so the selection moves only vertically.
    case .left, .right: break
    default:
      if let movement = CollectionView.Movement(command) {
        collection.move(movement, at: context.now)
      }
    }
    return []
  }

  /// Sorts by a column; if the table is already sorted by that column, reverses the order.
  private mutating func sort(by column: DetailColumn) {
    if order.column == column {
      order.isReversed.toggle()
    } else {
      order = DetailOrder(column: column)
    }
    rearrange()
  }

  private mutating func rearrange() {
    isSorting = false
    if order.isNatural { ids = nil }
    window.invalidate()
  }

  /// Opens the viewer with the image of a row. The viewer shows images in the record's own order.
  private mutating func open(at index: Int, in context: ScreenContext) -> [ScreenAction] {
    guard let resource = window.item(at: index) else { return [] }
    collection.select(index, at: context.now)
    // The row of a sorted table is not the index in the record, so the viewer looks the resource up by its
    // identifier.
    let wantedID = ids == nil ? nil : resource.id
    let target = ViewerTarget(record: item, index: index, wantedID: wantedID)
    return [target.openAction(for: resource, in: context)]
  }

  // MARK: - Drawing

  func headerRows(in room: Size) -> Int { 1 }

  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas) {
    // LZ3 prescribes this title; the record's name is shown beside it.
    canvas.title("Image Details", item.record.title, in: layout.title)
    let inner = layout.header.inset(columns: 2)
    for (column, area) in DetailColumn.areas(in: inner) {
      var text = column.title
      if column == order.column { text += order.isReversed ? "▾" : "▴" }
      let isLeft = column == .name || column == .host
      canvas.text(text, in: area, .key, isLeft ? .left : .right)
      canvas.hit(area, .column(column))
    }
    collection.draw(DetailRow(), window, in: layout.content, on: &canvas)
  }
}
