import LibraryAPI
import Manifests
import Models
import Testing

@testable import Engine

/// The documents of a source are read once each, depth first and in their order, within all bounds.
@Suite("The documents of a source")
struct DocumentQueueTests {
  private static let base = "http://example.org/"

  private static func url(_ path: String) throws -> HTTPURL { try HTTPURL(base + path) }

  /// Reads a source whose documents name what `web` says, and returns the paths in the order of reading.
  private static func read(
    _ web: [String: (next: String?, links: [DocumentQueue.Link])], from first: String = "a",
    pages: Int = .max, depth: Int = 8
  ) throws -> (paths: [String], queue: DocumentQueue) {
    let start = try url(first)
    var queue = DocumentQueue(.url(start), pages: pages, depth: depth)
    var paths: [String] = []
    while let document = queue.next() {
      guard case .url(let url) = document.location else { continue }
      let path = String(url.path.dropFirst())
      paths.append((document.beginsRecord ? "+" : "") + path)
      let found = web[path]
      queue.add(from: document, at: url, nextPage: found?.next, links: found?.links ?? [])
    }
    return (paths, queue)
  }

  @Test("The next page is read before linked documents, and linked documents depth first")
  func order() throws {
    let (paths, queue) = try Self.read([
      "a": ("a2", [("b", .record), ("c", .part)]),
      "a2": (nil, [("d", .record)]),
      "b": ("b2", [("e", .record)]),
    ])
    #expect(paths == ["+a", "a2", "+d", "c", "+b", "b2", "+e"])
    #expect(queue.problems.isEmpty)
    #expect(queue.hasLinks)
    #expect(queue.unreadPage == nil)
  }

  @Test("A page that names an earlier one ends the list with a problem")
  func pageLoop() throws {
    let (paths, queue) = try Self.read(["a": ("a2", []), "a2": ("a", [])])
    #expect(paths == ["+a", "a2"])
    #expect(queue.problems == ["http://example.org/a: the pages of this list form a loop"])
  }

  @Test("A page that cannot be read ends the pages, and is the next one to read another time")
  func unreadablePage() throws {
    var queue = DocumentQueue(.url(try Self.url("a")), pages: .max, depth: 8)
    let first = queue.next()
    queue.add(
      from: try #require(first), at: try Self.url("a"), nextPage: "a2", links: [("b", .record)])
    let second = queue.next()
    let document = try #require(second)
    // What the page names before an error in it is read, except for its next page.
    queue.add(from: document, at: try Self.url("a2"), nextPage: "a3", links: [("c", .record)])
    queue.fail(document)
    #expect(queue.unreadPage == (try Self.url("a2")))
    var rest: [SourceRequest.Location] = []
    while let document = queue.next() { rest.append(document.location) }
    #expect(rest == [.url(try Self.url("c")), .url(try Self.url("b"))])
  }

  @Test("Documents that link to each other are read once, and the loop is reported")
  func linkLoop() throws {
    let (paths, queue) = try Self.read([
      "a": (nil, [("b", .record), ("b", .record)]), "b": (nil, [("a", .record)]),
    ])
    #expect(paths == ["+a", "+b"])
    #expect(
      queue.problems
        == ["http://example.org/b: links to http://example.org/a, which is read only once"])
  }

  @Test("A document that is a page and a link is read once, as the page")
  func pageAndLink() throws {
    let (paths, queue) = try Self.read([
      "a": ("a2", [("a2", .record), ("a3", .record), ("b", .record)]), "a2": ("a3", []),
    ])
    #expect(paths == ["+a", "a2", "a3", "+b"])
    #expect(queue.problems.isEmpty)
  }

  @Test("A document that redirects to one that is known is not read again")
  func redirect() throws {
    var queue = DocumentQueue(.url(try Self.url("a")), pages: 1, depth: 8)
    let found = queue.next()
    let first = try #require(found)
    queue.add(
      from: first, at: try Self.url("a"), nextPage: nil, links: [("f", .record), ("f/", .record)])
    let next = queue.next()
    let linked = try #require(next)
    let isNew = queue.redirect(linked, to: try Self.url("f/"))
    #expect(!isNew)
    let isSame = queue.redirect(linked, to: try Self.url("f"))
    #expect(isSame)
  }

