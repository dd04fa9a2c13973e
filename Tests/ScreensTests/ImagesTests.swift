import Models
import ProgressTree
import Terminal
import Testing

@testable import Screens

@Suite("Screens 2 and 3")
struct ImagesTests {
  /// A record with one of each: shown, downloading, waiting, failed, a document.
  static func library(isLazy: Bool = false) -> FakeRows {
    var rows = FakeRows(records: [
      FakeRows.record(1, "Birds of Europe", total: 40, finished: 36, failed: 1, isLazy: isLazy)
    ])
    rows.resource = { record, index in
      switch index {
      case 1, 2: FakeRows.resource(record, index, state: .queued)
      case 3:
        FakeRows.resource(record, index, state: .failed, pages: 0, reason: "HTTP 404 Not Found")
      case 4: FakeRows.resource(record, index, pages: 12, format: .pdf, title: "A field guide")
      default: FakeRows.resource(record, index)
      }
    }
    return rows
  }

  static func stage(_ columns: Int, _ rows: Int, isLazy: Bool = false) -> Stage {
    var stage = Stage(columns, rows, library: library(isLazy: isLazy))
    var facts = LibrarySnapshot()
    facts.active = 1
    facts.activities[ResourceID(1_000_001)] = .downloading(received: 42, expected: 100)
    stage.send(.snapshot(facts))
    stage.press("enter")
    stage.pass(1)
    return stage
  }

  /// Answers every wish for an image with one of that shape.
  static func develop(_ stage: inout Stage, width: Int = 96, height: Int = 64) {
    for case .decode(let order) in stage.takeEffects().suffix(1) {
      for key in order.keys {
        let pixels = [UInt8](repeating: 90, count: width * height * 3)
        guard let image = Image(width: width, height: height, format: .rgb, pixels: pixels)
        else { continue }
        stage.send(.image(key, .image(image)))
      }
    }
  }

