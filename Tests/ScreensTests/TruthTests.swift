import Models
import ProgressTree
import Terminal
import Testing

@testable import Screens

@Suite("What the screens say is true")
struct TruthTests {
  static func library(
    isLazy: Bool = false, isPaused: Bool = false, isSeries: Bool = false
  ) -> FakeRows {
    var rows = FakeRows(records: [
      FakeRows.record(
        1, "Birds", total: 12, finished: 8, failed: 2, cancelled: 1, isLazy: isLazy,
        isSeries: isSeries, isPaused: isPaused)
    ])
    rows.resource = { record, index in
      switch index {
      case 0, 1: FakeRows.resource(record, index, state: .queued)
      case 2: FakeRows.resource(record, index, state: .failed, pages: 0, reason: "cancelled")
      case 3: FakeRows.resource(record, index, state: .failed, pages: 0, reason: "HTTP 404")
      case 7: FakeRows.resource(record, index, pages: 5, format: .pdf)
      default: FakeRows.resource(record, index)
      }
    }
    return rows
  }

  static func stage(_ library: FakeRows, isPaused: Bool = false, lost: Bool = false) -> Stage {
    var stage = Stage(120, 40, library: library)
    var facts = LibrarySnapshot()
    (facts.counts.queued, facts.counts.finished, facts.counts.failed) = (2, 8, 2)
    (facts.waiting, facts.isPaused, facts.cancelled) = (2, isPaused, 1)
    stage.send(.snapshot(facts))
    if lost { stage.send(.lost("imgdld was stopped: downloads have stopped")) }
    return stage
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var record: String
    var tile: String
    var isLazy = false
    var isPaused = false
    var isLibraryPaused = false
    var isLost = false

    var testDescription: String { "\(record), \(tile)" }
  }

  @Test(
    "a record and its tiles wait only for events that will happen",
    arguments: [
      Case(record: "Queuing...", tile: "Queueing"),
      Case(record: "On demand", tile: "On demand", isLazy: true),
      Case(record: "Paused", tile: "Paused", isPaused: true),
      Case(record: "Paused", tile: "Paused", isLibraryPaused: true),
      Case(record: "Stopped", tile: "Stopped", isLost: true),
    ])
  func waiting(_ example: Case) {
    var stage = Self.stage(
      Self.library(isLazy: example.isLazy, isPaused: example.isPaused),
      isPaused: example.isLibraryPaused, lost: example.isLost)
    #expect(stage.lines[2].contains(example.record))
    stage.press("enter")
    stage.pass(1)
    #expect(stage.lines[0].contains(example.record))
    let tiles = stage.lines.dropFirst().joined(separator: "\n")
    #expect(tiles.contains(example.tile))
    #expect(example.tile == "Queueing" || !tiles.contains("Queueing"))
  }

  @Test("stopped work says how it is continued, and is continued in that way")
  func continuing() {
    var stage = Self.stage(Self.library(), lost: true)
    #expect(stage.text.contains("downloads have stopped; p continues"))
    #expect(stage.find("p Continue") != nil)
    stage.press("p")
    let effects = stage.takeEffects()
    #expect(effects == [.perform(.start)])
    stage.send(.owner(.other("imgdld")))
    #expect(stage.text.contains("Queuing..."))
    #expect(stage.find("p Pause") != nil)
  }

  @Test("a library that is open for reading does not show resources as queued")
  func readOnly() {
    var stage = Self.stage(Self.library())
    stage.send(.owner(.noProcess))
    #expect(stage.lines[2].contains("Stopped"))
  }

  @Test("cancelled is distinguished from failed, and from finished")
  func cancelled() {
    var stage = Self.stage(Self.library())
    #expect(stage.lines[2].contains("8/12, 1 failed, 1 cancelled"))
    #expect(stage.text.contains("8/12 · 1 failed · 1 cancelled"))
    stage.press("enter")
    stage.pass(1)
    #expect(stage.find("Cancelled") != nil && stage.find("Error") != nil)
    stage.press("right", "right")
    #expect(!stage.text.contains("bird 3: cancelled"))
    stage.press("right")
    #expect(stage.text.contains("bird 4: HTTP 404"))
    #expect(stage.find("t Retry").flatMap { stage.state.draw().target(at: $0) } != nil)
  }