  @Test("Documents below the maximum depth are reported and not read")
  func depth() throws {
    let (paths, queue) = try Self.read(
      ["a": (nil, [("b", .record)]), "b": (nil, [("c", .record)])], depth: 1)
    #expect(paths == ["+a", "+b"])
    #expect(queue.problems.count == 1)
    #expect(queue.problems[0].contains("limits.sourceDepth"))
  }

  @Test("A source that is read on demand keeps the page that is not read yet")
  func onDemand() throws {
    let (paths, queue) = try Self.read(
      ["a": ("a2", [("b", .record)]), "b": ("b2", [])], pages: 1)
    #expect(paths == ["+a", "+b", "b2"])
    #expect(queue.unreadPage?.path == "/a2")
    #expect(queue.problems.isEmpty)
  }

  @Test("A million linked documents are cut off at the maximum, with one problem")
  func tooMany() throws {
    let links = (0..<1_000_000).map { ("x\($0)", ManifestLink.record) }
    let (paths, queue) = try Self.read(["a": (nil, links)])
    #expect(paths.count == DocumentQueue.maximumDocuments)
    #expect(queue.problems == ["only the first 10000 documents of the source are read"])
  }

  @Test("A list whose pages never end is cut off at the maximum, with one problem")
  func endless() throws {
    var queue = DocumentQueue(.url(try Self.url("0")), pages: .max, depth: 8)
    var count = 0
    while let document = queue.next() {
      count += 1
      queue.add(
        from: document, at: try Self.url("\(count - 1)"), nextPage: "\(count)", links: [])
    }
    #expect(count == DocumentQueue.maximumDocuments)
    #expect(queue.unreadPage?.path == "/10000")
    #expect(queue.problems == ["only the first 10000 documents of the source are read"])
  }

  @Test("Targets without a usable URL are reported, and a file's links cannot be resolved")
  func unusable() throws {
    let (paths, queue) = try Self.read(["a": ("ftp://x/", [("http://", .record), ("b", .record)])])
    #expect(paths == ["+a", "+b"])
    #expect(queue.problems.count == 2)

    var file = DocumentQueue(.file("/list.json"), pages: 1, depth: 8)
    let next = file.next()
    let first = try #require(next)
    file.add(from: first, at: nil, nextPage: "b", links: [("c", .record)])
    #expect(file.next() == nil)
    #expect(
      file.problems == [
        "links to 1 other documents, but has no URL of its own",
        "/list.json: continues, which is not read, because the list has no URL of its own",
      ])
    var input = DocumentQueue(.standardInput(spool: "/s"), pages: 1, depth: 8)
    let only = input.next()
    input.add(from: try #require(only), at: nil, nextPage: "http://h/2", links: [])
    #expect(
      input.problems == [
        "standard input: continues at http://h/2, which is not read, because the list has no URL of its own"
      ])
  }

  @Test("Long URLs of linked documents do not fill the memory")
  func longURLs() throws {
    let padding = String(repeating: "x", count: 60_000)
    let links = (0..<400).map { ("\($0)\(padding)", ManifestLink.record) }
    let (paths, queue) = try Self.read(["a": (nil, links)])
    #expect((200..<300).contains(paths.count))
    #expect(queue.problems.count == 1)
    #expect(queue.problems.first?.contains("16777216 bytes") == true)
  }

  @Test("A source with further pages is told apart from one whose further pages are unread")
  func furtherPages() throws {
    let whole = try Self.read(["a": ("b", [])]).queue
    #expect(whole.hasFurtherPages)
    let first = try Self.read(["a": ("b", [])], pages: 1).queue
    #expect(!first.hasFurtherPages)
  }
}
