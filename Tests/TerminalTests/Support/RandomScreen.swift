import TestSupport

@testable import Terminal

/// Draws anything anywhere, again and again the same for one seed.
struct RandomScreen {
  var generator: SeededGenerator

  static let clusters: [String] = [
    "a", "b", "Z", "0", " ", "é", "e\u{301}", "ß", "ж", "─", "█", "…", "日", "本", "語", "한", "ｗ",
    "\u{1112}\u{1161}\u{11ab}", "😀", "👨‍👩‍👧‍👦", "🇩🇪", "❤️", "☂", "क्षि", "ก็", "\u{300}", "\u{200b}", "\t",
    "\u{1b}", "\u{202e}", "x\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{10ffff}", "⌚",
    "\u{85}",
  ]

  mutating func size() -> Size {
    Size(Int.random(in: 1...44, using: &generator), Int.random(in: 1...12, using: &generator))
  }

  mutating func style() -> Style {
    Style(
      colour(), on: colour(),
      Attributes(rawValue: UInt8.random(in: 0..<64, using: &generator)))
  }

  private mutating func colour() -> Colour {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0, 1: .default
    case 2: .rgb(UInt32.random(in: 0...0xff_ffff, using: &generator))
    // Few values, so that neighbours share them.
    default: .rgb([0xff0000, 0x00ff00, 0x101010].randomElement(using: &generator) ?? 0)
    }
  }

  mutating func text() -> String {
    (0..<Int.random(in: 0...12, using: &generator)).map { _ in
      Self.clusters.randomElement(using: &generator) ?? "a"
    }.joined()
  }

  mutating func rect(_ size: Size) -> Rect {
    Rect(
      Int.random(in: -4...size.columns, using: &generator),
      Int.random(in: -3...size.rows, using: &generator),
      Int.random(in: 0...size.columns, using: &generator),
      Int.random(in: 0...size.rows, using: &generator))
  }

  /// Changes a screen in some places.
  mutating func change(_ buffer: inout CellBuffer) {
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: buffer.fill(rect(buffer.size), style: style())
      case 1: buffer.fill(rect(buffer.size))
      case 2:
        let style = style()
        buffer.restyle(rect(buffer.size)) { _ in style }
      case 3:
        let inner = rect(buffer.size)
        let text = text() + text()
        let style = style()
        let point = point(buffer.size)
        buffer.clipped(to: inner) { $0.write(text, at: point, style: style) }
      default: buffer.write(text(), at: point(buffer.size), style: style())
      }
    }
  }

  private mutating func point(_ size: Size) -> Point {
    Point(
      Int.random(in: -5..<size.columns + 2, using: &generator),
      Int.random(in: -1...size.rows, using: &generator))
  }
}
