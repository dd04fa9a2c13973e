import Models
import ProgressTree

/// Screen 1: the records of the library.
struct RecordsScreen: Sendable {
  var collection = CollectionView(.list)
  var window = ItemWindow<RecordItem>()
  var arrangement = RecordArrangement()
  /// Which records in which order, where the store's order is not what is wanted.
  var order: [RecordID]?
  /// An arrangement that was asked for and has not come.
  var isArranging = false
  var mustArrange = false
  /// The text of the filter while it is typed.
  var filterField: TextField?
  /// How records are called whose titles repeat among those that are here.
  private(set) var names: [RecordID: RecordName] = [:]
  /// The store has answered at least once.
  var isLoaded = false
  /// Chosen by `{` and `}` or the slider, until the library says the same.
  var concurrency: Int?

  /// Those that are here and in sight.
  var visibleRecords: [RecordItem] {
    collection.visible.compactMap { window.item(at: $0) }
  }

  var selected: RecordItem? { window.item(at: collection.selection) }

  mutating func receive(
    _ range: Range<Int>, _ items: [RecordItem], count: Int, at now: Double
  ) {
    guard window.receive(range, items, count: order?.count ?? count) else { return }
    isLoaded = true
    names = RecordName.names(of: window.items)
    collection.setCount(window.count, at: now)
  }

  /// The list is another one.
  mutating func rearrange() {
    mustArrange = !arrangement.isNatural
    if !mustArrange { order = nil }
    window.invalidate()
  }

  mutating func demand() -> [Effect] {
    var effects: [Effect] = []
    if mustArrange, !isArranging {
      (mustArrange, isArranging) = (false, true)
      effects.append(.arrange(arrangement))
    }
    // Until the order is known there is nothing to ask for.
    guard arrangement.isNatural || order != nil else { return effects }
    if let range = window.need(collection.visible) {
      let ids = order.map { Array($0[range.clamped(to: 0..<$0.count)]) }
      effects.append(.loadRecords(range, ids: ids))
    }
    return effects
  }
}
