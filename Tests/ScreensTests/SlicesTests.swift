import Models
import ProgressTree
import Terminal
import Testing

@testable import Screens

@Suite("The slice viewer")
struct SlicesTests {
  static func stage(_ columns: Int = 80, _ rows: Int = 24, queued: Range<Int> = 0..<0) -> Stage {
    var rowsOf = FakeRows(records: [
      FakeRows.record(1, "Head MR", total: 192, finished: 192, isSeries: true)
    ])
    rowsOf.resource = { record, index in
      if index == 50 {
        return FakeRows.resource(record, index, state: .failed, pages: 0, reason: "HTTP 500")
      }
      return FakeRows.resource(
        record, index, state: queued.contains(index) ? .queued : .finished, format: .png)
    }
    var stage = Stage(columns, rows, library: rowsOf)
    stage.press("enter")
    return stage
  }

  /// Decodes everything that is wanted until nothing is.
  static func develop(_ stage: inout Stage) {
    for _ in 0..<10 {
      let before = stage.effects.count
      ImagesTests.develop(&stage, width: 64, height: 64)
      if stage.effects.isEmpty, before == 0 { return }
    }
  }

  static func go(to index: Int, _ stage: inout Stage) {
    stage.press("home")
    for _ in 0..<index { stage.press("down") }
  }

  @Test("the slider shows the loaded slices, the position and that others are loading")
  func loading() throws {
    var stage = Self.stage(queued: 100..<192)
    Self.develop(&stage)
    #expect(stage.lines[0].hasSuffix("1/192"))
    #expect(stage.text.contains("Loading 99/192"))
    #expect(stage.text.contains("Not for diagnosis"))
    try Golden.expect(stage.text, "slices-loading-80x24")
  }

  @Test("each step over decoded slices is shown at once; every slice fits into memory")
  func steps() {
    var stage = Self.stage()
    Self.develop(&stage)
    for index in 1..<192 {
      stage.press("down")
      guard index != 50 else { continue }
      #expect(stage.lines[0].hasSuffix("\(index + 1)/192"))
      #expect(!stage.text.contains("is not loaded yet"), "slice \(index)")
      #expect(stage.state.draw().buffer.placements.count == 1, "slice \(index)")
    }
  }

  @Test("the nearest loaded slice is shown with a mark until the right one is loaded")
  func nearest() {
    var stage = Self.stage(queued: 100..<192)
    Self.develop(&stage)
    Self.go(to: 110, &stage)
    #expect(stage.text.contains("Slice 111 is not loaded yet; showing slice 100"))
  }

  @Test("a failed slice shows its error, never its neighbour")
  func failed() {
    var stage = Self.stage()
    Self.develop(&stage)
    Self.go(to: 50, &stage)
    #expect(stage.text.contains("HTTP 500"))
    #expect(stage.state.draw().buffer.placements.isEmpty)
    #expect(stage.text.contains("✗"))
  }

  @Test("the cine keeps time: slices that cannot be shown are dropped and counted")
  func cine() {
    var stage = Self.stage()
    Self.develop(&stage)
    stage.press("c")
    stage.pass(1)
    #expect(abs((stage.screen(SlicesScreen.self)?.location ?? 0) - 30) <= 1)
    #expect(stage.screen(SlicesScreen.self)?.playback.dropped == 0)
    // A third of a second without a frame.
    stage.now += 1.0 / 3
    stage.send(.tick)
    #expect((stage.screen(SlicesScreen.self)?.playback.dropped ?? 0) >= 8)
    #expect(stage.text.contains("dropped"))
    stage.press("c")
    #expect(stage.screen(SlicesScreen.self)?.playback.isOn == false)
    stage.pass(1)
    #expect(stage.state.wake == nil)
  }

  @Test("the cine wakes the program for its images only, however slow it is")
  func cineRests() throws {
    var stage = Self.stage()
    Self.develop(&stage)
    stage.pass(1)
    stage.press("c", "<", "<", "<", "<")
    for _ in 0..<3 {
      let due = try #require(stage.state.wake)
      #expect(abs(due - stage.now - 0.2) < 1e-6)
      stage.now = due - 0.1
      stage.send(.tick)
      #expect(stage.state.wake == due)
      stage.now = due
      stage.send(.tick)
    }
    #expect(stage.lines[0].contains("▶ 5 fps") && stage.lines[0].hasSuffix("4/192"))
  }

  @Test(
    "a column of the slider that represents several slices shows the farthest state, or an error")
  func strip() {
    for (columns, count) in [(78, 192), (78, 10), (10, 1), (1, 50), (192, 192)] {
      var covered: Set<Int> = []
      for column in 0..<columns {
        let range = ResidencyStrip.indexes(of: column, columns: columns, count: count)
        #expect(range.upperBound <= count)
        covered.formUnion(range)
      }
      #expect(covered.count == count)
      #expect(ResidencyStrip.column(of: count - 1, columns: columns, count: count) < columns)
    }
    var canvas = Canvas(Size(10, 1))
    ResidencyStrip.draw(count: 40, position: 39, in: Rect(0, 0, 10, 1), on: &canvas) {
      $0 == 5 ? .error : $0 < 20 ? .decoded : $0 == 21 ? .queued : .stored
    }
    #expect(canvas.buffer.text(ofRow: 0) == "█✗███·▄▄▄●")
  }
}
