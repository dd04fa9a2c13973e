import Models
import ProgressTree
import Terminal
import Testing

@testable import Screens

@Suite("Columns of the list of records")
struct RecordColumnsTests {
  /// One record in each state that there is, with as long a text as people meet.
  static let library = FakeRows(records: [
    FakeRows.record(1, "Birds", total: 1_255, finished: 120, failed: 12),
    FakeRows.record(2, "Fishes", total: 40, finished: 28, failed: 12),
    FakeRows.record(3, "Flags", total: 1_255, finished: 1_244, failed: 11, cancelled: 3),
    FakeRows.record(4, "Lists", total: 2_100, isLazy: true),
    FakeRows.record(5, "Heads", total: 192, isPaused: true),
    FakeRows.record(6, "Stars", total: 12),
  ])

  static func stage(_ columns: Int) -> Stage {
    var stage = Stage(columns, 30, library: library)
    var facts = LibrarySnapshot()
    facts.active = 3
    facts.records[RecordID(1)] = RecordProgress(
      id: RecordID(1), title: "Birds", total: 1_255, finished: 121, failed: 12,
      activity: ActivityCounts(downloading: 3), fraction: 0.1, bytes: 10_000_000)
    stage.send(.snapshot(facts))
    stage.now += 1
    facts.records[RecordID(1)]?.bytes = 99_000_000
    facts.records[RecordID(1)]?.fraction = 0.1005
    stage.send(.snapshot(facts))
    return stage
  }

  @Test("no state and no number of any record is truncated, at any width", arguments: 40...200)
  func nothingCut(_ columns: Int) {
    let stage = Self.stage(columns)
    let text = stage.text
    for word in [
      "Downloading...", "121/1,255, 12 failed", "Finished, 12 failed", "28/40",
      "Finished, 8 failed, 3 cancelled", "1,244/1,255", "On demand", "0/2,100", "Paused", "0/192",
      "Queuing...", "0/12",
    ] {
      #expect(text.contains(word), "\(word) at \(columns):\n\(text)")
    }
    for title in ["Birds", "Fishes", "Flags", "Lists", "Heads", "Stars"] {
      #expect(text.contains(title), "\(title) at \(columns)")
    }
  }

  @Test("the names of columns are above them, and columns without room are omitted completely")
  func headings() {
    for columns in [80, 100, 120, 200] {
      let heading = Self.stage(columns).lines[1]
      for word in heading.split(separator: " ") {
        #expect(
          ["Title", "Status", "Progress", "Done", "Rate", "ETA"].contains(String(word)),
          "\(word) at \(columns)")
      }
      #expect(heading.contains("Status") && heading.contains("Done"))
    }
    #expect(Self.stage(200).lines[1].contains("ETA"))
  }

  @Test("records with equal titles show their origins; those with equal origins their folders")
  func distinctions() {
    let rows = FakeRows(records: [
      FakeRows.record(1, "Birds", total: 2, finished: 2, origin: "a.example"),
      FakeRows.record(2, "Birds", total: 2, finished: 2, origin: "b.example"),
      FakeRows.record(3, "Fishes", total: 2, finished: 2, origin: "c.example"),
      FakeRows.record(4, "Stars", total: 2, finished: 2, origin: "d.example"),
      FakeRows.record(
        5, "Stars", total: 2, finished: 2, origin: "d.example", folder: "Stars (2)"),
    ])
    for columns in [80, 200] {
      let stage = Stage(columns, 24, library: rows)
      let lines = stage.lines
      #expect(lines[2].contains("Birds a.example"))
      #expect(lines[3].contains("Birds b.example"))
      #expect(!stage.text.contains("c.example"))
      #expect(lines[5].contains("Stars d.example"))
      #expect(lines[6].contains("Stars (2) d.example"))
    }
    let narrow = Stage(40, 16, library: rows)
    #expect(narrow.text.contains("Birds a.example") && narrow.text.contains("Birds b.example"))
  }
}
