import Models
import Terminal

/// Where the viewer opens.
struct ViewerTarget: Sendable, Equatable {
  var record: RecordItem
  /// Of the resource in the record.
  var index: Int
  /// The resource, where the index may be another one's.
  var wantedID: ResourceID?
}

/// Screen 3: all images of a record, one at a time, the pages of PDF and ZIP files in place.
struct ViewerScreen: Sendable {
  var record: RecordItem
  /// Of the resource in the record.
  private(set) var index: Int
  /// Of the page in the resource, from 0.
  private(set) var page = 0
  private(set) var count = 0
  var window = ItemWindow<Resource>()
  /// All of the record, for the slider.
  private(set) var places: [Slice] = []
  /// Of the current resource, for the information.
  var pages: (id: ResourceID, pages: [Page])?
  var zoom = PictureZoom()
  /// The picture that was shown last: it stays while the next one is being decoded.
  var former: Picture?
  var turns = 0
  /// The next image is to the left.
  var isRightToLeft = false
  var showsInfo = false
  /// Which resource is meant, until its place is known.
  var wantedID: ResourceID?
  /// The page before the first one of a resource is the last one of that before.
  private var wantsLastPage = false
  private var movedAt: Double?
  private var now = 0.0

  init(_ record: RecordItem, at index: Int, now: Double) {
    self.record = record
    self.index = index
    count = max(record.record.counts.total, index + 1)
    movedAt = now
    self.now = now
  }

  var current: Resource? { window.item(at: index) }
  var pageCount: Int { max(1, current?.pageCount ?? 1) }
  var wake: Double? { movedAt.map { $0 + CollectionView.rest } }

  mutating func receive(_ range: Range<Int>, _ items: [Resource], count total: Int) {
    guard window.receive(range, items, count: total) else { return }
    count = total
    index = min(index, max(0, total - 1))
    if wantsLastPage, current != nil {
      page = pageCount - 1
      wantsLastPage = false
    }
    page = min(page, pageCount - 1)
  }

  mutating func receive(_ new: [Slice]) {
    places = new
    guard let id = wantedID, let place = new.firstIndex(where: { $0.id == id }) else { return }
    wantedID = nil
    index = place
  }

  mutating func go(to place: Int) {
    let target = min(max(0, place), max(0, count - 1))
    guard target != index || page != 0 else { return }
    index = target
    begin(page: 0)
  }

  mutating func next() {
    if page + 1 < pageCount {
      begin(page: page + 1)
    } else if index + 1 < count {
      go(to: index + 1)
    }
  }

  mutating func previous() {
    if page > 0 {
      begin(page: page - 1)
    } else if index > 0 {
      index -= 1
      begin(page: 0)
      wantsLastPage = current == nil
      if !wantsLastPage { page = pageCount - 1 }
    }
  }

  private mutating func begin(page new: Int) {
    page = new
    wantsLastPage = false
    wantedID = nil
    zoom.startPage()
    movedAt = now
  }

  mutating func know(_ time: Double) { now = time }

  /// - Returns: whether it rests since just now.
  mutating func settle() -> Bool {
    guard let moved = movedAt, now >= moved + CollectionView.rest else { return false }
    movedAt = nil
    return true
  }

  /// What comes next and what was before, by resource and page, nearest first.
  var neighbours: [(index: Int, page: Int)] {
    var neighbours: [(index: Int, page: Int)] = []
    var place = (index: index, page: page)
    for _ in 1...2 {
      let pages = max(1, window.item(at: place.index)?.pageCount ?? 1)
      place = place.page + 1 < pages ? (place.index, place.page + 1) : (place.index + 1, 0)
      neighbours.append(place)
    }
    if page > 0 {
      neighbours.append((index, page - 1))
    } else if index > 0 {
      neighbours.append((index - 1, max(1, window.item(at: index - 1)?.pageCount ?? 1) - 1))
    }
    return neighbours.filter { $0.index < count }
  }
}

extension State {
  mutating func openViewer(_ target: ViewerTarget, _ effects: inout [Effect]) {
    pictures.beginViewing()
    viewer = ViewerScreen(target.record, at: target.index, now: now)
    viewer?.wantedID = target.wantedID
    path.append(.viewer)
    effects.append(.loadSlices(target.record.id))
  }

  mutating func viewerCommand(_ command: Command, _ effects: inout [Effect]) {
    guard let screen = viewer else { return }
    viewer?.know(now)
    switch command {
    case .back: back(&effects)
    case .open: askForPassword()
    case .next: viewer?.next()
    case .previous: viewer?.previous()
    case .nextResource: viewer?.go(to: screen.index + 1)
    case .previousResource: viewer?.go(to: screen.index - 1)
    case .first: viewer?.go(to: 0)
    case .last: viewer?.go(to: screen.count - 1)
    case .pageDown: viewer?.go(to: screen.index + 10)
    case .pageUp: viewer?.go(to: screen.index - 10)
    case .zoomIn: viewer?.zoom.change(by: 1.25)
    case .zoomOut: viewer?.zoom.change(by: 0.8)
    case .fit: viewer?.zoom.fit()
    case .rotate: viewer?.turns = (screen.turns + 1) % 4
    case .direction:
      viewer?.isRightToLeft.toggle()
      tell(
        screen.isRightToLeft ? "Reading from left to right" : "Reading from right to left",
        isOfScreen: true)
    case .info:
      viewer?.showsInfo.toggle()
      if let id = screen.current?.id { effects.append(.loadPages(id)) }
    case .left, .right, .up, .down: moveInViewer(command, screen)
    default: break
    }
  }

  private mutating func moveInViewer(_ command: Command, _ screen: ViewerScreen) {
    if screen.zoom.isZoomed {
      viewer?.zoom.pan(command)
    } else if command == .up || command == .down {
      if command == .down { viewer?.next() } else { viewer?.previous() }
    } else if (command == .right) != screen.isRightToLeft {
      viewer?.next()
    } else {
      viewer?.previous()
    }
  }

  /// Longest side in pixels in which a page is decoded.
  var viewerSide: Int {
    let area = ScreenLayout(self).content
    let window = Double(max(area.columns * cellPixels.columns, area.rows * cellPixels.rows))
    let zoom = viewer?.zoom
    let factor = max(zoom?.factor ?? 1, zoom?.base == .width ? 2 : 1)
    return PictureKey.roundedSide(Int(min(4_096, window * factor)))
  }

  /// nil also of a document whose password was forgotten.
  func viewerKey(_ resource: Resource, page: Int, side: Int) -> PictureKey? {
    guard !pictures.isLockedAgain(resource), var key = PictureKey(resource, side: side) else {
      return nil
    }
    key.page = page
    key.turns = viewer?.turns ?? 0
    return key
  }

  /// The page in the resolution that is wanted, else in one that is here.
  func viewerPicture(_ resource: Resource, page: Int) -> Picture? {
    let side = viewerSide
    var candidates = [side]
    while let last = candidates.last, last > 64 {
      candidates.append(PictureKey.roundedSide(last / 2))
    }
    for side in candidates {
      if let key = viewerKey(resource, page: page, side: side), let found = pictures.picture(key) {
        return found
      }
    }
    return nil
  }
}