  @Test("a cancelled slice has not failed, and a paused one is not loading")
  func slices() {
    var stage = Self.stage(Self.library(isPaused: true, isSeries: true))
    stage.press("enter")
    #expect(stage.state.screenKind == .slices)
    #expect(stage.text.contains("Paused 8/12"))
    #expect(!stage.text.contains("Loading"))
    stage.press("down", "down")
    #expect(stage.text.contains("Cancelled"))
    stage.press("down")
    #expect(stage.text.contains("HTTP 404"))
  }

  @Test("a page has one number in every program, and pages are named alike")
  func numbers() {
    var stage = Self.stage(Self.library())
    stage.press("enter")
    stage.pass(1)
    #expect(stage.text.contains("48.2 kB · 5 pages"))
    for _ in 0..<7 { stage.press("right") }
    stage.press("enter", " ", " ", "i")
    #expect(stage.lines[0].contains("page 3/5  8/12"))
    #expect(stage.text.contains("1:8.3"))
    #expect(stage.text.contains("Number"))
  }

  @Test("a message is shown completely, on lines above if needed", arguments: [40, 60, 80])
  func messages(_ columns: Int) {
    var stage = Stage(columns, 12, library: Self.library())
    stage.send(
      .notice(
        "Already in the library; appended again: 2 records, 18 resources; R refreshes instead"))
    #expect(stage.text.contains("Already in the library"))
    #expect(stage.text.contains("instead"))
    let url = "http://birds.example/" + String(repeating: "a", count: 300)
    stage.send(.failed("\(url): HTTP 404 Not Found"))
    #expect(stage.lines.count { $0.contains("aaaaaaaa") } == 3)
    #expect(stage.text.contains("…"))
    stage.pass(20)
    #expect(!stage.text.contains("aaaa"))
  }

  @Test("the screen shows the program that downloads, and no process number")
  func owner() {
    var stage = Self.stage(Self.library())
    stage.send(.owner(.other("imgdld")))
    #expect(stage.lines[0].contains("imgdld  1 record"))
  }

  @Test("no text on any screen shows the credentials of a URL")
  func credentials() {
    let secret = "http://user:secret@birds.example"
    var rows = Self.library()
    rows.records = [FakeRows.record(1, "\(secret)/list", total: 12)]
    rows.resource = { record, index in
      var resource = FakeRows.resource(
        record, index, state: .failed, reason: "\(secret)/x refused", title: "\(secret)/\(index)")
      resource = Resource(
        id: resource.id, record: record, index: index + 1, url: "\(secret)/\(index).jpg",
        title: resource.title, state: .failed, reason: resource.reason, file: resource.file,
        pageCount: 0)
      return resource
    }
    var stage = Self.stage(rows)
    var seen = stage.text
    stage.send(.failed("\(secret)/list: HTTP 404"))
    seen += stage.text
    stage.send(.notice("Reading \(secret)/list: 3 entries"))
    seen += stage.text
    stage.press("a")
    stage.type("\(secret)/list")
    stage.press("enter")
    seen += stage.text
    stage.press("x")
    seen += stage.text
    stage.press("escape", "enter")
    stage.pass(1)
    seen += stage.text
    stage.press("i")
    seen += stage.text
    stage.press("enter", "i")
    seen += stage.text
    #expect(seen.contains("***@birds.example"))
    #expect(!seen.contains("secret"), "\(seen)")
  }

  /// A transfer that the last snapshot has at 99 %.
  private static func almostThere() -> LibrarySnapshot {
    let id = FakeRows.resource(RecordID(1), 0).id
    var facts = LibrarySnapshot()
    facts.active = 1
    facts.activities[id] = .downloading(received: 99, expected: 100)
    facts.progress.activity.downloading = 1
    facts.progress.bytesPerSecond = 30_000
    facts.records[RecordID(1)] = RecordProgress(
      id: RecordID(1), title: "Birds", total: 1, finished: 0, failed: 0,
      activity: ActivityCounts(downloading: 1), fraction: 0.99, bytes: 99)
    return facts
  }

