import LibraryAPI
import Models
import Testing
import TestSupport
@testable import Engine

/// Several viewers on a few records, against the simplest reading of who wants what.
@Suite("Viewports, at random")
struct ViewportModelTests {
  @Test(
    "The actions always add up to what the viewers want, and tell nothing twice", arguments: 0..<20)
  func randomRun(seed: Int) {
    var run = ViewportRun(seed: UInt64(seed))
    run.play()
    #expect(run.faults.isEmpty, "\(run.faults.prefix(3)) with seed \(seed)")
  }
}

private struct ViewportRun {
  static let places = 40

  var random: SeededGenerator
  var book: ViewportTracker
  var now = 0.0
  var wake: Double?
  var faults: [String] = []
  /// What the actions have added up to.
  var told: [RecordID: [Precedence?]] = [:]

  /// Everything that a viewer has said of a record since it came, without repetitions.
  struct Look { let time: Double, range: Range<Int> }
  struct Key: Hashable { let viewer: UInt64, record: RecordID }
  var looks: [Key: [Look]] = [:]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    book = ViewportTracker(rest: 0.06, prefetch: Int.random(in: 0...5, using: &random))
  }

  mutating func play() {
    for _ in 0..<700 where faults.isEmpty {
      step()
      compare()
    }
  }

  private mutating func step() {
    passTime(to: now + Double.random(in: 0...0.1, using: &random))
    let viewer = UInt64.random(in: 0..<4, using: &random)
    let record = RecordID(Int64.random(in: 0..<3, using: &random))
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      looks = looks.filter { $0.key.viewer != viewer }
      send(.rangeCleared(ViewerID(viewer), nil))
    case 1, 2:
      looks[Key(viewer: viewer, record: record)] = nil
      send(.rangeCleared(ViewerID(viewer), record))
    case 3:
      looks = looks.filter { $0.key.record != record }
      told[record] = nil
      send(.removed(record))
    case 4: send(.tick)
    default: look(Key(viewer: viewer, record: record))
    }
  }

  private mutating func look(_ key: Key) {
    let start = Int.random(in: 0..<Self.places - 6, using: &random)
    var range = start..<start + Int.random(in: 0...6, using: &random)
    let said = looks[key, default: []]
    if Bool.random(using: &random), let old = said.suffix(2).randomElement(using: &random) {
      range = old.range
    }
    if range.isEmpty { range = 0..<0 }
    if said.last?.range != range { looks[key, default: []].append(Look(time: now, range: range)) }
    send(.rangeShown(ViewerID(key.viewer), key.record, range))
  }

  /// As the engine does: ticks when it was told to.
  private mutating func passTime(to time: Double) {
    while let due = wake, due <= time {
      now = due
      send(.tick)
    }
    now = time
  }

  private mutating func send(_ event: ViewportTracker.Event) {
    let action = book.handle(event, now: now)
    wake = action.wake
    if let wake, wake <= now { faults.append("woken for nothing") }
    for (record, range, precedence) in action.raise { note(record, range, precedence) }
    for (record, range) in action.lower { note(record, range, nil) }
  }

  private mutating func note(_ record: RecordID, _ range: Range<Int>, _ precedence: Precedence?) {
    if range.isEmpty { faults.append("nothing was told") }
    for place in range {
      var precedences = told[record] ?? Self.nothing
      if precedences[place] == precedence { faults.append("\(place) was told twice") }
      precedences[place] = precedence
      told[record] = precedences
    }
  }

  private static let nothing = [Precedence?](repeating: nil, count: places + 20)

  /// The last range that was kept to for long enough.
  private func range(_ looks: [Look]) -> Range<Int> {
    let ends = looks.dropFirst().map(\.time) + [now]
    let kept = Array(zip(looks, ends)).last { $0.time + book.rest <= $1 }
    return kept?.0.range ?? 0..<0
  }

  private mutating func compare() {
    for number in 0..<3 {
      let record = RecordID(Int64(number))
      var expected = Self.nothing
      for (key, looks) in looks where key.record == record {
        let range = range(looks)
        guard !range.isEmpty else { continue }
        for place in expected.indices {
          let isNear =
            place >= range.lowerBound - book.prefetch
            && place < range.upperBound + book.prefetch
          let precedence: Precedence? =
            range.contains(place) ? .visible : isNear ? .prefetch : nil
          expected[place] = [expected[place], precedence].compactMap(\.self).min()
        }
      }
      if told[record] ?? Self.nothing != expected { faults.append("record \(number) at \(now)") }
      let asked = expected.indices.map { book.precedence(of: $0, in: record) }
      if asked != expected { faults.append("asked for record \(number) at \(now)") }
    }
  }
}
