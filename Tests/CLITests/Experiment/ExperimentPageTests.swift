import Foundation
import Testing

@testable import CLIProgram

@Suite struct ExperimentPageTests {
  /// Attribute values of the elements of that name and class.
  private func attributes(_ name: String, of element: String, in text: String) -> [Double] {
    text.split(separator: "<").filter { $0.hasPrefix(element) }.compactMap { tag in
      guard let start = tag.range(of: " \(name)=\"") else { return nil }
      return Double(tag[start.upperBound...].prefix { $0 != "\"" })
    }
  }

  @Test("the page needs nothing but itself")
  func selfContained() {
    let page = ExperimentPage(ExperimentResultTests.result([[1, 2], [3, 4]])).text
    for word in ["<script", "http:", "https:", "src=", "href=", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(
      page.contains("<title>imgdl-cli experiment a.json --vary network.retries=0,1</title>"))
    #expect(page.contains("color-scheme: light dark"))
    #expect(page.contains("@media (prefers-color-scheme: dark)"))
    #expect(page.contains("2 processors, Linux 6.1.0, imgdl-cli 0.1.0; 2 runs"))
  }

  @Test("bars are as long as medians, whiskers go from the smallest to the largest")
  func bars() throws {
    let chart = BarChart(
      title: "wall",
      bars: [
        .init(label: "a", spread: try #require(MedianRange([1, 2, 4])), figure: "2 s"),
        .init(label: "b", spread: try #require(MedianRange([8, 6, 7])), figure: "7 s"),
      ]
    ).svg
    #expect(attributes("width", of: "rect", in: chart) == [82.5, 288.8])
    #expect(chart.contains("M341.2 17.0H465.0M341.2 11.0V23.0M465.0 11.0V23.0"))
    #expect(chart.contains("M547.5 51.0H630.0"))
    #expect(chart.contains(">7 s</text>"))
    let end = attributes("x", of: "text x", in: chart)
    #expect(end == [477.0, 642.0], "figures stand behind the whiskers")
  }

  @Test("a figure that is equal in all combinations has a row in the table, and no chart")
  func same() {
    let page = ExperimentPage(ExperimentResultTests.result([[1], [2]])).text
    #expect(page.contains("<h2>wall</h2>"))
    #expect(page.contains("<h2>requests</h2>"))
    #expect(!page.contains("<h2>bytes</h2>"))
    #expect(page.contains("<td>bytes<td>retries=0<td class=\"figure\">2.6 kB"))
    #expect(!page.contains("NaN") && !page.contains("inf\""))
  }

  @Test("only zeros draw bars of no length")
  func zeros() throws {
    let spread = try #require(MedianRange([0]))
    let chart = BarChart(title: "", bars: [.init(label: "a", spread: spread, figure: "0")]).svg
    #expect(attributes("width", of: "rect", in: chart) == [0])
  }

  @Test("names from outside are escaped, and a difference is highlighted")
  func escaped() {
    var result = ExperimentResultTests.result([[1]], differences: ["<b>\"a\" & b\u{1b}"])
    #expect(
      ExperimentPage(result).text.contains(
        "<li>&lt;b&gt;&quot;a&quot; &amp; b\\u{1b}</li>"))
    #expect(ExperimentPage(result).text.contains("these figures compare nothing"))
    result = ExperimentResultTests.result([[1]])
    #expect(!ExperimentPage(result).text.contains("class=\"warning\""))
  }

  @Test("the file holds every run, warm-ups too, and whether all left the same")
  func file() throws {
    struct Read: Decodable {
      struct Run: Decodable {
        let combination: Int
        let repetition: Int
        let wallSeconds: Double
      }
      let command: String
      let identical: Bool
      let runs: [Run]
    }
    let result = ExperimentResultTests.result([[1, 2], [3, 4]], differences: ["x"])
    let read = try JSONDecoder().decode(Read.self, from: Data(ExperimentFile(result).text().utf8))
    #expect(read.command == result.command)
    #expect(!read.identical)
    #expect(read.runs.map(\.wallSeconds) == [99, 1, 2, 99, 3, 4])
    #expect(read.runs.map(\.repetition) == [0, 1, 2, 0, 1, 2])
  }
}
