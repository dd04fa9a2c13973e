import Models
import Terminal

/// Screen 2: all resources of a record, as a grid or a list.
struct ResourcesScreen: Sendable {
  var record: RecordItem
  var collection: CollectionView
  var window = ItemWindow<Resource>()
  /// Nobody has moved here yet: it may begin where it was left.
  var isUntouched = true
  var pendingSelection: Int?

  init(_ record: RecordItem) {
    self.record = record
    // Names first: a lazy record is a list (LZ1).
    collection = CollectionView(record.record.isLazy ? .list : .grid)
  }

  var selected: Resource? { window.item(at: collection.selection) }
}

extension State {
  mutating func openResources(_ item: RecordItem) {
    resources = ResourcesScreen(item)
    path.append(.resources)
  }

  mutating func resourcesCommand(_ command: Command, _ effects: inout [Effect]) {
    guard resources != nil else { return }
    if let movement = CollectionView.Movement(command) {
      resources?.isUntouched = false
      resources?.collection.move(movement, at: now)
      return
    }
    switch command {
    case .back:
      guard resources?.collection.lifted == nil else { return lift(nil) }
      back(&effects)
    case .open: openResource(at: resources?.collection.selection ?? 0, &effects)
    case .layout: changeLayout()
    case .lift:
      lift(resources?.collection.lifted == nil ? resources?.collection.selection : nil)
    default:
      guard let item = resources?.record else { return }
      recordCommand(command, item, &effects)
    }
  }

  private mutating func changeLayout() {
    guard let old = resources?.collection else { return }
    var new = CollectionView(old.geometry.layout == .grid ? .list : .grid)
    new.setCount(old.count, at: now)
    resources?.collection = new
    arrange()
    resources?.collection.select(old.selection, at: now)
    resources?.collection.forgetAnnouncement(at: now)
  }

  /// DL10: a tile opens the viewer. LZ3: a row of a lazy list opens Image Details.
  mutating func openResource(at index: Int, _ effects: inout [Effect]) {
    guard let screen = resources, index < screen.collection.count else { return }
    resources?.isUntouched = false
    resources?.collection.select(index, at: now)
    resources?.collection.lifted = nil
    if screen.record.record.isLazy, screen.collection.geometry.layout == .list {
      openDetails(screen.record, selecting: index)
    } else {
      open(
        ViewerTarget(record: screen.record, index: index), screen.window.item(at: index), &effects)
    }
  }

  /// Scrolling has come to rest.
  mutating func rested(_ range: Range<Int>, _ effects: inout [Effect]) {
    guard let id = openRecord?.id, place == .resources || place == .details else { return }
    look(id, range, &effects)
  }

  mutating func look(_ id: RecordID, _ range: Range<Int>, _ effects: inout [Effect]) {
    if let looking, looking != id { effects.append(.lookAway(looking)) }
    looking = id
    lookingAt = range
    effects.append(.look(id, range))
  }
}
