import Testing

@testable import Terminal

@Suite struct TextTests {
  @Test(
    "columns by grapheme cluster",
    arguments: [
      ("abc", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2),
      ("\u{1112}\u{1161}\u{11ab}", 2), ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("❤️", 2), ("❤", 1),
      ("1️⃣", 2), ("👍🏽", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("\u{200b}", 0), ("a\u{200d}", 1), ("\u{ad}", 0), ("─│┌", 3),
      ("ｗ", 2), ("ﾜ", 1), ("ก็", 1), ("\u{378}", 1), ("\u{e000}", 1), ("\u{20000}", 2), ("\n", 1),
      ("\u{301}", 0), ("\u{202e}abc", 3),
    ])
  func columns(text: String, columns: Int) {
    #expect(TextWidth.columns(text) == columns, "\(text.debugDescription)")
    var buffer = CellBuffer(Size(20, 1))
    #expect(buffer.write(text, at: Point(2, 0)) == columns)
  }

  @Test("text that is too long ends in an ellipsis and never takes more than its columns")
  func ellipsis() {
    var buffer = CellBuffer(Size(20, 1))
    #expect(buffer.write("日本語テキスト", at: Point(0, 0), columns: 6) == 5)
    #expect(buffer.text(ofRow: 0) == "日本…")
    #expect(buffer.write("short", at: Point(0, 0), columns: 6) == 5)
    #expect(buffer.write("x", at: Point(0, 0), columns: 0) == 0)
  }

  @Test("a prefix holds whole clusters only")
  func prefix() {
    #expect(TextWidth.prefix("a日b", columns: 2) == ("a", 1))
    #expect(TextWidth.prefix("👨‍👩‍👧‍👦b", columns: 2) == ("👨‍👩‍👧‍👦", 2))
    #expect(TextWidth.prefix("ab", columns: 9) == ("ab", 2))
  }

  @Test("control characters show as pictures, and nothing turns the text around")
  func hostile() {
    var buffer = CellBuffer(Size(20, 1))
    buffer.write("a\u{1b}[2J\n\u{9b}\u{202e}b\u{200b}c\u{7f}", at: Point(0, 0))
    #expect(buffer.text(ofRow: 0) == "a␛[2J␊\u{fffd}bc␡")
  }

  @Test("half of a wide cluster is never left: not by a clip, not by what is written over it")
  func halves() {
    var buffer = CellBuffer(Size(6, 1))
    buffer.clipped(to: Rect(1, 0, 3, 1)) { $0.write("日本語", at: Point(0, 0)) }
    #expect(buffer.text(ofRow: 0) == "  本")
    buffer.write("x", at: Point(3, 0))
    #expect(buffer.text(ofRow: 0) == "   x")
    buffer.write("日本", at: Point(0, 0))
    buffer.fill(Rect(1, 0, 1, 1), with: "-")
    #expect(buffer.text(ofRow: 0) == " -本")
  }

  @Test("an endless pile of accents is cut to its letter")
  func pile() {
    let pile = "x" + String(repeating: "\u{301}", count: 10_000)
    var buffer = CellBuffer(Size(6, 1))
    #expect(buffer.write(pile + "y", at: Point(0, 0)) == 2)
    #expect(buffer[0, 0].text == "x")
    #expect(buffer[1, 0].text == "y")
  }

  @Test("positions far outside do nothing", arguments: [Int.min, -1 << 40, 1 << 40, Int.max])
  func outside(position: Int) {
    var buffer = CellBuffer(Size(10, 3))
    let empty = buffer
    #expect(buffer.write("hello", at: Point(position, 1)) == 5)
    #expect(buffer.write("hello", at: Point(1, position)) == 5)
    #expect(buffer == empty)
  }
}
