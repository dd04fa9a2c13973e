import Models

import Testing

@testable import ProgressTree
@testable import CLIProgram

@Suite struct ProgressLinesTests {
  private func progress() -> LibraryProgress {
    var progress = LibraryProgress()
    progress.total = 2_000
    progress.finished = 42
    progress.failed = 1
    progress.bytes = 12_300_000
    progress.bytesPerSecond = 1_234_567
    progress.secondsLeft = 125
    for number in 1...3 {
      progress.records.append(
        RecordProgress(
          id: RecordID(Int64(number)), title: number == 2 ? "日本の風景" : "Birds \(number)",
          total: 700, finished: 14, failed: 0,
          activity: ActivityCounts(downloading: number == 3 ? 0 : 4), fraction: 0.02, bytes: 4_000))
    }
    return progress
  }

  @Test(
    "lines are never wider than the terminal, and their bars are aligned",
    arguments: [20, 40, 60, 80, 100, 200])
  func widths(_ columns: Int) {
    let lines = ProgressLines.render(progress(), RecordRates(), columns: columns, rows: 24)
    #expect(lines.count == 4)
    let starts = lines.map { line in
      CellWidth.columns(of: line.prefix { $0 != "▕" })
    }
    #expect(Set(starts).count == 1, "\(lines.joined(separator: "\n"))")
    if columns >= 40 {
      for line in lines {
        #expect(CellWidth.columns(of: line) < columns, "\(line)")
        #expect(line.contains("14/700") || line.contains("43/2000"))
      }
    }
    if columns >= 80 {
      #expect(lines[3].contains("1.2 MB/s") && lines[3].contains("ETA 2m 05s"))
      #expect(lines[3].contains("1 failed"))
    }
  }

  @Test("active records come first; records without room are counted")
  func manyRecords() {
    let lines = ProgressLines.render(progress(), RecordRates(), columns: 80, rows: 5)
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("Birds 1"))
    #expect(lines[2] == "… and 1 more")
    #expect(lines[3].hasPrefix("Total"))
  }

  @Test("the rate of a record follows its bytes, and its remaining time the completed part of it")
  func rates() {
    var rates = RecordRates()
    var progress = progress()
    for second in 0...20 {
      progress.records[0].bytes = Int64(second) * 1_000_000
      progress.records[0].finished = 14 + second * 2
      progress.records[0].fraction = Double(progress.records[0].settled) / 700
      rates.update(progress.records, at: Double(second))
    }
    let id = progress.records[0].id
    #expect(abs(rates.bytesPerSecond(id) - 1_000_000) < 10_000)
    let left = rates.secondsLeft(progress.records[0]) ?? 0
    #expect(abs(left - Double(700 - 54) / 2) < 5)
    #expect(rates.secondsLeft(progress.records[1]) == nil)
  }

  @Test("times have at most two units")
  func times() {
    #expect(ProgressLines.time(0.2) == "1s")
    #expect(ProgressLines.time(59) == "59s")
    #expect(ProgressLines.time(185) == "3m 05s")
    #expect(ProgressLines.time(7_800) == "2h 10m")
    #expect(ProgressLines.time(.infinity) == "—")
    #expect(ProgressLines.time(1e12) == "—")
  }

  @Test(
    "the width of a bar is correct for any fraction", arguments: [-1, 0, 0.01, 0.5, 0.999, 1, 2])
  func bars(_ fraction: Double) {
    #expect(ProgressLines.bar(fraction, 10).count == 12)
  }
}

@Suite struct FramePainterTests {
  @Test("a frame replaces the previous one, also if their sizes differ")
  func frames() {
    var painter = FramePainter()
    var screen = Screen(columns: 20, rows: 8)
    for lines in [["one", "two"], ["1"], ["a", "b", "c"], []] {
      screen.show(painter.paint(lines, columns: 20).replacing("\n", with: "\r\n"))
      #expect(screen.lines == lines)
    }
  }

  @Test("a line that is too long is truncated, never wrapped")
  func cut() {
    var painter = FramePainter()
    var screen = Screen(columns: 10, rows: 8)
    screen.show(
      painter.paint(["a line that is long"], columns: 10).replacing("\n", with: "\r\n"))
    #expect(screen.lines == ["a line t…"])
  }

  @Test("lines that a narrower terminal has wrapped are cleared completely")
  func narrower() {
    var painter = FramePainter()
    let line = String(repeating: "x", count: 30)
    _ = painter.paint([line, line], columns: 40)
    #expect(painter.erase(columns: 16).hasPrefix("\u{1b}[4A"))
    #expect(painter.erase(columns: 16) == "")
  }
}

@Suite struct TableTests {
  @Test("columns are as wide as their widest cell; wide characters count twice")
  func widths() {
    var table = Table([("NAME", .left), ("SIZE", .right)])
    table.add(["日本", "1"])
    table.add(["bird", "100"])
    #expect(table.lines() == ["NAME  SIZE", "日本     1", "bird   100"])
  }

  @Test("on a narrow terminal the longest texts are truncated, numbers never")
  func fitting() {
    var table = Table([("#", .right), ("TITLE", .text), ("STATUS", .left), ("FILE", .name)])
    table.add(["12345", String(repeating: "x", count: 50), "Finished", "http://host/a-name.png"])
    let lines = table.lines(columns: 45)
    #expect(lines[1] == "12345  xxxxxxxxxxxx…  Finished  http:/…me.png")
    #expect(table.lines(columns: 10)[1] == "12345  xx…")
  }

  @Test(
    "no line is wider than the terminal, and without a terminal nothing is truncated",
    arguments: 1...130)
  func narrow(columns: Int) {
    var table = Table(
      [
        ("#", .right), ("NAME", .name), ("BYTES", .right), ("STATUS", .left), ("WHY", .text),
        ("PIXELS", .right),
      ], dispensable: ["PIXELS", "WHY"])
    table.add(["1", "日本の鳥の長い名前.png", "1234567890", "Finished, 12 failed", "", ""])
    let reason = String(repeating: "reason ", count: 9)
    table.add(["10000", "bird.png", "1", "Error", reason, "4000×3000"])
    for line in table.lines(columns: columns) {
      #expect(CellWidth.columns(of: line) <= columns, "\(line)")
    }
    #expect(table.lines().joined().contains(reason + "  4000×3000"))
  }

  @Test("the least important column is omitted before the texts of the others become empty")
  func leavingOut() {
    var table = Table(
      [("NAME", .name), ("BYTES", .right), ("CONNECT", .right)],
      dispensable: ["CONNECT", "BYTES"])
    table.add(["a-name-of-some-length.png", "12345678", "1.5"])
    #expect(table.lines(columns: 44)[1] == "a-name-of-some-length.png  12345678      1.5")
    #expect(table.lines(columns: 33)[1] == "a-name…gth.png  12345678      1.5")
    #expect(
      table.lines(columns: 30)
        == ["NAME                     BYTES", "a-name-of…length.png  12345678"])
    #expect(table.lines(columns: 20) == ["NAME", "a-name-of…length.png"])
  }

  @Test("a sentence is wrapped between words; a word that is longer than a line is not divided")
  func sentences() {
    #expect(
      CellWidth.wrap("3: http://host/a.png: no such file there", 20, indent: 2)
        == ["3:", "  http://host/a.png:", "  no such file there"])
    #expect(
      CellWidth.wrap("    sudo apt install", 12, indent: 4) == ["    sudo apt", "    install"])
    #expect(CellWidth.wrap("fits", 4) == ["fits"])
  }
}
