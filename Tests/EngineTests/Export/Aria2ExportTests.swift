import Export
import LibraryAPI
import Manifests
import Models
import Persistence
import Synchronization
import Testing
import TestSupport

@testable import Engine

/// Input files of aria2, which aria2 and this program read.
@Suite struct Aria2ExportTests {
  private func export(_ drafts: [ResourceDraft]) async throws -> String {
    let shelf = try Shelf()
    let record = try shelf.add(drafts)
    let text = Mutex("")
    try await RecordExport(store: shelf.store).export(record, as: .aria2) { lines in
      text.withLock { $0 += lines }
    }
    return text.withLock { $0 }
  }

  private func entries(_ text: String) throws -> (titles: [String], entries: [ManifestEntry]) {
    var parser = ManifestParser(format: .aria2, name: "list")
    var items: [ManifestItem] = []
    try parser.receive(Array(text.utf8).span.bytes, into: &items)
    try parser.finish(into: &items)
    var result: (titles: [String], entries: [ManifestEntry]) = ([], [])
    for item in items {
      switch item {
      case .record(let title, _): result.titles.append(title)
      case .entry(let entry): result.entries.append(entry)
      default: Issue.record("\(item)")
      }
    }
    return result
  }

  @Test("What is exported is read again as the same list")
  func roundTrip() async throws {
    let checksum = try #require(Checksum(.sha1, hexadecimal: String(repeating: "0a", count: 20)))
    let fields = HTTPFields(["Referer": "http://r/?a=b", "X-Empty": "", "X-A": "1: 2"])
    let text = try await export([
      ResourceDraft(url: "http://h/1.jpg"),
      ResourceDraft(
        url: "https://h/2?a=1", title: "b.jpg", expectedChecksum: checksum, fields: fields),
    ])
    #expect(
      text == """
        http://h/1.jpg
         dir=Birds_ 1
        https://h/2?a=1
         out=b.jpg
         dir=Birds_ 1
         header=Referer: http://r/?a=b
         header=X-Empty: 
         header=X-A: 1: 2
         checksum=\(checksum)

        """)
    let (titles, entries) = try entries(text)
    #expect(titles == ["Birds_ 1"])
    #expect(entries.map(\.address) == ["http://h/1.jpg", "https://h/2?a=1"])
    #expect(entries.map(\.name) == [nil, "b.jpg"])
    #expect(entries[1].checksum == checksum && entries[1].headers == fields)
  }

  @Test("Mirrors follow the URL, with tabs between them, and are read again")
  func mirrors() async throws {
    let mirrors = [
      "http://m/1.jpg", "https://n/1.jpg?a=1", "http://evil/\t x", "http://evil/\u{1}",
    ]
    let text = try await export([ResourceDraft(url: "http://h/1.jpg", mirrors: mirrors)])
    #expect(text == "http://h/1.jpg\thttp://m/1.jpg\thttps://n/1.jpg?a=1\n dir=Birds_ 1\n")
    let entry = try #require(try entries(text).entries.first)
    #expect(entry.mirrors.map(\.description) == Array(mirrors.prefix(2)))
  }

  @Test(
    "No title becomes a path, an option or a second download",
    arguments: [
      ("../../etc/passwd", ".._.._etc_passwd"), ("/etc/passwd", "_etc_passwd"), ("..", nil),
      (". ", nil), ("", nil), ("a\nhttp://evil/x\n dir=/", "a\\u{a}http:__evil_x\\u{a} dir=_"),
      ("a\r\u{2028}b\u{0}", "a\\u{d}\\u{2028}b\\u{0}"), ("a\\..\\b", "a_.._b"),
    ])
  func hostile(title: String, name: String?) async throws {
    let text = try await export([ResourceDraft(url: "http://h/1", title: title)])
    let out = name.map { " out=\($0)\n" } ?? ""
    #expect(text == "http://h/1\n\(out) dir=Birds_ 1\n")
    #expect(try entries(text).entries.count == 1)
  }

  @Test("A header with a line break is left out, and a resource without a URL is a comment")
  func unusable() async throws {
    let text = try await export([
      ResourceDraft(url: "stdin:00\nhttp://evil/"),
      ResourceDraft(url: "http://h/1", fields: HTTPFields(["A": "1\n out=/x", "B": "2"])),
    ])
    #expect(
      text == """
        # no URL: stdin:00\\u{a}http://evil/
        http://h/1
         dir=Birds_ 1
         header=B: 2

        """)
  }

  @Test(
    "A file is called what it is called after its number, so that it gets the same name elsewhere",
    arguments: [
      ("0001-a.png", "a.png"), ("0001-10000/0001-a b.png", "a b.png"), ("0001-1-2.png", "1-2.png"),
      ("0001.png", nil), ("0002-a.png", "0002-a.png"), ("a.png", "a.png"),
    ])
  func names(file name: String, out: String?) async throws {
    let shelf = try Shelf()
    let resource = try await shelf.add("a", [[1, 2, 3]])[0]
    var file = try #require(resource.file)
    file.name = name
    try shelf.store.apply([.stored(resource.id, file)])
    let text = Mutex("")
    try await RecordExport(store: shelf.store).export(resource.record, as: .aria2) { lines in
      text.withLock { $0 += lines }
    }
    let option = out.map { " out=\($0)\n" } ?? ""
    #expect(text.withLock { $0.hasPrefix("http://h/1.bin\n\(option) dir=a\n") })
  }

  @Test("A file of the library has its checksum, and no name if its number is its whole name")
  func files() async throws {
    let shelf = try Shelf()
    let resource = try await shelf.add("a", [[1, 2, 3]])[0]
    let digest = try #require(resource.file?.digest)
    let text = Mutex("")
    try await RecordExport(store: shelf.store).export(resource.record, as: .aria2) { lines in
      text.withLock { $0 += lines }
    }
    #expect(
      text.withLock { $0 }
        == "http://h/1.bin\n dir=a\n checksum=sha-256=\(digest)\n")
  }

  @Test("An image of an image service, which aria2 cannot request, is a comment")
  func imageService() async throws {
    let text = try await export([
      ResourceDraft(url: "http://h/iiif/a#iiif"), ResourceDraft(url: "http://h/1"),
    ])
    #expect(
      text == """
        # no URL of a file, but an image service (IIIF): http://h/iiif/a#iiif
        http://h/1
         dir=Birds_ 1

        """)
    #expect(try entries(text).entries.map(\.address) == ["http://h/1"])
  }

  @Test("A field with a tab in its value is kept")
  func tabInField() async throws {
    let text = try await export([
      ResourceDraft(url: "http://h/1", fields: HTTPFields(["A": "1\t2", "B": "3"]))
    ])
    #expect(text == "http://h/1\n dir=Birds_ 1\n header=A: 1\t2\n header=B: 3\n")
    #expect(try entries(text).entries.first?.headers == HTTPFields(["A": "1\t2", "B": "3"]))
  }

  @Test("A long title yields the same name in another library", arguments: ["x", "é", "e\u{301}/"])
  func longTitle(_ unit: String) async throws {
    let title = String(repeating: unit, count: 300)
    func name(_ label: String) -> String {
      FileNaming.name(
        Resource(
          id: ResourceID(1), record: RecordID(1), index: 1, url: "http://h/1", title: label),
        at: ResourceLocation("http://h/1"), format: .png, total: 1)
    }
    let draft = try await entries(export([ResourceDraft(url: "http://h/1", title: title)]))
    #expect(name(try #require(draft.entries.first?.name)) == name(title))

    let shelf = try Shelf()
    let resource = try await shelf.add("a", [[1, 2, 3]])[0]
    var file = try #require(resource.file)
    file.name = name(title)
    try shelf.store.apply([.stored(resource.id, file)])
    let text = Mutex("")
    try await RecordExport(store: shelf.store).export(resource.record, as: .aria2) { lines in
      text.withLock { $0 += lines }
    }
    let entry = try #require(try entries(text.withLock { $0 }).entries.first)
    #expect(name(try #require(entry.name)) == file.name)
  }
}
