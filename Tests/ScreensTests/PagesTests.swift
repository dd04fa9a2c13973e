import Models
import Terminal
import Testing

@testable import Screens

@Suite("Further pages of a source")
struct PagesTests {
  static func stage(_ count: Int, isLazy: Bool = false) -> Stage {
    Stage(
      80, 24,
      library: FakeRows(records: [
        FakeRows.record(1, "Birds", total: count, isLazy: isLazy, nextPage: "http://h/2")
      ]))
  }

  static func pages(_ stage: inout Stage) -> Int {
    stage.takeEffects().count { $0 == .perform(.loadMore(RecordID(1))) }
  }

  /// The page has come: more rows, and another page after it.
  static func answer(_ stage: inout Stage, _ count: Int, next: String?) {
    stage.library.records = [FakeRows.record(1, "Birds", total: count, nextPage: next)]
    var change = LibraryChange()
    change.records = [RecordID(1)]
    stage.send(.changed(change))
    stage.pass(1)
  }

  @Test("are loaded when the end is near, each once", arguments: [false, true])
  func grid(_ isLazy: Bool) {
    var stage = Self.stage(100, isLazy: isLazy)
    stage.press("enter")
    stage.pass(1)
    #expect(Self.pages(&stage) == 0)
    stage.press("end")
    // Not before scrolling rests.
    #expect(Self.pages(&stage) == 0)
    stage.pass(1)
    #expect(Self.pages(&stage) == 1)
    stage.press("up", "down", "end")
    stage.pass(1)
    #expect(Self.pages(&stage) == 0)
    // A page that brings nothing new is followed by the next one.
    Self.answer(&stage, 100, next: "http://h/3")
    #expect(Self.pages(&stage) == 1)
    Self.answer(&stage, 200, next: "http://h/4")
    #expect(Self.pages(&stage) == 0)
    stage.press("end")
    Self.answer(&stage, 200, next: nil)
    stage.press("up", "end")
    stage.pass(1)
    _ = Self.pages(&stage)
    stage.press("home", "end")
    stage.pass(1)
    #expect(Self.pages(&stage) == 0)
  }

  @Test("are loaded from Image Details and from the viewer, too")
  func elsewhere() {
    var stage = Self.stage(100)
    stage.press("enter", "i")
    stage.pass(1)
    #expect(Self.pages(&stage) == 0)
    stage.press("end")
    stage.pass(1)
    #expect(Self.pages(&stage) == 1)
    stage = Self.stage(100)
    stage.press("enter", "enter")
    stage.pass(1)
    #expect(Self.pages(&stage) == 0)
    for _ in 0..<9 { stage.press("pagedown") }
    #expect(Self.pages(&stage) == 0)
    for _ in 0..<5 { stage.press(" ") }
    #expect(Self.pages(&stage) == 1)
  }

  @Test("are not requested without an engine")
  func lost() {
    var stage = Self.stage(4)
    stage.send(.lost("imgdld was stopped: downloads have stopped"))
    stage.press("enter")
    stage.pass(1)
    #expect(Self.pages(&stage) == 0)
  }
}
