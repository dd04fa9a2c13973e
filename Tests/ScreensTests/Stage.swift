import Models
import ProgressTree
import Terminal

@testable import Screens

/// A state with a clock, and a library of rows that answers what the state asks for.
struct Stage {
  var state: State
  var now = 100.0
  /// Everything that was asked for and is not answered by the stage itself.
  var effects: [Effect] = []
  /// Rows that were read, for the price of things.
  var rowsRead = 0
  var library: FakeRows

  init(
    _ columns: Int, _ rows: Int, library: FakeRows = FakeRows(), defaultSource: String = ""
  ) {
    self.library = library
    state = State(
      ScreenSettings(libraryName: "~/pictures", defaultSource: defaultSource),
      size: Size(columns, rows))
    send(.tick)
  }

  /// Inputs until nothing is asked for any more.
  mutating func send(_ inputs: Input...) {
    for input in inputs { step(input) }
  }

  private mutating func step(_ input: Input) {
    var answers: [Input] = []
    for effect in state.reduce(input, at: now) {
      if let answer = library.answer(effect, &rowsRead) {
        answers.append(answer)
      } else {
        effects.append(effect)
      }
    }
    for answer in answers { step(answer) }
  }

  mutating func press(_ keys: String...) {
    for key in keys { send(.terminal(.key(Self.key(key)))) }
  }

  /// As a terminal sends the stroke of the key table.
  mutating func press(_ stroke: KeyStroke) {
    let key: Key =
      switch stroke.key {
      case .character(let character): .character(character)
      case .up: .up
      case .down: .down
      case .left: .left
      case .right: .right
      case .home: .home
      case .end: .end
      case .pageUp: .pageUp
      case .pageDown: .pageDown
      case .enter: .enter
      case .escape: .escape
      case .tab: .tab
      case .backspace: .backspace
      case .delete: .delete
      case .function(let number): .function(number)
      }
    send(.terminal(.key(KeyEvent(key, stroke.hasControl ? .control : []))))
  }

  mutating func type(_ text: String) {
    for character in text { send(.terminal(.key(KeyEvent(.character(character))))) }
  }

  mutating func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int) {
    send(.terminal(.mouse(MouseEvent(action, at: Point(column, row)))))
  }

  mutating func click(_ column: Int, _ row: Int) {
    mouse(.press(.left), column, row)
    mouse(.release(.left), column, row)
  }

  mutating func resize(_ columns: Int, _ rows: Int) {
    send(.terminal(.resize(Size(columns, rows))))
  }

  /// Lets time pass, with the ticks that the state wants.
  mutating func pass(_ seconds: Double) {
    let end = now + seconds
    while let wake = state.wake, wake <= end {
      now = max(now, wake)
      send(.tick)
    }
    now = end
  }

  /// What was asked for since the last time.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// The screen as text, without spaces at the ends of lines.
  var lines: [String] {
    let buffer = state.draw().buffer
    return (0..<buffer.height).map { buffer.text(ofRow: $0) }
  }

  var text: String { lines.joined(separator: "\n") }

  /// The screen of that kind, where it is open.
  func screen<Kind: Screen>(_ kind: Kind.Type) -> Kind? { state.screens.screen(kind) }

  var records: RecordsScreen { state.screens.records }
  var path: [ScreenKind] { state.screens.path }

  /// Where a text is on the screen.
  func find(_ text: String) -> Point? {
    for (row, line) in lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return Point(TextWidth.columns(String(line[..<range.lowerBound])), row)
    }
    return nil
  }

  private static func key(_ name: String) -> KeyEvent {
    switch name {
    case "enter": KeyEvent(.enter)
    case "escape": KeyEvent(.escape)
    case "tab": KeyEvent(.tab)
    case "backspace": KeyEvent(.backspace)
    case "up": KeyEvent(.up)
    case "down": KeyEvent(.down)
    case "left": KeyEvent(.left)
    case "right": KeyEvent(.right)
    case "home": KeyEvent(.home)
    case "end": KeyEvent(.end)
    case "pageup": KeyEvent(.pageUp)
    case "pagedown": KeyEvent(.pageDown)
    default:
      name.count == 2 && name.first == "^"
        ? KeyEvent(.character(name.last ?? " "), .control) : KeyEvent(.character(name.first ?? " "))
    }
  }
}

