/// The output of `--html`: one file without scripts or references to the network, which follows the light or
/// dark theme of the reader's system.
struct ExperimentPage {
  private let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var text: String {
    let command = HTMLText.escaped(result.command)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(command)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <h1><code>\(command)</code></h1>
      <p>\(introduction)</p>
      \(warning)\(Measure.allCases.map(section).joined(separator: "\n"))
      <h2>Figures</h2>
      \(table)
      </body>
      </html>

      """
  }

  private var introduction: String {
    let runs = result.repetitions == 1 ? "one run" : "\(result.repetitions) runs"
    return HTMLText.escaped(
      "\(result.machine.sentence); \(runs) of each combination. A bar ends at the median, its "
        + "whiskers at the smallest and the largest figure; the ratio is that of the medians to "
        + "the first combination.")
  }

  private var warning: String {
    guard !result.differences.isEmpty else { return "" }
    let items = result.differences.map { "<li>\(HTMLText.escaped($0))</li>" }.joined()
    return """
      <div class="warning"><strong>The runs left different files: these figures compare \
      nothing.</strong><ul>\(items)</ul></div>

      """
  }

  /// Returns a bar chart of the measure; empty if all values are equal.
  private func section(_ measure: Measure) -> String {
    let rows = result.rows(measure)
    let values = rows.flatMap { [$0.spread.minimum, $0.spread.maximum] }
    guard let first = values.first, values.contains(where: { $0 != first }) else { return "" }
    let bars = rows.map { row in
      BarChart.Bar(
        label: row.combination, spread: row.spread,
        figure: FigureText.of(row.spread.median, measure)
          + (row.ratio.map { " (\(FigureText.ratio($0)) ×)" } ?? ""))
    }
    return """
      <h2>\(measure.title)</h2>
      \(BarChart(title: measure.title, bars: bars).svg)
      """
  }

  private var table: String {
    var lines = [
      "<table>",
      "<tr><th>measure<th>combination<th>median<th>min<th>max<th>ratio</tr>",
    ]
    for measure in Measure.allCases {
      for (index, row) in result.rows(measure).enumerated() {
        let spread = row.spread
        let figures = [spread.median, spread.minimum, spread.maximum].map {
          "<td class=\"figure\">\(FigureText.of($0, measure))"
        }.joined()
        lines.append(
          "<tr><td>\(index == 0 ? measure.title : "")<td>\(HTMLText.escaped(row.combination))"
            + "\(figures)<td class=\"figure\">\(FigureText.ratio(row.ratio))</tr>")
      }
    }
    return (lines + ["</table>"]).joined(separator: "\n")
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #d0d7de;
      --first: #8c959f; --other: #2f81f7; --loud: #b42318; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6edf3; --paper: #0d1117; --faint: #30363d; --first: #6e7681;
        --other: #58a6ff; --loud: #ff7b72; }
    }
    body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
      max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
    h2 { font-size: 1rem; margin: 1.5rem 0 0.25rem; }
    svg { width: 100%; height: auto; }
    svg text { font-size: 14px; fill: var(--ink); }
    svg .label { text-anchor: end; }
    svg .first { fill: var(--first); }
    svg .other { fill: var(--other); }
    svg .whisker { stroke: var(--ink); stroke-width: 1.5; fill: none; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: 0.2rem 0.75rem; text-align: left; border-bottom: 1px solid var(--faint); }
    .figure { text-align: right; }
    .warning { border: 2px solid var(--loud); color: var(--loud); padding: 0.5rem 1rem; }
    """
}
