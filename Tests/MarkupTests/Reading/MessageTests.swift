import Markup
import MarkupMessages
import Models
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("Messages about markup") struct MessageTests {
  private static let entry: MarkupEntry = {
    var entry = MarkupEntry(url: "https://example.org/a.jpg")
    entry.title = "Zürich"
    entry.name = "a.jpg"
    entry.checksum = "md5=" + String(repeating: "0a", count: 16)
    entry.referrerPolicy = "no-referrer"
    entry.byteCount = .max
    entry.mirrors = ["https://mirror.example/a.jpg", "b.jpg"]
    return entry
  }()

  static let allReports: [ReadReport] =
    [
      .items([.entry(entry), .base("/x/"), .title(""), .nextPage("?p=2"), .problem("has no URL")]),
      .items([.remark("is odd", line: 3), .remark("", line: nil), .truncation("ends early")]),
      .items([.document("sub/", .record), .document("2.xml", .part), .entry(MarkupEntry(url: ""))]),
      .end,
    ]
    + MarkupRule.allCases.map { .items([.rule($0)]) }
    + [MarkupError.Code.io, .syntax, .unsupported, .limit].map { .fail($0, "the reason") }

  @Test("A report is read as it was written", arguments: allReports)
  func reports(_ report: ReadReport) throws {
    #expect(try ReadReport(report.frame) == report)
  }

  @Test("A request is read as it was written")
  func requests() throws {
    let file = try FileSystem.open("/dev/null")
    for request in [
      MarkupRequest(),
      MarkupRequest(
        rule: .feed, charset: "utf-8", url: "https://example.org/",
        limits: MarkupLimits(bytes: 1, depth: 2, items: 3, textLength: .max),
        rejectsMalformed: true),
    ] {
      let frame = ReadRequest(request).frame(file)
      #expect(try ReadRequest(frame).request == request)
      for length in 0..<frame.payload.count {
        #expect(throws: WorkerError.self) {
          try ReadRequest(Frame(kind: frame.kind, payload: Array(frame.payload.prefix(length))))
        }
      }
    }
  }

  @Test("A limit names the setting that raises it, or that there is none")
  func origins() {
    var settings = Settings().limits
    let defaults = MarkupLimits(settings)
    #expect(defaults.originOfBytes == MarkupLimits.fixed)
    #expect(defaults.originOfItems == MarkupLimits.fixed)
    settings.manifestBytes = MarkupLimits.defaultBytes - 1
    settings.manifestEntries = MarkupLimits.defaultItems - 1
    let smaller = MarkupLimits(settings)
    #expect(smaller.originOfBytes == "limits.manifestBytes")
    #expect(smaller.originOfItems == "limits.manifestEntries")
  }

  @Test("Damaged reports are errors or other reports, and never trap")
  func damaged() {
    var generator = SeededGenerator(seed: 7)
    for report in Self.allReports {
      let frame = report.frame
      for _ in 0..<2_000 {
        var payload = frame.payload
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !payload.isEmpty {
          let index = Int.random(in: 0..<payload.count, using: &generator)
          payload[index] = UInt8(truncatingIfNeeded: generator.next())
        }
        payload.removeLast(
          min(
            payload.count,
            Int.random(in: 0...1, using: &generator) * Int.random(in: 0...9, using: &generator)))
        _ = try? ReadReport(Frame(kind: frame.kind, payload: payload))
      }
    }
  }
}
