import Models
import Terminal
import Testing

@testable import Screens

@Suite("Collections of any size")
struct CollectionTests {
  /// A kind of row that nothing else knows: all that there is to do for one (RM11).
  struct Coin: ItemKind {
    func size(in layout: CollectionLayout, room: Size) -> Size { Size(6, 2) }

    func draw(_ item: Int?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas) {
      canvas.text("(\(item.map { "\($0)" } ?? "?"))", in: area.line(0))
      canvas.text(look.isSelected ? "^^" : "", in: area.line(1))
    }
  }

  final class CountingSource: ItemSource {
    let count: Int
    var asked: [Int] = []

    init(_ count: Int) { self.count = count }

    func item(at index: Int) -> Int? {
      asked.append(index)
      return index * 10
    }
  }

  @Test("a new kind of item is one type", arguments: [CollectionLayout.list, .grid, .strip])
  func newKind(_ layout: CollectionLayout) {
    let room = Size(20, 6)
    var collection = CollectionView(layout)
    collection.fit(
      CollectionGeometry(layout, viewport: room, tile: Coin().size(in: layout, room: room)), at: 0)
    collection.setCount(100, at: 0)
    collection.move(.down, at: 0)
    collection.move(.right, at: 0)
    var canvas = Canvas(room)
    collection.draw(Coin(), ItemArray((0..<100).map { $0 * 10 }), in: Rect(room), on: &canvas)
    let lines = (0..<6).map { canvas.buffer.text(ofRow: $0) }
    switch layout {
    case .list:
      #expect(lines[0].hasPrefix("(0)") && lines[4].hasPrefix("(20)"))
      #expect(lines[5].hasPrefix("^^"))
    case .grid:
      #expect(lines[0].hasPrefix("(0)   (10)  (20)"))
      #expect(lines[3].hasPrefix("      ^^"))
    case .strip:
      #expect(lines[0].hasPrefix("(0)   (10)  (20)"))
      #expect(lines[1].hasPrefix("      ^^"))
    }
    #expect(canvas.target(at: Point(0, 0))?.target == .item(0))
  }

  @Test(
    "a million items cost as much as the visible ones", arguments: [CollectionLayout.list, .grid])
  func million(_ layout: CollectionLayout) {
    let room = Size(80, 22)
    let source = CountingSource(1_000_000)
    var collection = CollectionView(layout)
    collection.fit(CollectionGeometry(layout, viewport: room, tile: Size(20, 5)), at: 0)
    collection.setCount(source.count, at: 0)
    var canvas = Canvas(room)
    for movement in [CollectionView.Movement.last, .first, .pageDown, .down] {
      source.asked = []
      collection.move(movement, at: 0)
      collection.draw(Coin(), source, in: Rect(room), on: &canvas)
      #expect(source.asked.count <= 20)
      #expect(source.asked.contains(collection.selection))
    }
  }

  @Test("a fling through a million rows reads windows, not rows")
  func fling() {
    var stage = Stage(80, 24)
    stage.library.records = [FakeRows.record(1, "All", total: 1_000_000, isLazy: true)]
    var all = LibraryChange()
    all.isEverything = true
    stage.send(.changed(all))
    stage.press("enter")
    stage.rowsRead = 0
    for _ in 0..<100 { stage.press("pagedown") }
    stage.press("end")
    #expect(stage.screen(ResourcesScreen.self)?.collection.selection == 999_999)
    #expect(stage.find("bird 1000000") != nil)
    #expect(stage.rowsRead < 102 * 60)
    // What has scrolled past is not looked at: only where it rests (LZ2).
    let told = stage.takeEffects()
    #expect(told.allSatisfy { if case .setVisibleRange = $0 { false } else { true } })
    stage.pass(1)
    let looks = stage.takeEffects().filter { if case .setVisibleRange = $0 { true } else { false } }
    #expect(looks.count == 1)
    guard case .setVisibleRange(let record, let range)? = looks.first else { return }
    #expect(record == RecordID(1))
    #expect(range.upperBound == 1_000_000 && range.count <= 8)
  }

  @Test("rest is reported once, and again after a movement")
  func rest() {
    var collection = CollectionView(.list)
    collection.fit(CollectionGeometry(.list, viewport: Size(10, 5), tile: Size(10, 1)), at: 0)
    collection.setCount(50, at: 0)
    let value1 = collection.advance(to: 0.02)
    #expect(value1 == nil)
    let value2 = collection.advance(to: 0.06)
    #expect(value2 == 0..<5)
    let value3 = collection.advance(to: 0.2)
    #expect(value3 == nil)
    #expect(collection.nextWakeTime == nil)
    _ = collection.scroll(3, at: 1)
    let value4 = collection.advance(to: 1.03)
    #expect(value4 == nil)
    _ = collection.scroll(3, at: 1.04)
    let value5 = collection.advance(to: 1.08)
    #expect(value5 == nil)
    let value6 = collection.advance(to: 1.1)
    #expect(value6 == 6..<11)
  }

  @Test("a grid moves by rows and stays inside")
  func gridMoves() {
    var collection = CollectionView(.grid)
    collection.fit(CollectionGeometry(.grid, viewport: Size(30, 9), tile: Size(10, 3)), at: 0)
    collection.setCount(8, at: 0)
    collection.move(.up, at: 0)
    #expect(collection.selection == 0)
    collection.move(.down, at: 0)
    collection.move(.down, at: 0)
    #expect(collection.selection == 6)
    collection.move(.up, at: 0)
    collection.move(.right, at: 0)
    collection.move(.right, at: 0)
    #expect(collection.selection == 5)
    // Below there is nothing, but the last line is not full: its last item.
    collection.move(.down, at: 0)
    #expect(collection.selection == 7)
  }

  @Test("an overtaken response is discarded, and an obsolete one is requested again")
  func windows() {
    var window = ItemWindow<Int>()
    let first = window.nextRequest(for: 0..<10)
    #expect(first == 0..<26)
    let second = window.nextRequest(for: 5_000..<5_010)
    #expect(second == 4_984..<5_026)
    let value7 = window.receive(0..<26, Array(0..<26), count: 10_000)
    #expect(!value7)
    let value8 = window.receive(4_984..<5_026, Array(4_984..<5_026), count: 10_000)
    #expect(value8)
    let value9 = window.nextRequest(for: 5_000..<5_010)
    #expect(value9 == nil)
    #expect(window.item(at: 5_000) == 5_000)
    window.invalidate()
    let value10 = window.nextRequest(for: 5_000..<5_010)
    #expect(value10 == second)
    // Changed again while the answer is on its way: asked for once more after it.
    window.invalidate()
    let value11 = window.nextRequest(for: 5_000..<5_010)
    #expect(value11 == nil)
    window.receive(4_984..<5_026, Array(4_984..<5_026), count: 10_000)
    let value12 = window.nextRequest(for: 5_000..<5_010)
    #expect(value12 == second)
  }
}
