import Models
import Terminal

/// The viewer of a series: one slice at a time, all of them under a slider.
struct SlicesScreen: Sendable {
  var record: RecordItem
  private(set) var slices: [Slice] = []
  private(set) var position = 0
  /// The way of the last step: -1 or 1.
  private(set) var heading = 1
  var isInverted = false
  var turns = 0
  var zoom = PictureZoom()
  var showsInfo = false
  /// Images a second, by its place in `rates`.
  private(set) var rate = rates.count - 1
  /// When the next image of the cine is due; nil: it stands.
  private(set) var nextFrame: Double?
  /// Images that the cine had no time to show.
  private(set) var dropped = 0
  /// Moved, and the engine was not told yet.
  private(set) var movedAt: Double?
  var wantedPosition: Int?

  static let rates = [5.0, 10, 15, 24, 30]

  init(_ record: RecordItem) { self.record = record }

  var isPlaying: Bool { nextFrame != nil }
  var imagesPerSecond: Double { Self.rates[rate] }
  var current: Slice? { slices.indices.contains(position) ? slices[position] : nil }
  var wake: Double? {
    [nextFrame, movedAt.map { $0 + CollectionView.rest }].compactMap(\.self).min()
  }

  mutating func receive(_ new: [Slice]) {
    slices = new
    position = min(wantedPosition ?? position, max(0, new.count - 1))
    wantedPosition = nil
  }

  mutating func go(to index: Int, at now: Double) {
    let target = min(max(0, index), max(0, slices.count - 1))
    guard target != position else { return }
    heading = target > position ? 1 : -1
    position = target
    movedAt = now
    wantedPosition = nil
  }

  /// Where it was left; not where somebody has moved meanwhile.
  mutating func restore(_ index: Int) {
    guard position == 0, movedAt == nil, !isPlaying else { return }
    if slices.isEmpty {
      wantedPosition = index
    } else {
      position = min(max(0, index), slices.count - 1)
    }
  }

  mutating func play(_ isOn: Bool, at now: Double) {
    nextFrame = isOn && slices.count > 1 ? now + 1 / imagesPerSecond : nil
    dropped = 0
  }

  mutating func changeRate(by step: Int, at now: Double) {
    rate = min(max(0, rate + step), Self.rates.count - 1)
    if isPlaying { play(true, at: now) }
  }

  /// The cine goes on in step with the clock: what it has no time for is left out, and counted.
  mutating func advance(to now: Double) {
    guard let due = nextFrame, now >= due, slices.count > 1 else { return }
    let steps = 1 + Int(min(1e6, (now - due) * imagesPerSecond))
    dropped += steps - 1
    position = (position + steps) % slices.count
    heading = 1
    nextFrame = due + Double(steps) / imagesPerSecond
    movedAt = now
  }

  /// - Returns: whether it rests since just now.
  mutating func settle(at now: Double) -> Bool {
    guard let moved = movedAt, now >= moved + CollectionView.rest, !isPlaying else { return false }
    movedAt = nil
    return true
  }

  /// From the position outwards, what lies ahead first.
  func order(limit: Int) -> [Int] {
    guard !slices.isEmpty else { return [] }
    var order = [position]
    var distance = 1
    while order.count < limit, distance < slices.count {
      for side in [heading, -heading] {
        let index = position + side * distance
        if slices.indices.contains(index) { order.append(index) }
      }
      distance += 1
    }
    return order
  }
}

extension State {
  mutating func openSlices(_ item: RecordItem, _ effects: inout [Effect]) {
    slices = SlicesScreen(item)
    path.append(.slices)
    effects.append(.loadSlices(item.id))
    look(item.id, 0..<max(1, min(item.record.counts.total, Slice.limit)), &effects)
  }

  mutating func slicesCommand(_ command: Command, _ effects: inout [Effect]) {
    guard let screen = slices else { return }
    let page = max(1, screen.slices.count / 10)
    switch command {
    case .back: return back(&effects)
    case .cine: slices?.play(!screen.isPlaying, at: now)
    case .faster: slices?.changeRate(by: 1, at: now)
    case .slower: slices?.changeRate(by: -1, at: now)
    case .invert: slices?.isInverted.toggle()
    case .rotate: slices?.turns = (screen.turns + 1) % 4
    case .info: slices?.showsInfo.toggle()
    case .zoomIn: slices?.zoom.change(by: 1.25)
    case .zoomOut: slices?.zoom.change(by: 0.8)
    case .fit: slices?.zoom.fit()
    case .layout:
      openResources(screen.record)
      resources?.pendingSelection = screen.position
    case .first: goToSlice(0)
    case .last: goToSlice(screen.slices.count - 1)
    case .pageUp: moveSlice(by: -page)
    case .pageDown: moveSlice(by: page)
    case .left, .right, .up, .down:
      if screen.zoom.isZoomed, command == .left || command == .right {
        slices?.zoom.pan(command)
      } else {
        moveSlice(by: command == .down || command == .right ? 1 : -1)
      }
    default: break
    }
  }

  mutating func moveSlice(by steps: Int) {
    guard let position = slices?.position else { return }
    goToSlice(position + steps)
  }

  mutating func goToSlice(_ index: Int) {
    slices?.play(false, at: now)
    slices?.go(to: index, at: now)
  }

  /// Longest side in pixels in which slices are decoded: that of the window, and no more than what
  /// lets all of them stay in memory, so that every step is one frame (SV2).
  var sliceSide: Int {
    let area = ScreenLayout(self).content
    let window = max(area.columns * cellPixels.columns, area.rows * cellPixels.rows)
    let share = pictures.byteLimit / 10 * 8 / max(1, slices?.slices.count ?? 1)
    let affordable = Int((Double(share) / 4).squareRoot())
    return max(64, min(PictureKey.roundedSide(window), affordable / 32 * 32))
  }

  func sliceKey(_ slice: Slice, side: Int) -> PictureKey? {
    guard slice.hasFile else { return nil }
    return PictureKey(
      resource: slice.id, stamp: slice.stamp, side: side, turns: slices?.turns ?? 0,
      isInverted: slices?.isInverted ?? false)
  }

  /// What is shown at the position: its own picture, its own error, or the nearest picture (SV2,
  /// SV5).
  enum ShownSlice {
    case own(Picture)
    case nearest(Picture, Int)
    case error(String)
    case nothing
  }

  var shownSlice: ShownSlice {
    guard let screen = slices, let slice = screen.current else { return .nothing }
    let side = sliceSide
    if slice.isCancelled { return .nothing }
    if slice.state == .failed { return .error(slice.reason ?? "not available") }
    if let key = sliceKey(slice, side: side) {
      if let picture = pictures.picture(key) { return .own(picture) }
      if let problem = pictures.problem(key) { return .error(problem) }
    }
    for index in screen.order(limit: screen.slices.count).dropFirst() {
      let other = screen.slices[index]
      if other.state != .failed, let key = sliceKey(other, side: side),
        let picture = pictures.picture(key)
      {
        return .nearest(picture, index)
      }
    }
    return .nothing
  }
}
