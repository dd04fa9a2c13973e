import Models
import Terminal
import Testing

@testable import Screens

@Suite("Steps of the viewer")
struct ViewerStepTests {
  /// The viewer on the first of forty images, of which the third is still waiting.
  private static func stage() -> Stage {
    var stage = Stage(
      80, 24, library: FakeRows(records: [FakeRows.record(1, "Birds", total: 40, finished: 39)]))
    stage.library.resource = { record, index in
      FakeRows.resource(record, index, state: index == 2 ? .queued : .finished)
    }
    stage.press("enter", "enter")
    return stage
  }

  private static func images(_ stage: Stage) -> [Image] {
    stage.state.draw().buffer.placements.map(\.image)
  }

  @Test("the previous image stays while the next one is decoded, and no longer")
  func decoding() {
    var stage = Self.stage()
    // Nothing was shown before: a grey image, which says nothing yet.
    #expect(Self.images(stage).isEmpty)
    ImagesTests.develop(&stage)
    let first = Self.images(stage)
    #expect(first.count == 1)
    stage.press("end")
    #expect(stage.lines[0].contains("40/40"))
    #expect(Self.images(stage) == first)
    ImagesTests.develop(&stage)
    #expect(Self.images(stage).count == 1 && Self.images(stage) != first)
  }

  @Test("an image that has not been downloaded is grey, after any previous image")
  func waiting() {
    var stage = Self.stage()
    ImagesTests.develop(&stage)
    stage.press("j", "j")
    #expect(stage.lines[0].contains("3/40"))
    #expect(Self.images(stage).isEmpty)
    #expect(stage.text.contains("Queueing"))
  }

  @Test("the slider marks a partially shown file as usable, and one without a page as failed")
  func partial() {
    var stage = Stage(
      80, 24, library: FakeRows(records: [FakeRows.record(1, "Birds", total: 2, finished: 0)]))
    stage.library.resource = { record, index in
      var resource = FakeRows.resource(record, index, state: .failed)
      resource.reason = "entry 3: damaged"
      if index == 1 { resource.pageCount = 0 }
      return resource
    }
    stage.press("enter", "enter")
    let strip = stage.lines[stage.lines.count - 2]
    #expect(strip.contains("▄") && strip.contains("✗"), "\(strip)")
    ImagesTests.develop(&stage)
    let shown = stage.lines[stage.lines.count - 2]
    #expect(shown.contains("█") && shown.contains("✗"), "\(shown)")
  }

  @Test("an image that cannot be decoded shows the reason, after any previous image")
  func problem() {
    var stage = Self.stage()
    ImagesTests.develop(&stage)
    stage.press("end")
    for case .decode(let order) in stage.takeEffects() {
      for key in order.keys { stage.send(.image(key, .problem("damaged"))) }
    }
    #expect(Self.images(stage).isEmpty)
    #expect(stage.text.contains("damaged"))
  }

  @Test("an archive that is not downloaded is shown page by page, until it is downloaded")
  func remotePages() {
    var stage = Stage(
      80, 24, library: FakeRows(records: [FakeRows.record(1, "Birds", total: 2, finished: 1)]))
    stage.library.resource = { record, index in
      index == 0
        ? Resource(
          id: ResourceID(1_000_000), record: record, index: 1, url: "http://birds.example/a.cbz")
        : FakeRows.resource(record, index)
    }
    stage.press("enter", "enter")
    let requested = stage.takeEffects().filter { $0 == .loadPages(ResourceID(1_000_000)) }
    #expect(requested.count == 1)
    stage.send(
      .pages(
        ResourceID(1_000_000),
        [
          Page(number: 1, width: 0, height: 0, label: "a.png"),
          Page(number: 2, width: 0, height: 0, label: "b.png", reason: "the page is encrypted"),
          Page(number: 3, width: 0, height: 0, label: "c.png"),
        ]))
    #expect(stage.lines[0].contains("page 1/3"))
    ImagesTests.develop(&stage)
    #expect(Self.images(stage).count == 1)
    stage.press("j")
    #expect(stage.lines[0].contains("page 2/3") && stage.text.contains("the page is encrypted"))
    stage.press("j", "j")
    #expect(stage.lines[0].contains("2/2") && !stage.lines[0].contains("page"))
    stage.press("k")
    #expect(stage.lines[0].contains("page 3/3") && stage.lines[0].contains("1/2"))
    #expect(!stage.takeEffects().contains(.loadPages(ResourceID(1_000_000))), "they are kept")
  }

  @Test("the dimensions of an image are shown while it is being downloaded")
  func dimensions() throws {
    var stage = Self.stage()
    stage.press("j", "j")
    var snapshot = LibrarySnapshot()
    snapshot.activities = [ResourceID(1_000_002): .downloading(received: 1, expected: 10)]
    let dimensions = try #require(ImageDimensions(width: 4000, height: 3000))
    snapshot.dimensions = [ResourceID(1_000_002): dimensions]
    stage.send(.snapshot(snapshot))
    #expect(stage.text.contains("Downloading 10%") && stage.text.contains("4000 × 3000"))
  }
}
