import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Lists in files of gzip and Zstandard, which come without a content coding.
@Suite(.timeLimit(.minutes(60))) struct CompressedListTests {
  private static let codings = ["gzip", "zstd"]

  private static func packed(_ bytes: [UInt8], _ coding: String) -> [UInt8] {
    coding == "zstd" ? ZstdFrame.of(bytes) : GzipMember.of(bytes)
  }

  private static let lists: [(name: String, text: String, format: ManifestFormat)] = [
    ("l.json", #"["\#(Lab.url(1))", "\#(Lab.url(2))"]"#, .json),
    ("l.jsonl", "\"\(Lab.url(1))\"\n\"\(Lab.url(2))\"\n", .jsonLines),
    ("l.csv", "url,name\n\(Lab.url(1)),a\n\(Lab.url(2)),b\n", .csv),
    ("l.txt", "\(Lab.url(1))\n\(Lab.url(2))\n", .text),
    ("l.aria2", "\(Lab.url(1))\n  out=a.png\n\(Lab.url(2))\n  out=b.png\n", .aria2),
    (
      "l.xml",
      "<urlset><url><loc>\(Lab.url(1))</loc></url><url><loc>\(Lab.url(2))</loc></url></urlset>",
      .sitemap
    ),
  ]

  private func error(
    _ lab: Lab, _ request: SourceRequest
  ) async throws -> LibraryError? {
    let engine = try await lab.started()
    let error = await #expect(throws: LibraryError.self) { try await engine.add(request) }
    #expect(try await lab.records().isEmpty)
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
    return error
  }

  private func error(_ body: [UInt8]) async throws -> LibraryError? {
    let lab = try Lab()
    lab.web.serve(Lab.list, FakeAnswer(body: body))
    return try await error(lab, Lab.request(Lab.list))
  }

  @Test("A compressed list is read as the list that it contains", arguments: codings)
  func lists(coding: String) async throws {
    for list in Self.lists {
      let url = "http://h/\(list.name).\(coding == "zstd" ? "zst" : "gz")"
      let lab = try Lab()
      lab.web.serve(url, FakeAnswer(body: Self.packed(Array(list.text.utf8), coding)))
      let result = try await lab.run(url)
      #expect(result.entryCount == 2 && result.problems.isEmpty, "\(list.name): \(result)")
      #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)], "\(list.name)")
      let record = try #require(try await lab.records().first)
      let state = try #require(try await lab.disk.source(record.source)).state
      #expect(state.format == list.format.rawValue)
      #expect(lab.incomingFiles.isEmpty)
    }
  }

  @Test("A compressed list in UTF-16 is read", arguments: codings)
  func utf16(coding: String) async throws {
    let lab = try Lab()
    let text = Array("\(Lab.url(1))\n\(Lab.url(2))\n".utf8)
    let body = Self.packed([0xff, 0xfe] + text.flatMap { [$0, 0] }, coding)
    lab.web.serve(Lab.list, FakeAnswer(body: body))
    #expect(try await lab.run(Lab.list).entryCount == 2)
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)])
  }

  @Test("A compressed list is read from a file, which stays as it is", arguments: codings)
  func file(coding: String) async throws {
    let lab = try Lab()
    let outside = try TemporaryFolder()
    let bytes = Self.packed(Array(#"["\#(Lab.url(1))"]"#.utf8), coding)
    let path = try outside.write("list.json.packed", bytes)
    let engine = try await lab.started()
    let result = try await engine.add(SourceRequest(location: .file(path)))
    #expect(result.entryCount == 1)
    await engine.stop()
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1)])
    #expect(try FileSystem.contents(of: path, limit: 1 << 20) == bytes)
    #expect(try FileSystem.list(outside.path).count == 1)
  }

  @Test("Damaged and truncated lists, and those that are compressed twice, are refused")
  func faults() async throws {
    let text = Array("\(Lab.url(1))\n\(Lab.url(2))\n".utf8)
    for (body, words) in [
      (Array(GzipMember.of(text).dropLast(9)), "the gzip data is cut off"),
      (Array(ZstdFrame.of(text).dropLast(9)), "the zstd data is cut off"),
      (GzipMember.of(text, checksum: 1), "the gzip data is damaged"),
      (GzipMember.of(GzipMember.of(text)), "is compressed twice with gzip"),
      (ZstdFrame.of(ZstdFrame.of(text)), "is compressed twice with zstd"),
      (ZstdFrame.of(GzipMember.of(text)), "is compressed twice with gzip and zstd"),
      (ZstdFrame.of(text, window: 0xa0), "the zstd data needs a window of more than 8 MiB"),
      (ZstdFrame.of(Lab.image(1)), "the content of the zstd data is not a list in a known format"),
    ] {
      let error = try await error(body)
      #expect(error?.code == .source)
      #expect(error?.detail.contains("\(Lab.list): \(words)") == true, "\(error as Any)")
    }
  }

  @Test("A bomb ends at the limit for the decoded list", arguments: codings)
  func bomb(coding: String) async throws {
    let count = 8 << 20
    let lab = try Lab()
    lab.settings.limits.manifestBytes = 1 << 20
    let body =
      coding == "zstd"
      ? ZstdFrame.repeating(0x41, count: count)
      : GzipMember.wrap(Deflate.compress(repeating: 0x41, count: count), 0, UInt32(count))
    lab.web.serve(Lab.list, FakeAnswer(body: body))
    let error = try await error(lab, Lab.request(Lab.list))
    #expect(error?.code == .policy)
    #expect(
      error?.detail.contains("more than 1048576 bytes when decoded (limits.manifestBytes)") == true,
      "\(error as Any)")
  }

  @Test(
    "The decoded bytes of all documents count against the limit of the source", arguments: codings)
  func documents(coding: String) async throws {
    let lab = try Lab()
    lab.settings.limits.manifestBytes = 3_000
    let padding = "#" + String(repeating: " ", count: 2_000) + "\n"
    for number in 1...2 {
      let text = padding + "\(Lab.url(number))\n"
      var answer = FakeAnswer(body: Self.packed(Array(text.utf8), coding))
      if number == 1 { answer = answer.with("Link", "</2>; rel=next") }
      lab.web.serve("http://h/\(number)", answer)
    }
    let result = try await lab.run("http://h/1")
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1)])
    #expect(result.problems.contains { $0.contains("more than 3000 bytes together") }, "\(result)")
  }

  @Test("A compressed list without content does not replace one that has some", arguments: codings)
  func blank(coding: String) async throws {
    let lab = try Lab()
    lab.serveImages(1...2)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Lab.list)).records[0]
    for text in ["", " \n\n"] {
      lab.web.serve(Lab.list, FakeAnswer(body: Self.packed(Array(text.utf8), coding)))
      let error = await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
      #expect(error?.detail == "\(Lab.list): the document is empty")
    }
    await engine.stop()
  }
}