  @Test(
    "a resource that an event reports as finished is not active, also if the last snapshot says so")
  func overtakenSnapshot() {
    var rows = FakeRows(records: [FakeRows.record(1, "Birds", total: 1)])
    rows.resource = { record, index in FakeRows.resource(record, index, state: .queued) }
    var stage = Stage(100, 30, library: rows)
    stage.press("enter")
    stage.send(.snapshot(Self.almostThere()))
    #expect(stage.text.contains("Downloading 99%") && stage.lines[0].contains("Downloading..."))
    stage.library = FakeRows(records: [FakeRows.record(1, "Birds", total: 1, finished: 1)])
    var change = LibraryChange()
    change.records = [RecordID(1)]
    let id = FakeRows.resource(RecordID(1), 0).id
    change.transitions[id] = Transition(.finished, RecordID(1), seq: 8)
    stage.send(.changed(change))
    #expect(!stage.text.contains("Downloading"), "\(stage.text)")
    #expect(stage.lines[0].contains("1/1") && !stage.lines[0].contains("/s"), "\(stage.lines[0])")
  }

  @Test("a snapshot that is older than the last events is corrected by them, once")
  func transitions() {
    let id = FakeRows.resource(RecordID(1), 0).id
    var transitions = Transitions()
    transitions.register(id, Transition(.failed, RecordID(1), seq: 8))
    var facts = Self.almostThere()
    facts.apply(transitions.newer(than: 7))
    #expect(facts.activities.isEmpty && facts.active == 0 && !facts.isMoving)
    #expect(facts.records[RecordID(1)]?.failed == 1 && facts.records[RecordID(1)]?.fraction == 1)
    let once = facts
    facts.apply(transitions.newer(than: 7))
    #expect(facts == once)
    // A snapshot that knows the event and has the resource at work has it at work again.
    var again = Self.almostThere()
    again.apply(transitions.newer(than: 8))
    #expect(again == Self.almostThere())
    // It failed only for now.
    transitions.register(id, Transition(.retrying, RecordID(1), seq: 9))
    var waiting = Self.almostThere()
    waiting.apply(transitions.newer(than: 8))
    #expect(waiting.activities.isEmpty && waiting.records[RecordID(1)]?.settled == 0)
  }

  @Test("a record is downloading between the end of one resource and the start of the next")
  func startedMeanwhile() {
    var stage = Stage(
      100, 30, library: FakeRows(records: [FakeRows.record(1, "Birds", total: 2)]))
    var facts = Self.almostThere()
    facts.seq = 7
    facts.records[RecordID(1)]?.total = 2
    stage.send(.snapshot(facts))
    #expect(stage.text.contains("Downloading..."))
    var change = LibraryChange()
    let ids = (0...1).map { FakeRows.resource(RecordID(1), $0).id }
    change.transitions[ids[0]] = Transition(.finished, RecordID(1), seq: 8)
    change.transitions[ids[1]] = Transition(.started, RecordID(1), seq: 9)
    stage.send(.changed(change))
    #expect(stage.text.contains("Downloading..."), "\(stage.text)")
    #expect(stage.text.contains("1/2") && stage.lines[0].contains("↓ 1"), "\(stage.text)")
    // A snapshot that knows both events, and says that all is done, is not changed by them.
    facts.seq = 10
    facts.activities = [:]
    facts.active = 0
    facts.records[RecordID(1)] = RecordProgress(
      id: RecordID(1), title: "Birds", total: 2, finished: 2, failed: 0,
      activity: ActivityCounts(), fraction: 1, bytes: 200)
    stage.send(.snapshot(facts))
    stage.send(.changed(change))
    #expect(stage.text.contains("Finished") && stage.text.contains("2/2"), "\(stage.text)")
  }
}
