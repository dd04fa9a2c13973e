import Foundation

/// Horizontal bars with whiskers from the smallest to the largest value, as an SVG element.
struct BarChart {
  struct Bar {
    let label: String
    let spread: MedianRange
    /// The text after the bar: the median, with its ratio to the first combination.
    let figure: String
  }

  /// The text that screen readers read instead of the chart.
  let title: String
  let bars: [Bar]

  /// The width of the chart in units of the view box, about one pixel each.
  private static let width = 860.0
  private static let barLeft = 300.0
  private static let barWidth = 330.0
  private static let rowHeight = 34.0
  private static let barHeight = 18.0
  /// The number of character cells of a label that fit to the left of the bars.
  private static let labelCells = 40

  var svg: String {
    let height = Self.rowHeight * Double(bars.count)
    let largest = bars.map(\.spread.maximum).max() ?? 0
    var lines = [
      """
      <svg viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" role="img" \
      aria-label="\(HTMLText.escaped(title))">
      """
    ]
    for (index, bar) in bars.enumerated() {
      lines += row(bar, top: Self.rowHeight * Double(index), largest, isFirst: index == 0)
    }
    return (lines + ["</svg>"]).joined(separator: "\n")
  }

  private func row(_ bar: Bar, top: Double, _ largest: Double, isFirst: Bool) -> [String] {
    let middle = top + Self.rowHeight / 2
    let baseline = Self.number(middle + 5)
    let end = Self.x(bar.spread.median, largest)
    let left = Self.x(bar.spread.minimum, largest)
    let right = Self.x(bar.spread.maximum, largest)
    let label = HTMLText.escaped(CellWidth.fitMiddle(bar.label, Self.labelCells))
    return [
      "<g><title>\(HTMLText.escaped("\(bar.label): \(bar.figure)"))</title>",
      """
      <text class="label" x="\(Self.number(Self.barLeft - 12))" y="\(baseline)">\(label)</text>
      """,
      """
      <rect class="\(isFirst ? "first" : "other")" x="\(Self.number(Self.barLeft))" \
      y="\(Self.number(middle - Self.barHeight / 2))" \
      width="\(Self.number(end - Self.barLeft))" height="\(Self.number(Self.barHeight))"/>
      """,
      """
      <path class="whisker" d="\(Self.whisker(left, right, middle))"/>
      """,
      """
      <text x="\(Self.number(max(end, right) + 12))" y="\(baseline)">\
      \(HTMLText.escaped(bar.figure))</text></g>
      """,
    ]
  }

  /// Returns the path of a horizontal line from `left` to `right` with a vertical stroke at each end.
  private static func whisker(_ left: Double, _ right: Double, _ middle: Double) -> String {
    let (top, bottom) = (number(middle - 6), number(middle + 6))
    return """
      M\(number(left)) \(number(middle))H\(number(right))\
      M\(number(left)) \(top)V\(bottom)M\(number(right)) \(top)V\(bottom)
      """
  }

  private static func x(_ value: Double, _ largest: Double) -> Double {
    barLeft + (largest > 0 ? value / largest * barWidth : 0)
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// Escapes text for an HTML page or SVG element.
enum HTMLText {
  static func escaped(_ text: String) -> String {
    Console.escaped(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
