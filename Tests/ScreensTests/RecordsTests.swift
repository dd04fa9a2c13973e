import Models
import ProgressTree
import Terminal
import Testing

@testable import Screens

@Suite("Screen 1")
struct RecordsTests {
  static let library = FakeRows(records: [
    FakeRows.record(1, "Birds of Europe", total: 255, finished: 120),
    FakeRows.record(2, "Fishes", total: 40, finished: 40),
    FakeRows.record(3, "日本の鳥", total: 12, finished: 10, failed: 2),
    FakeRows.record(4, "Flags of all countries with a long name", total: 1_255, isLazy: true),
    FakeRows.record(5, "Head MR", total: 192, isSeries: true, isPaused: true),
  ])

  static var facts: LibrarySnapshot {
    var facts = LibrarySnapshot()
    (facts.active, facts.waiting, facts.concurrency) = (3, 132, 16)
    facts.progress.total = 1_754
    facts.progress.finished = 170
    facts.progress.failed = 2
    facts.progress.fraction = 0.1
    facts.progress.bytesPerSecond = 2_400_000
    facts.progress.secondsLeft = 61
    facts.records[RecordID(1)] = RecordProgress(
      id: RecordID(1), title: "Birds of Europe", total: 255, finished: 121, failed: 0,
      activity: ActivityCounts(downloading: 3), fraction: 0.48, bytes: 10_000_000)
    return facts
  }

  static func stage(_ columns: Int, _ rows: Int) -> Stage {
    var stage = Stage(columns, rows, library: library)
    stage.send(.snapshot(facts))
    stage.now += 1
    var next = facts
    next.records[RecordID(1)]?.bytes = 12_400_000
    next.records[RecordID(1)]?.fraction = 0.5
    stage.send(.snapshot(next))
    return stage
  }

  @Test(
    "the list of records is laid out for every size",
    arguments: [(40, 12), (80, 24), (200, 60)])
  func layout(_ columns: Int, _ rows: Int) throws {
    let stage = Self.stage(columns, rows)
    try Golden.expect(stage.text, "records-\(columns)x\(rows)")
  }

  @Test("the total is of the library where nothing is to be done")
  func totalAtRest() {
    var stage = Stage(80, 24, library: Self.library)
    var facts = LibrarySnapshot()
    (facts.counts.finished, facts.counts.failed, facts.counts.bytes) = (198, 2, 4_800_000)
    stage.send(.snapshot(facts))
    #expect(stage.text.contains("198/200 · 2 failed · 4.8 MB"))
  }

  @Test("the first launch says how to add")
  func firstLaunch() throws {
    let stage = Stage(80, 24)
    try Golden.expect(stage.text, "first-launch-80x24")
  }

  @Test("Pause is grey and does nothing where nothing moves, and turns into Resume")
  func pausing() {
    var stage = Stage(80, 24, library: Self.library)
    stage.press("p")
    let value1 = stage.takeEffects()
    #expect(value1 == [])
    #expect(stage.text.contains("Nothing to pause"))
    let place = stage.find("p Pause") ?? Point(0, 0)
    #expect(stage.state.draw().target(at: place) == nil)
    stage.send(.snapshot(Self.facts))
    stage.press("p")
    let value2 = stage.takeEffects()
    #expect(value2 == [.perform(.pause(nil))])
    var paused = Self.facts
    paused.isPaused = true
    stage.send(.snapshot(paused))
    #expect(stage.find("Resume") != nil)
    #expect(stage.text.contains("Paused"))
    stage.click(stage.find("Resume")?.column ?? 0, stage.find("Resume")?.row ?? 0)
    let value3 = stage.takeEffects()
    #expect(value3 == [.perform(.resume(nil))])
  }

  @Test("the slider moves by keys and by the mouse, at once")
  func slider() {
    var stage = Self.stage(80, 24)
    stage.press("}")
    let value4 = stage.takeEffects()
    #expect(value4 == [.perform(.setConcurrency(20))])
    #expect(stage.text.contains("} 20"))
    stage.press("{", "{")
    let told3092 = stage.takeEffects()
    #expect(told3092 == [.perform(.setConcurrency(16)), .perform(.setConcurrency(15))])
    let hit = stage.state.draw().hits.last { $0.target == .concurrency }
    let area = hit?.area ?? Rect(0, 0, 0, 0)
    stage.mouse(.press(.left), area.column, area.row)
    let value5 = stage.takeEffects()
    #expect(value5 == [.perform(.setConcurrency(1))])
    stage.mouse(.drag(.left), area.column + area.columns - 1, area.row)
    let value6 = stage.takeEffects()
    #expect(value6 == [.perform(.setConcurrency(1_024))])
    // What an older snapshot says does not move the slider under the mouse.
    stage.send(.snapshot(Self.facts))
    #expect(stage.text.contains("} 1024"))
    stage.mouse(.release(.left), 3, 3)
    stage.send(.snapshot(Self.facts))
    #expect(stage.text.contains("} 16"))
  }