/// Records and resources made up as they are asked for.
struct FakeRows {
  var records: [RecordItem] = []
  /// Of each record.
  var resource: @Sendable (RecordID, Int) -> Resource = { Self.resource($0, $1) }

  static func record(
    _ number: Int, _ title: String, total: Int, finished: Int = 0, failed: Int = 0,
    cancelled: Int = 0, isLazy: Bool = false, isSeries: Bool = false, nextPage: String? = nil,
    isPaused: Bool = false, origin: String = "birds.example", folder: String? = nil
  ) -> RecordItem {
    var counts = ResourceCounts()
    counts.queued = total - finished - failed
    (counts.finished, counts.failed) = (finished, failed)
    let record = Record(
      id: RecordID(Int64(number)), source: SourceID(1), title: title, folder: folder ?? title,
      isPaused: isPaused, isLazy: isLazy, counts: counts)
    return RecordItem(
      record: record, number: number, isSeries: isSeries, nextPage: nextPage, origin: origin,
      cancelled: cancelled)
  }

  static func resource(
    _ record: RecordID, _ index: Int, state: ResourceState = .finished, pages: Int = 1,
    format: ResourceFormat = .jpeg, reason: String? = nil, title: String? = nil
  ) -> Resource {
    var timings = TransferTimings()
    (timings.queue, timings.request, timings.firstByte, timings.lastByte) = (0, 2, 20, 85)
    let file = StoredFile(
      name: "\(index + 1)-bird.jpg", byteCount: 48_213, digest: Digest(hashing: index),
      format: format, timings: timings)
    return Resource(
      id: ResourceID(record.rawValue * 1_000_000 + Int64(index)), record: record, index: index + 1,
      url: "http://birds.example/\(index + 1).jpg", title: title ?? "bird \(index + 1)",
      state: state, reason: reason, file: state == .queued ? nil : file,
      pageCount: state == .queued ? 0 : pages)
  }

  func answer(_ effect: Effect, _ rowsRead: inout Int) -> Input? {
    switch effect {
    case .loadRecords(let range, let ids):
      let wanted = ids.map { ids in ids.compactMap { id in records.first { $0.id == id } } }
      let items = wanted ?? Array(records[range.clamped(to: 0..<records.count)])
      rowsRead += items.count
      return .records(range, items, count: records.count, isArranged: ids != nil)
    case .sortRecords(let arrangement):
      var found = records.filter {
        arrangement.filter.isEmpty
          || $0.record.title.lowercased().contains(arrangement.filter.lowercased())
      }
      if arrangement.order == .title { found.sort { $0.record.title < $1.record.title } }
      if arrangement.isReversed { found.reverse() }
      return .recordsSorted(arrangement, found.map(\.id))
    case .loadResources(let record, let range, let ids):
      let count = total(record)
      let indexes =
        ids.map { $0.map { Int($0.rawValue - record.rawValue * 1_000_000) } }
        ?? Array(range.clamped(to: 0..<count))
      rowsRead += indexes.count
      return .resources(record, range, indexes.map { resource(record, $0) }, count: count)
    case .sortResources(let record, let order):
      let ids = (0..<total(record)).map { resource(record, $0).id }
      return .resourcesSorted(record, order, order.isReversed ? ids.reversed() : ids)
    case .loadSlices(let record):
      return .slices(record, (0..<total(record)).map { Slice(resource(record, $0)) })
    default: return nil
    }
  }

  private func total(_ record: RecordID) -> Int {
    records.first { $0.id == record }?.record.counts.total ?? 0
  }
}

extension Digest {
  init(hashing number: Int) { self.init(words: (UInt64(number), 0, 0, 0)) }
}