  @Test("the reason of the selected item is complete in a narrow window, too")
  func wholeReason() {
    var rows = FakeRows(records: [FakeRows.record(1, "Birds", total: 1, finished: 0, failed: 1)])
    rows.resource = { record, index in
      FakeRows.resource(
        record, index, state: .failed, pages: 0,
        reason: "cannot connect to birds.example port 8080: Connection refused")
    }
    var stage = Stage(40, 12, library: rows)
    stage.press("enter")
    stage.pass(1)
    let words = stage.text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      words.contains("bird 1: cannot connect to birds.example port 8080: Connection refused"),
      "\(stage.text)")
  }

  @Test("the grid is laid out for every size", arguments: [(40, 12), (80, 24), (200, 60)])
  func grid(_ columns: Int, _ rows: Int) throws {
    let stage = Self.stage(columns, rows)
    try Golden.expect(stage.text, "grid-\(columns)x\(rows)")
  }

  @Test("a tile shows its blurred image until its own is decoded, and no image that has a problem")
  func placeholders() throws {
    var stage = Self.stage(80, 24)
    func shown() -> Set<Image.ID> { Set(stage.state.draw().buffer.placements.map(\.image.id)) }
    #expect(shown().isEmpty)
    let blurred = try #require(
      Image(width: 4, height: 3, format: .rgba, pixels: [UInt8](repeating: 9, count: 48)))
    let ids = [ResourceID(1_000_000), ResourceID(1_000_005)]
    stage.send(.placeholders([ids[0]: blurred, ids[1]: blurred]))
    #expect(stage.state.draw().buffer.placements.count == 2)
    #expect(shown() == [blurred.id])
    let orders = stage.takeEffects().compactMap { effect -> ImageOrder? in
      if case .decode(let order) = effect { order } else { nil }
    }
    let keys = try #require(orders.last).keys
    stage.send(.image(try #require(keys.first { $0.resource == ids[1] }), .problem("damaged")))
    #expect(stage.state.draw().buffer.placements.count == 1)
    let own = try #require(
      Image(width: 8, height: 6, format: .rgb, pixels: [UInt8](repeating: 9, count: 144)))
    stage.send(.image(try #require(keys.first { $0.resource == ids[0] }), .image(own)))
    #expect(shown() == [own.id])
  }

  @Test("a lazy record is a list under its own name", arguments: [(40, 12), (80, 24)])
  func list(_ columns: Int, _ rows: Int) throws {
    let stage = Self.stage(columns, rows, isLazy: true)
    #expect(stage.lines[0].contains("Birds of Europe"))
    try Golden.expect(stage.text, "list-\(columns)x\(rows)")
  }

  @Test("Image Details has as many columns as fit", arguments: [(40, 12), (80, 24), (200, 60)])
  func details(_ columns: Int, _ rows: Int) throws {
    var stage = Self.stage(columns, rows)
    stage.press("i")
    try Golden.expect(stage.text, "details-\(columns)x\(rows)")
  }

  @Test("the viewer shows its position, and is grey without an image")
  func viewer() throws {
    var stage = Self.stage(80, 24)
    stage.press("right", "enter")
    try Golden.expect(stage.text, "viewer-downloading-80x24")
    // What has come takes the place of the grey image at once.
    stage.library.resource = { FakeRows.resource($0, $1) }
    var change = LibraryChange()
    change.records = [RecordID(1)]
    stage.send(.changed(change))
    Self.develop(&stage)
    #expect(stage.state.draw().buffer.placements.count == 1)
  }

  @Test("pages of a document are turned in place, backwards to the last one of the file before")
  func pages() {
    var stage = Self.stage(80, 24)
    for _ in 0..<4 { stage.press("right") }
    stage.press("enter")
    #expect(stage.lines[0].contains("page 1/12  5/40"))
    for _ in 0..<11 { stage.press(" ") }
    #expect(stage.lines[0].contains("page 12/12  5/40"))
    stage.press(" ")
    #expect(stage.lines[0].hasSuffix("6/40"))
    stage.press("backspace")
    #expect(stage.lines[0].contains("page 12/12  5/40"))
    stage.press("J", "K")
    #expect(stage.lines[0].contains("page 1/12  5/40"))
  }

  @Test("evicted pages are requested again, and shown as soon as they are rendered")
  func evicted() throws {
    var stage = Self.stage(80, 24)
    for _ in 0..<4 { stage.press("right") }
    stage.press("enter")
    stage.pass(1)
    func wanted(_ effects: [Effect]) -> [ImageKey] {
      effects.compactMap { if case .decode(let order) = $0 { order.keys } else { nil } }.last ?? []
    }
    let key = try #require(wanted(stage.takeEffects()).first)
    stage.send(.image(key, .evicted))
    // The engine looks for what is missing of what is looked at anew.
    let asked = stage.takeEffects()
    #expect(asked.contains(.clearVisibleRange(RecordID(1))))
    #expect(asked.contains(.setVisibleRange(RecordID(1), 3..<7)))
    #expect(stage.text.contains("Rendering its pages again"))
    stage.pass(0.6)
    #expect(wanted(stage.takeEffects()).contains(key))
    stage.send(.image(key, .evicted))
    // Once is enough.
    #expect(!stage.takeEffects().contains(.clearVisibleRange(RecordID(1))))
    stage.pass(0.6)
    Self.develop(&stage)
    #expect(stage.state.draw().buffer.placements.count == 1)
    stage.pass(60)
    #expect(stage.state.wake == nil)
  }

  @Test("pages that are not rendered again become a problem, and nothing is animated any more")
  func evictedForever() throws {
    var stage = Self.stage(80, 24)
    for _ in 0..<4 { stage.press("right") }
    stage.press("enter")
    for _ in 0..<200 {
      let orders = stage.takeEffects().compactMap { effect in
        if case .decode(let order) = effect { order.keys } else { nil }
      }
      for key in orders.last ?? [] { stage.send(.image(key, .evicted)) }
      stage.pass(0.6)
    }
    #expect(stage.text.contains("could not be made again"))
    #expect(stage.state.wake == nil)
  }

  @Test(
    "the next two images and the previous one are decoded ahead, and obsolete ones are cancelled")
  func preloading() throws {
    var stage = Self.stage(80, 24)
    for _ in 0..<6 { stage.press("right") }
    _ = stage.takeEffects()
    stage.press("enter")
    let wanted = stage.takeEffects().compactMap { effect in
      if case .decode(let order) = effect { order.keys } else { nil }
    }
    let last = try #require(wanted.last)
    #expect(last.map { $0.resource.rawValue % 1_000_000 } == [6, 7, 8, 5])
    stage.press("end")
    let later = stage.takeEffects().compactMap { effect in
      if case .decode(let order) = effect { order.keys } else { nil }
    }
    #expect(later.last?.first?.resource == ResourceID(1_000_039))
    #expect(later.last?.contains { $0.resource == ResourceID(1_000_006) } == false)
  }

  @Test("in a record that reads right to left, the left arrow moves forward")
  func direction() {
    var stage = Self.stage(80, 24)
    stage.press("enter", "right")
    #expect(stage.lines[0].hasSuffix("2/40"))
    stage.press("d", "left")
    #expect(stage.lines[0].hasSuffix("3/40"))
  }

  @Test("a zoomed picture is moved inside its edges and keeps its place in another resolution")
  func zoom() {
    var zoom = ImageZoom()
    let area = Rect(0, 1, 80, 20)
    let whole = zoom.place(PixelSize(960, 640), in: area, cell: Size(8, 16))
    #expect(whole.source == PixelRect(0, 0, 960, 640))
    for _ in 0..<4 { zoom.change(by: 2) }
    for _ in 0..<40 { zoom.pan(.right) }
    for _ in 0..<40 { zoom.pan(.down) }
    let part = zoom.place(PixelSize(960, 640), in: area, cell: Size(8, 16))
    #expect(part.source.x + part.source.width == 960)
    #expect(part.source.y + part.source.height == 640)
    let finer = zoom.place(PixelSize(1_920, 1_280), in: area, cell: Size(8, 16))
    #expect(abs(finer.source.width - 2 * part.source.width) <= 2)
  }

  @Test("pictures of tiles are wanted once scrolling rests, and shown in their shape")
  func thumbnails() {
    var stage = Self.stage(80, 24)
    Self.develop(&stage)
    let shown = stage.state.draw().buffer.placements
    #expect(shown.count >= 5)
    #expect(shown.allSatisfy { $0.rect.columns <= 18 && $0.rect.rows <= 6 })
    _ = stage.takeEffects()
    stage.press("pagedown")
    let moving = stage.takeEffects()
    #expect(
      moving == [.decode(ImageOrder())]
        || !moving.contains { if case .decode = $0 { true } else { false } })
    stage.pass(0.1)
    let resting = stage.takeEffects()
    #expect(
      resting.contains { if case .decode(let order) = $0 { !order.keys.isEmpty } else { false } })
  }

  @Test("a record opens at its last position, unless the user has already moved")
  func remembered() {
    var stage = Self.stage(80, 24)
    stage.send(.remembered(RecordID(1), 17))
    #expect(stage.screen(ResourcesScreen.self)?.collection.selection == 17)
    stage.press("left")
    stage.send(.remembered(RecordID(1), 3))
    #expect(stage.screen(ResourcesScreen.self)?.collection.selection == 16)
    stage.press("enter", "right", "escape")
    let told = stage.takeEffects()
    #expect(told.contains(.remember(RecordID(1), 17)))
  }

  @Test("the memory of images is bounded, and visible ones stay")
  func memory() throws {
    var cache = ImageCache(byteLimit: 1 << 20)
    let image = try #require(
      Image(
        width: 100, height: 100, format: .rgb, pixels: [UInt8](repeating: 0, count: 30_000)))
    let seen = ImageKey(resource: ResourceID(1), stamp: 0, side: 64)
    cache.insert(seen, .image(image))
    for number in 2..<200 {
      cache.insert(
        ImageKey(resource: ResourceID(Int64(number)), stamp: 0, side: 64), .image(image))
      cache.touch([seen])
      #expect(cache.bytes <= 1 << 20)
    }
    #expect(cache.image(seen) != nil)
    #expect(!cache.contains(ImageKey(resource: ResourceID(2), stamp: 0, side: 64)))
  }
}
