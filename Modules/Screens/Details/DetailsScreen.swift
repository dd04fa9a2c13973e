import Models
import Terminal

/// `Image Details`: the size of each image and what its download took (LZ3).
struct DetailsScreen: Sendable {
  var record: RecordItem
  var collection = CollectionView(.list)
  var window = ItemWindow<Resource>()
  var order = DetailOrder()
  /// The resources in that order, where it is not the record's own.
  var ids: [ResourceID]?
  /// Which order was asked for, and whether the answer has not come.
  var arrangedOrder: DetailOrder?
  var isArranging = false
  /// Selected once the rows are there.
  var wantedSelection: Int?

  /// `ids` are in another order than is wanted now.
  var isStaleOrder: Bool { arrangedOrder != order }
}

extension State {
  mutating func openDetails(_ item: RecordItem, selecting index: Int) {
    var screen = DetailsScreen(record: item)
    screen.wantedSelection = index
    details = screen
    path.append(.details)
  }

  mutating func detailsCommand(_ command: Command, _ effects: inout [Effect]) {
    guard let screen = details else { return }
    switch command {
    case .back: return back(&effects)
    case .open: return openDetail(at: screen.collection.selection, &effects)
    case .sort:
      return sortDetails(by: DetailColumn.allCases.next(after: screen.order.column))
    case .reverse:
      details?.order.isReversed.toggle()
      return rearrangeDetails()
    default: break
    }
    // Nothing is beside a row.
    if let movement = CollectionView.Movement(command), command != .left, command != .right {
      details?.collection.move(movement, at: now)
    }
  }

  /// By that column; if it is so already, the other way around.
  mutating func sortDetails(by column: DetailColumn) {
    guard let old = details?.order else { return }
    if old.column == column {
      details?.order.isReversed.toggle()
    } else {
      details?.order = DetailOrder(column: column)
    }
    rearrangeDetails()
  }

  private mutating func rearrangeDetails() {
    details?.isArranging = false
    if details?.order.isNatural == true { details?.ids = nil }
    details?.window.invalidate()
  }

  /// In the viewer, at its place in the record's own order.
  mutating func openDetail(at index: Int, _ effects: inout [Effect]) {
    guard let screen = details, let resource = screen.window.item(at: index) else { return }
    details?.collection.select(index, at: now)
    // Sorted, the table does not say where that is in the record.
    let wantedID = screen.ids == nil ? nil : resource.id
    open(ViewerTarget(record: screen.record, index: index, wantedID: wantedID), resource, &effects)
  }
}
