import Models
import Terminal

/// The viewer (screen 3), which shows one image of a record at a time, and PDF and ZIP files page by page.
struct ViewerScreen: Screen {
  private var item: RecordItem
  private(set) var window = ItemWindow<Resource>()
  /// The current image and page.
  private(set) var location: PageLocation
  /// All images of the record, for the slider.
  private(set) var slices: [Slice] = []
  /// The pages of the current resource, for the information box, and for an archive that is not downloaded.
  private(set) var pages: (id: ResourceID, pages: [Page])?
  /// Whether the pages were requested while the resource was an archive that is not downloaded.
  private var arePagesRemote = false
  private(set) var zoom = ImageZoom()
  /// The last image shown, which remains until the next one is decoded.
  private(set) var previousImage: Image?
  private(set) var turns = 0
  /// Whether the user reads from right to left, so that the left key shows the next image.
  private(set) var isRightToLeft = false
  private(set) var showsInfo = false
  /// The identifier of the resource to show, until its index is known.
  private var wantedID: ResourceID?
  /// The time of the last movement that was not reported to the engine yet; nil if there is none.
  private var movedAt: Double?

  /// The number of images before the last one at which the next page of the source is requested. Other
  /// screens use a screenful, but the viewer shows one image at a time.
  private static let imagesAhead = 5

  let kind = ScreenKind.viewer
  var record: RecordItem? { item }
  var wake: Double? { movedAt.map { $0 + CollectionView.restSeconds } }
  var position: Int? { location.index }
  var current: Resource? { window.item(at: location.index) }

  init(_ target: ViewerTarget, at now: Double) {
    item = target.record
    location = PageLocation(
      index: target.index, count: max(target.record.record.counts.total, target.index + 1))
    wantedID = target.wantedID
    movedAt = now
  }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    switch event {
    case .command(let command): return perform(command, in: context)
    case .wheelTurned(let lines): return perform(lines < 0 ? .previous : .next, in: context)
    case .positionChosen(let share):
      let last = Double(max(0, location.count - 1))
      move(context.now) { $0.move(to: Int((share * last).rounded())) }
    case .received(let input): return receive(input)
    case .unlocked(let id): window.unlock(id)
    case .itemPressed, .itemClicked, .itemLongPressed, .liftEnded, .headingPressed,
      .concurrencyChosen,
      .pasted, .typed, .uncovered:
      break
    }
    return []
  }

  mutating func layOut(in context: ScreenContext) {}

  mutating func advance(in context: ScreenContext) -> [ScreenAction] { [] }

  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction] {
    let index = location.index
    var actions: [ScreenAction] = []
    if let range = window.nextRequest(for: index..<(index + 1)) {
      actions.append(.perform(.loadResources(item.id, range, ids: nil)))
    }
    if let current, let image = image(of: current, location.page, in: context) {
      previousImage = image
    }
    if let moved = movedAt, context.now >= moved + CollectionView.restSeconds {
      movedAt = nil
      // The range includes the next two images, so that the engine downloads them ahead.
      actions.append(.setVisibleRange(item.id, max(0, index - 1)..<(index + 3)))
    }
    // An archive that was downloaded meanwhile has its pages in the store.
    if let current, showsInfo || current.hasRemotePages,
      pages?.id != current.id || arePagesRemote != current.hasRemotePages
    {
      let id = current.id
      arePagesRemote = current.hasRemotePages
      pages = (id, [])
      actions.append(.perform(.loadPages(id)))
    }
    return actions
  }

  func isNearEnd() -> Bool {
    let total = item.record.counts.total
    return location.count == total && location.index + Self.imagesAhead >= total
  }

  // MARK: - Library updates

  private mutating func receive(_ input: Input) -> [ScreenAction] {
    switch input {
    case .records(_, let items, _, _): item.update(from: items)
    case .resources(item.id, let range, let resources, let count):
      guard window.receive(range, resources, count: count) else { return [] }
      let pageCounts = pageCounts
      location.receive(count: count, pageCount: pageCounts)
    case .pages(let id, let pages) where id == current?.id: self.pages = (id, pages)
    case .slices(item.id, let new):
      slices = new
      guard let id = wantedID, let index = new.firstIndex(where: { $0.id == id }) else { break }
      wantedID = nil
      location.correct(index: index)
    case .changed(let change) where change.concerns(item.id):
      window.invalidate()
      return [.perform(.loadSlices(item.id))]
    default: break
    }
    return []
  }

  /// Returns the page count of an image, or nil if it is unknown. An archive that is not downloaded has the pages
  /// that were read from its server.
  var pageCounts: (Int) -> Int? {
    let (window, pages) = (window, pages)
    return { index in
      guard let resource = window.item(at: index) else { return nil }
      if resource.hasRemotePages, let pages, pages.id == resource.id, !pages.pages.isEmpty {
        return pages.pages.count
      }
      return resource.pageCount
    }
  }

  // MARK: - User actions

  private mutating func perform(
    _ command: Command, in context: ScreenContext
  ) -> [ScreenAction] {
    let now = context.now
    switch command {
    case .back: return [.close]
    case .open:
      guard let current, context.images.needsPassword(current) else { return [] }
      return [.askForPassword(of: current, in: item, opening: nil)]
    case .next: moveForward(now)
    case .previous: moveBack(now)
    case .nextResource: move(now) { $0.move(to: $0.index + 1) }
    case .previousResource: move(now) { $0.move(to: $0.index - 1) }
    case .first: move(now) { $0.move(to: 0) }
    case .last: move(now) { $0.move(to: $0.count - 1) }
    case .pageDown: move(now) { $0.move(to: $0.index + 10) }
    case .pageUp: move(now) { $0.move(to: $0.index - 10) }
    case .zoomIn: zoom.change(by: 1.25)
    case .zoomOut: zoom.change(by: 0.8)
    case .fit: zoom.fit()
    case .rotate: turns = (turns + 1) % 4
    case .direction:
      isRightToLeft.toggle()
      let text = isRightToLeft ? "Reading from right to left" : "Reading from left to right"
      return [.notify(text, isOfScreen: true)]
    case .info:
      showsInfo.toggle()
      return current.map { [.perform(.loadPages($0.id))] } ?? []
    case .left, .right, .up, .down: moveOrPan(command, now)
    default: break
    }
    return []
  }

  private mutating func moveOrPan(_ command: Command, _ now: Double) {
    if zoom.isZoomed {
      zoom.pan(command)
    } else if command == .down || command == (isRightToLeft ? .left : .right) {
      moveForward(now)
    } else {
      moveBack(now)
    }
  }

  private mutating func moveForward(_ now: Double) {
    let pages = pageCounts(location.index)
    move(now) { $0.advance(pageCount: pages) }
  }

  private mutating func moveBack(_ now: Double) {
    let pageCounts = pageCounts
    move(now) { $0.goBack(pageCount: pageCounts) }
  }

  /// - Parameter step: Moves the location, and returns whether the page has changed.
  private mutating func move(_ now: Double, _ step: (inout PageLocation) -> Bool) {
    guard step(&location) else { return }
    wantedID = nil
    zoom.startPage()
    movedAt = now
  }
}
