import Models
import Terminal

/// The viewer of a series, which shows one slice at a time and a slider over all slices.
struct SlicesScreen: Screen {
  private var item: RecordItem
  private(set) var slices: [Slice] = []
  private(set) var playback = CinePlayback()
  private(set) var location = 0
  /// The direction of the last step: -1 or 1.
  private(set) var heading = 1
  private(set) var isInverted = false
  private(set) var turns = 0
  private(set) var zoom = ImageZoom()
  private(set) var showsInfo = false
  /// The time of the last movement that was not reported to the engine yet; nil if there is none.
  private var movedAt: Double?
  /// The remembered position, kept until the slices are loaded.
  private var pendingLocation: Int?

  let kind = ScreenKind.slices
  var record: RecordItem? { item }
  var position: Int? { location }
  var current: Slice? { slices.indices.contains(location) ? slices[location] : nil }
  /// The time of the next frame during cine playback, else the time at which a movement is reported; nil if
  /// neither is due.
  var wake: Double? { playback.nextFrame ?? movedAt.map { $0 + CollectionView.restSeconds } }

  init(_ record: RecordItem) { item = record }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    switch event {
    case .command(let command): return perform(command, context.now)
    case .wheelTurned(let lines): move(to: location + lines, context.now)
    case .positionChosen(let share):
      let last = Double(max(0, slices.count - 1))
      move(to: Int((share * last).rounded()), context.now)
    case .received(let input): return receive(input)
    case .itemPressed, .itemClicked, .itemLongPressed, .liftEnded, .headingPressed,
      .concurrencyChosen,
      .pasted, .typed, .unlocked, .uncovered:
      break
    }
    return []
  }

  mutating func layOut(in context: ScreenContext) {}

  mutating func advance(in context: ScreenContext) -> [ScreenAction] {
    guard slices.count > 1, let steps = playback.advance(to: context.now) else { return [] }
    location = (location + steps) % slices.count
    heading = 1
    movedAt = context.now
    return []
  }

  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction] {
    guard let moved = movedAt, context.now >= moved + CollectionView.restSeconds, !playback.isOn
    else {
      return []
    }
    movedAt = nil
    guard !item.record.isLazy else { return [] }
    return [.setVisibleRange(item.id, max(0, location - 2)..<(location + 6))]
  }

  /// The requests that the screen makes when it opens.
  var initialRequests: [ScreenAction] {
    [
      .perform(.loadSlices(item.id)),
      .setVisibleRange(item.id, 0..<max(1, min(item.record.counts.total, Slice.limit))),
    ]
  }

  // MARK: - Library updates

  private mutating func receive(_ input: Input) -> [ScreenAction] {
    switch input {
    case .records(_, let items, _, _): item.update(from: items)
    case .slices(item.id, let new):
      slices = new
      location = min(pendingLocation ?? location, max(0, new.count - 1))
      pendingLocation = nil
    case .changed(let change) where change.concerns(item.id):
      return [.perform(.loadSlices(item.id))]
    case .remembered(item.id, let index): restore(index)
    default: break
    }
    return []
  }

  /// Restores the remembered position, unless the user has moved meanwhile.
  private mutating func restore(_ index: Int) {
    guard location == 0, movedAt == nil, !playback.isOn else { return }
    if slices.isEmpty {
      pendingLocation = index
    } else {
      location = min(max(0, index), slices.count - 1)
    }
  }

  // MARK: - User actions

  private mutating func perform(_ command: Command, _ now: Double) -> [ScreenAction] {
    let page = max(1, slices.count / 10)
    switch command {
    case .back: return [.close]
    case .layout: return [.open(.resources(item, selecting: location))]
    case .cine: playback.run(!playback.isOn && slices.count > 1, at: now)
    case .faster: playback.changeRate(by: 1, at: now)
    case .slower: playback.changeRate(by: -1, at: now)
    case .invert: isInverted.toggle()
    case .rotate: turns = (turns + 1) % 4
    case .info: showsInfo.toggle()
    case .zoomIn: zoom.change(by: 1.25)
    case .zoomOut: zoom.change(by: 0.8)
    case .fit: zoom.fit()
    case .first: move(to: 0, now)
    case .last: move(to: slices.count - 1, now)
    case .pageUp: move(to: location - page, now)
    case .pageDown: move(to: location + page, now)
    case .left where zoom.isZoomed, .right where zoom.isZoomed: zoom.pan(command)
    case .left, .up: move(to: location - 1, now)
    case .right, .down: move(to: location + 1, now)
    default: break
    }
    return []
  }

  private mutating func move(to index: Int, _ now: Double) {
    playback.run(false, at: now)
    let target = min(max(0, index), max(0, slices.count - 1))
    guard target != location else { return }
    heading = target > location ? 1 : -1
    location = target
    movedAt = now
    pendingLocation = nil
  }

  /// Returns indexes by distance from the position; among equals, the one in the direction of movement first.
  func order(limit: Int) -> [Int] {
    guard !slices.isEmpty else { return [] }
    var order = [location]
    var distance = 1
    while order.count < limit, distance < slices.count {
      for side in [heading, -heading] {
        let index = location + side * distance
        if slices.indices.contains(index) { order.append(index) }
      }
      distance += 1
    }
    return order
  }
}
