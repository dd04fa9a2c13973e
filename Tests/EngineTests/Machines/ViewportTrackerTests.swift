import LibraryAPI
import Models
import Testing
@testable import Engine

@Suite("Viewports")
struct ViewportBookTests {
  private let a = ViewerID(1)
  private let b = ViewerID(2)
  private let record = RecordID(7)

  /// As in `+0..<10 visible`, `-0..<10`, for one record.
  private func text(_ action: ViewportTracker.Action) -> [String] {
    action.raise.map { "+\($0.range) \($0.precedence)" } + action.lower.map { "-\($0.range)" }
  }

  /// Looks, and rests there.
  private func settled(
    _ book: inout ViewportTracker, _ viewer: ViewerID, _ range: Range<Int>, at now: Double
  ) -> [String] {
    _ = book.handle(.rangeShown(viewer, record, range), now: now)
    return text(book.handle(.tick, now: now + book.rest))
  }

  @Test("Resources are raised after the view has rested, not before")
  func rest() {
    var book = ViewportTracker(rest: 0.06)
    let looked = book.handle(.rangeShown(a, record, 0..<10), now: 1)
    #expect(text(looked) == [])
    #expect(looked.wake == 1.06)
    let early = book.handle(.tick, now: 1.05)
    #expect(text(early) == [])
    #expect(early.wake == 1.06)
    #expect(book.precedence(of: 3, in: record) == nil)
    let due = book.handle(.tick, now: 1.06)
    #expect(text(due) == ["+0..<10 visible"])
    #expect(due.wake == nil)
    #expect(text(book.handle(.tick, now: 5)) == [])
    #expect(book.precedence(of: 9, in: record) == .visible)
    #expect(book.precedence(of: 10, in: record) == nil)
    #expect(book.precedence(of: 3, in: RecordID(8)) == nil)
  }

  @Test(
    "Resources that are scrolled past are never wanted, and earlier ones stay until the view rests")
  func scrolling() {
    var book = ViewportTracker(rest: 0.06)
    #expect(settled(&book, a, 0..<10, at: 0) == ["+0..<10 visible"])
    for step in 1...50 {
      let now = 1 + Double(step) * 0.03
      let action = book.handle(.rangeShown(a, record, step * 5..<step * 5 + 10), now: now)
      #expect(text(action) == [])
      #expect(action.wake == now + 0.06)
      #expect(text(book.handle(.tick, now: now + 0.02)) == [])
    }
    #expect(text(book.handle(.tick, now: 5)) == ["+250..<260 visible", "-0..<10"])
  }

  @Test("A viewer that says the same again and again rests")
  func sameAgain() {
    var book = ViewportTracker(rest: 0.06)
    for frame in 0..<3 {
      #expect(text(book.handle(.rangeShown(a, record, 0..<5), now: Double(frame) * 0.02)) == [])
    }
    #expect(text(book.handle(.rangeShown(a, record, 0..<5), now: 0.06)) == ["+0..<5 visible"])
    #expect(text(book.handle(.rangeShown(a, record, 0..<5), now: 0.08)) == [])
  }

  @Test("A look elsewhere and back changes nothing, and the time there is not saved up")
  func backAgain() {
    var book = ViewportTracker(rest: 0.06)
    _ = settled(&book, a, 0..<5, at: 0)
    _ = book.handle(.rangeShown(a, record, 5..<9), now: 1)
    let back = book.handle(.rangeShown(a, record, 0..<5), now: 1.05)
    #expect(text(back) == [] && back.wake == nil)
    let again = book.handle(.rangeShown(a, record, 5..<9), now: 1.07)
    #expect(text(again) == [] && again.wake == 1.07 + 0.06)
  }

  @Test("A late tick does not raise resources that have left the view")
  func lateTick() {
    var book = ViewportTracker(rest: 0.06)
    _ = book.handle(.rangeShown(a, record, 0..<5), now: 0)
    #expect(text(book.handle(.rangeShown(a, record, 10..<15), now: 1)) == [])
    #expect(text(book.handle(.tick, now: 2)) == ["+10..<15 visible"])
  }