  @Test("Add begins with the default source, which typing replaces; Enter adds")
  func adding() {
    var stage = Stage(
      80, 24, library: Self.library, defaultSource: "https://example.org/all.zip")
    stage.press("a")
    #expect(stage.text.contains("https://example.org/all.zip"))
    stage.press("enter")
    let told4209 = stage.takeEffects()
    #expect(
      told4209 == [
        .perform(.add("https://example.org/all.zip", isLazy: false))
      ])
    stage.press("a")
    stage.type("/lists/a.json")
    // Switched, and back.
    stage.press("tab", " ", " ", "enter")
    let value7 = stage.takeEffects()
    #expect(value7 == [.perform(.add("/lists/a.json", isLazy: false))])
    stage.press("a")
    stage.send(.terminal(.paste(Paste("http://x/y.json\n"))))
    stage.press("tab", " ", "tab", "enter")
    let value8 = stage.takeEffects()
    #expect(value8 == [.perform(.add("http://x/y.json", isLazy: true))])
    // Enter adds from every field.
    for moves in 0...2 {
      stage.press("a")
      stage.type("/b.json")
      for _ in 0..<moves { stage.press("tab") }
      stage.press("enter")
      let effects = stage.takeEffects()
      #expect(effects == [.perform(.add("/b.json", isLazy: false))], "\(moves)")
    }
    stage.press("a", "escape")
    #expect(stage.state.dialog == nil)
    // Pasted into the list, a source opens the dialog.
    stage.send(.terminal(.paste(Paste(" /lists/b.json "))))
    stage.press("enter")
    let value9 = stage.takeEffects()
    #expect(value9 == [.perform(.add("/lists/b.json", isLazy: false))])
  }

  @Test("A source that could not be added is suggested for a correction, until another is added")
  func correcting() {
    var stage = Stage(80, 24, library: Self.library, defaultSource: "/default.json")
    stage.send(.addFailed(source: "/lists/a.jsn", reason: "cannot open /lists/a.jsn"))
    #expect(stage.text.contains("cannot open /lists/a.jsn (a corrects it)"))
    stage.press("a", "escape", "a", "left")
    #expect(stage.text.contains("/lists/a.jsn"))
    stage.type("o")
    stage.press("enter")
    let added = stage.takeEffects()
    #expect(added == [.perform(.add("/lists/a.json", isLazy: false))])
    stage.press("a")
    #expect(stage.text.contains("/default.json"))
  }

  @Test("Reset and Remove ask, and No is chosen first")
  func asking() throws {
    var stage = Self.stage(80, 24)
    stage.press("X")
    try Golden.expect(stage.text, "reset-80x24")
    stage.press("enter")
    let value10 = stage.takeEffects()
    #expect(value10 == [])
    stage.press("X", "left", "enter")
    let value11 = stage.takeEffects()
    #expect(value11 == [.perform(.reset)])
    stage.press("down", "x", "y")
    let value12 = stage.takeEffects()
    #expect(value12 == [.perform(.remove(RecordID(2)))])
    stage.press("X")
    let button = stage.find("Delete everything") ?? Point(0, 0)
    stage.click(button.column, button.row)
    let value13 = stage.takeEffects()
    #expect(value13 == [.perform(.reset)])
  }

  @Test("Reload asks, and Yes is chosen first")
  func reload() {
    var stage = Self.stage(80, 24)
    stage.press("down")
    _ = stage.takeEffects()
    // A key that is held answers nothing.
    stage.press("L", "L", "L")
    #expect(stage.find("Download the whole record again?") != nil)
    stage.press("n")
    let declined = stage.takeEffects()
    #expect(declined == [])
    #expect(stage.find("Download the whole record again?") == nil)
    stage.press("L", "enter")
    let accepted = stage.takeEffects()
    #expect(accepted == [.perform(.reload(RecordID(2)))])
  }

  @Test("a filter is typed, followed at once, and cleared by Esc")
  func filtering() {
    var stage = Self.stage(80, 24)
    stage.press("/")
    stage.type("fi")
    #expect(stage.records.collection.count == 1)
    #expect(stage.find("Fishes") != nil)
    #expect(stage.find("Birds") == nil)
    stage.press("enter")
    #expect(stage.text.contains("“fi”: 1 record"))
    stage.press("escape")
    #expect(stage.records.collection.count == 5)
    stage.press("s")
    #expect(stage.lines[2].contains("Birds"))
    stage.press("S")
    #expect(stage.lines[2].contains("日本の鳥"))
  }

  @Test("a response in an order that is not wanted any more is requested again")
  func overtaken() {
    var stage = Self.stage(80, 24)
    let ids = stage.library.records.map(\.id)
    func reduce(_ input: Input) -> [Effect] { stage.state.reduce(input, at: stage.now) }
    func press(_ key: Key) -> [Effect] { reduce(.terminal(.key(KeyEvent(key)))) }
    // The filter is cleared while the filtered rows are on their way.
    stage.press("/")
    let typed = press(.character("i"))
    guard case .sortRecords(let arrangement)? = typed.first, arrangement.filter == "i" else {
      Issue.record("\(typed)")
      return
    }
    let asked = reduce(.recordsSorted(arrangement, [ids[1]]))
    guard case .loadRecords(let range, let wanted?)? = asked.first else {
      Issue.record("\(asked)")
      return
    }
    let cleared = press(.escape)
    #expect(cleared.isEmpty)
    let items = stage.library.records.filter { wanted.contains($0.id) }
    let told = reduce(.records(range, items, count: 5, isArranged: true))
    #expect(told == [.loadRecords(range, ids: nil)])
  }

  @Test("Enter and a click open a record, holding it lifts it and fades the others")
  func opening() {
    var stage = Self.stage(80, 24)
    stage.click(5, 2)
    #expect(stage.state.screenKind == .resources)
    let opened = stage.takeEffects()
    #expect(opened.contains(.recall(RecordID(1))))
    stage.press("escape", "down", "enter")
    #expect(stage.lines[0].contains("Fishes"))
    stage.press("q")
    #expect(stage.state.screenKind == .records)
    stage.mouse(.press(.left), 5, 4)
    stage.pass(0.5)
    #expect(stage.records.collection.lifted == 2)
    #expect(stage.lines[4].hasPrefix("▲"))
    stage.mouse(.release(.left), 5, 4)
    #expect(stage.state.screenKind == .records)
    stage.press("m")
    #expect(stage.records.collection.lifted == nil)
    stage.press("m")
    #expect(stage.records.collection.lifted == 2)
  }

  @Test("three notches beyond the top refresh; fewer spring back")
  func pulling() {
    var stage = Self.stage(80, 24)
    stage.mouse(.wheel(.up), 5, 5)
    #expect(stage.text.contains("2 more to refresh"))
    stage.pass(1)
    #expect(!stage.text.contains("more to refresh"))
    for _ in 0..<3 { stage.mouse(.wheel(.up), 5, 5) }
    let value14 = stage.takeEffects()
    #expect(value14 == [.perform(.refresh(RecordID(1)))])
  }

  @Test("quitting asks only where downloads would end")
  func quitting() {
    var stage = Self.stage(80, 24)
    stage.press("q")
    let value15 = stage.takeEffects()
    #expect(value15 == [])
    #expect(stage.text.contains("Quit now?"))
    stage.press("enter")
    let value16 = stage.takeEffects()
    #expect(value16 == [.quit])
    stage = Self.stage(80, 24)
    stage.send(.owner(.other("imgdld")))
    stage.press("q")
    let value17 = stage.takeEffects()
    #expect(value17 == [.quit])
  }

  @Test("a window that is too small shows the required size, and continues when it grows")
  func tooSmall() {
    var stage = Self.stage(80, 24)
    stage.resize(30, 5)
    #expect(stage.lines[0] == "imgdl needs 40 × 12")
    stage.resize(40, 12)
    #expect(stage.find("Birds") != nil)
  }

  @Test("nothing wakes the program while nothing moves")
  func idle() {
    var stage = Self.stage(80, 24)
    stage.pass(60)
    #expect(stage.state.wake == nil)
    stage.press("enter")
    stage.pass(60)
    #expect(stage.state.wake == nil)
  }
}
