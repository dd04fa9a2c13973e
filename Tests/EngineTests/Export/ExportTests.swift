import Export
import Foundation
import LibraryAPI
import Manifests
import Models
import Persistence
import Synchronization
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Rows that other programs can read.
@Suite struct ExportTests {
  private func export(
    _ record: RecordID, _ format: ExportFormat, _ shelf: Shelf
  ) async throws -> String {
    let text = Mutex("")
    try await RecordExport(store: shelf.store).export(record, as: format) { lines in
      text.withLock { $0 += lines }
    }
    return text.withLock { $0 }
  }

  /// One of each state, with a reason that needs quoting.
  private func shelf() async throws -> (Shelf, [Resource]) {
    let shelf = try Shelf()
    let resources = try await shelf.add("a, b", (1...3).map { Shelf.bytes($0, 10) })
    var file = try #require(resources[0].file)
    file.timings.queue = 1
    file.timings.lastByte = 3.5
    try shelf.store.apply(
      [
        .stored(resources[0].id, file), .finished(resources[0].id, pages: [], reason: nil),
        .requeued(resources[1].id, reason: nil), .requeued(resources[2].id, reason: nil),
        .failed(resources[2].id, reason: "the \"server\" said\r\n\u{1b}[2Jno, never", pages: []),
      ])
    return (shelf, resources)
  }

  @Test("CSV has a header, a line per row, CRLF, and quotation marks where they are needed")
  func csv() async throws {
    let (shelf, resources) = try await shelf()
    let digest = try #require(resources[0].file?.digest)
    let text = try await export(resources[0].record, .csv, shelf)
    #expect(
      text == """
        url,file,sha256,status,reason,bytes,ms,title,md5,sha1,sha224,sha384,sha512\r
        http://h/1.bin,"a, b/1.bin",\(digest),finished,,10,2.5,,,,,,\r
        http://h/2.bin,,,queued,,,,,,,,,\r
        http://h/3.bin,,,failed,"the ""server"" said\\u{d}\\u{a}\\u{1b}[2Jno, never",,,,,,,,\r

        """)
  }

  @Test("no cell begins a formula, unless raw cells are requested")
  func formulas() async throws {
    let (shelf, resources) = try await shelf()
    try shelf.store.apply(
      [.failed(resources[1].id, reason: "=cmd|' /C calc'!A0", pages: [])])
    let safe = try await export(resources[0].record, .csv, shelf)
    #expect(safe.contains(",'=cmd|' /C calc'!A0,"))
    let raw = Mutex("")
    try await RecordExport(store: shelf.store).export(
      resources[0].record, as: .csv, isRaw: true
    ) { lines in raw.withLock { $0 += lines } }
    #expect(raw.withLock { $0 }.contains(",=cmd|' /C calc'!A0,"))
  }

  @Test("JSON lines are valid JSON, for any texts of a server")
  func jsonl() async throws {
    let (shelf, resources) = try await shelf()
    let mirrors = ["http://m/\"1", "http://m/2"]
    try shelf.store.apply([.mirrored(resources[1].id, mirrors: mirrors, byteCount: nil)])
    let lines = try await export(resources[0].record, .jsonl, shelf).split(separator: "\n")
    let rows = try lines.map {
      try #require(
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(rows.count == 3)
    #expect(rows[0]["file"] as? String == "a, b/1.bin")
    #expect(rows[0]["bytes"] as? Int == 10 && rows[0]["ms"] as? Double == 2.5)
    #expect(rows[0]["reason"] == nil && rows[1]["file"] == nil)
    #expect(rows[2]["reason"] as? String == "the \"server\" said\r\n\u{1b}[2Jno, never")
    #expect(rows.map { $0["mirrors"] as? [String] } == [nil, mirrors, nil])
    #expect(!lines[2].unicodeScalars.contains("\u{1b}"))
  }

  @Test("JSON lines are read again as a list of the same content")
  func roundTrip() async throws {
    let (shelf, resources) = try await shelf()
    let mirrors = ["http://m/\"1", "http://m/2"]
    try shelf.store.apply([.mirrored(resources[1].id, mirrors: mirrors, byteCount: nil)])
    let text = try await export(resources[0].record, .jsonl, shelf)
    var parser = ManifestParser(format: nil, name: "list")
    var items: [ManifestItem] = []
    try parser.receive(Array(text.utf8).span.bytes, into: &items)
    try parser.finish(into: &items)
    let entries = items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    #expect(parser.format == .jsonLines && entries.count == items.count)
    #expect(entries.map(\.address) == resources.map(\.url))
    #expect(
      entries.map(\.checksum) == [resources[0].file.map { Checksum($0.digest) }, nil, nil])
    #expect(entries.map(\.mirrors) == [[], ["http://m/%221", "http://m/2"], []])
    #expect(entries.map(\.byteCount) == [10, nil, nil])
    #expect(entries.allSatisfy { !$0.isByteCountBinding })
  }

  @Test(
    "titles, checksums and request fields of a list are preserved by an export",
    arguments: [ExportFormat.jsonl, .csv])
  func listed(_ format: ExportFormat) async throws {
    let fields = HTTPFields(["Referer": "http://r/?a=\"b", "X-Empty": "", "X-Tab": "a\tb"])
    let checksums = Checksum.Algorithm.allCases.map {
      Checksum([UInt8](repeating: 0x0a, count: $0.byteCount))
    }
    // The same title in successive rows is not that of a record.
    var drafts = checksums.enumerated().map { number, checksum in
      ResourceDraft(
        url: "http://h/\(number)", title: number < 3 ? "a \"b\", c.png" : "\(number)",
        expectedChecksum: checksum, fields: fields)
    }
    drafts.append(ResourceDraft(url: "http://h/x", fields: HTTPFields(["A": "1\u{1}", "B": "2"])))
    let shelf = try Shelf()
    let record = try shelf.add(drafts)
    let text = try await export(record, format, shelf)
    var parser = ManifestParser(format: nil, name: "list")
    var items: [ManifestItem] = []
    try parser.receive(Array(text.utf8).span.bytes, into: &items)
    try parser.finish(into: &items)
    let entries = items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    #expect(entries.count == items.count, "\(items)")
    #expect(entries.map { $0.name ?? $0.title } == drafts.map(\.title))
    #expect(entries.map(\.checksum) == checksums + [nil])
    let read = format == .jsonl ? fields : HTTPFields()
    #expect(entries.dropLast().allSatisfy { $0.headers == read })
    #expect(entries.last?.headers == (format == .jsonl ? HTTPFields(["B": "2"]) : HTTPFields()))
  }

  @Test("long records are exported in parts, in order")
  func pieces() async throws {
    let shelf = try Shelf()
    let resources = try await shelf.add("a", (1...2_500).map { Shelf.bytes($0, 1) })
    let pieces = Mutex<[Int]>([])
    let urls = Mutex<[String]>([])
    try await RecordExport(store: shelf.store).export(resources[0].record, as: .csv) { text in
      let lines = text.split(separator: "\r\n")
      pieces.withLock { $0.append(lines.count) }
      urls.withLock { $0 += lines.compactMap { $0.split(separator: ",").first.map(String.init) } }
    }
    #expect(pieces.withLock { $0 } == [1, 1_000, 1_000, 500])
    #expect(urls.withLock { $0 }.dropFirst() == ArraySlice(resources.map(\.url)))
  }

  @Test("the error for a missing record names it")
  func missing() async throws {
    let shelf = try Shelf()
    await #expect(throws: LibraryError(.noSuchRecord, "there is no record 7")) {
      try await export(RecordID(7), .jsonl, shelf)
    }
  }
}