  @Test("Only changes are reported when a view moves")
  func overlap() {
    var book = ViewportTracker()
    _ = settled(&book, a, 0..<10, at: 0)
    #expect(settled(&book, a, 4..<14, at: 1) == ["+10..<14 visible", "-0..<4"])
    #expect(settled(&book, a, 6..<8, at: 2) == ["-4..<6", "-8..<14"])
    #expect(settled(&book, a, 8..<8, at: 3) == ["-6..<8"])
  }

  @Test("Resources on either side are prefetched, within the record's bounds")
  func prefetch() {
    var book = ViewportTracker(prefetch: 4)
    #expect(
      settled(&book, a, 2..<6, at: 0) == ["+2..<6 visible", "+0..<2 prefetch", "+6..<10 prefetch"])
    #expect(
      settled(&book, a, 6..<10, at: 1) == [
        "+6..<10 visible", "+2..<6 prefetch", "+10..<14 prefetch", "-0..<2",
      ])
    #expect(book.precedence(of: 2, in: record) == .prefetch)
    #expect(text(book.handle(.rangeCleared(a, nil), now: 2)) == ["-2..<14"])
  }

  @Test("Looking away counts at once, of one record or of all")
  func leaving() {
    var book = ViewportTracker(rest: 0.06)
    for id in [3, 1, 2] { _ = book.handle(.rangeShown(a, RecordID(Int64(id)), 0..<id), now: 0) }
    let raised = book.handle(.tick, now: 1).raise
    #expect(raised.map(\.record) == [RecordID(1), RecordID(2), RecordID(3)])
    #expect(book.handle(.rangeCleared(a, RecordID(2)), now: 1).lower.map(\.record) == [RecordID(2)])
    _ = book.handle(.rangeShown(a, RecordID(4), 0..<9), now: 2)
    let gone = book.handle(.rangeCleared(a, nil), now: 2)
    #expect(gone.lower.map(\.record) == [RecordID(1), RecordID(3)])
    #expect(gone.wake == nil)
    #expect(text(book.handle(.tick, now: 3)) == [])
    #expect(text(book.handle(.rangeCleared(b, nil), now: 3)) == [])
  }

  @Test("A resource in another view is not lowered, and has the higher precedence")
  func severalViewers() {
    var book = ViewportTracker(prefetch: 2)
    #expect(settled(&book, a, 0..<4, at: 0) == ["+0..<4 visible", "+4..<6 prefetch"])
    #expect(settled(&book, b, 3..<7, at: 1) == ["+4..<7 visible", "+7..<9 prefetch"])
    #expect(text(book.handle(.rangeCleared(b, nil), now: 2)) == ["+4..<6 prefetch", "-6..<9"])
    #expect(settled(&book, b, 0..<4, at: 3) == [])
    #expect(text(book.handle(.rangeCleared(a, nil), now: 4)) == [])
    #expect(text(book.handle(.rangeCleared(b, record), now: 5)) == ["-0..<6"])
  }

  @Test("A removed record is forgotten without an action")
  func removed() {
    var book = ViewportTracker()
    _ = settled(&book, a, 0..<4, at: 0)
    _ = book.handle(.rangeShown(b, record, 1..<2), now: 1)
    let action = book.handle(.removed(record), now: 1)
    #expect(text(action) == [] && action.wake == nil)
    #expect(book.precedence(of: 1, in: record) == nil)
    #expect(settled(&book, a, 0..<4, at: 2) == ["+0..<4 visible"])
  }

  @Test("Without a time of rest a look counts at once")
  func atOnce() {
    var book = ViewportTracker(rest: 0)
    #expect(text(book.handle(.rangeShown(a, record, 0..<4), now: 0)) == ["+0..<4 visible"])
  }

  @Test("Ranges at the ends of the numbers do not trap")
  func extremes() {
    var book = ViewportTracker(rest: 0, prefetch: .max)
    for range in [.min ..< .max, .max - 1 ..< .max, .min ..< -1, 0..<1] as [Range<Int>] {
      _ = book.handle(.rangeShown(a, record, range), now: 0)
    }
    #expect(book.precedence(of: .max - 1, in: record) == .prefetch)
  }
}
