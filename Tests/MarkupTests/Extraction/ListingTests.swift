import Foundation
import Markup
import Testing

@Suite("Listings of folders") struct ListingTests {
  /// A server that lists the same folder, and how it writes sizes.
  struct Server: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The largest file whose size the server states in bytes; nil if it states none.
    let exactSize: Int64?
    var showsHidden = false
    var names: [String] = ListingTests.names

    static let all = [
      Server(testDescription: "nginx", exactSize: .max),
      Server(testDescription: "nginx-short", exactSize: 9_999),
      Server(testDescription: "apache-plain", exactSize: nil, showsHidden: true),
      Server(testDescription: "apache-fancy", exactSize: 999, showsHidden: true),
      Server(testDescription: "apache-table", exactSize: 999, showsHidden: true),
      Server(testDescription: "lighttpd", exactSize: nil),
      Server(testDescription: "python", exactSize: nil, showsHidden: true),
      Server(testDescription: "caddy", exactSize: .max, showsHidden: true),
    ]
  }

  /// The files of the folder, with their sizes in bytes.
  static let files: [String: Int64] = [
    "tiny.gif": 100, "photo one.jpg": 123_456, "a&b \"quoted\" <tag>.webp": 1, "notes.txt": 6,
    "big-photo-with-a-very-long-name-that-every-server-cuts-short-in-its-listing.png": 3_145_728,
    "ümlaut-日本.jpg": 3, "100%25 real.jpg": 3, "q?uery#hash.jpg": 1, "colon:name.jpg": 2_048,
  ]
  static let names = files.keys.sorted()

  private func listing(_ name: String) throws -> [UInt8] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Listings/\(name).html")
    return [UInt8](try Data(contentsOf: file))
  }

  @Test(
    "The files and folders of a server's listing are found, with and without its URL",
    arguments: Server.all)
  func servers(_ server: Server) throws {
    for url in ["http://127.0.0.1/pub/", nil] {
      // Caddy's title is only the name of the folder, so that a file has no path.
      let page = try Page(try listing(server.testDescription), url: url, rule: .listing)
      #expect(page.rule == .listing)
      #expect(page.entries.compactMap(\.name).sorted() == Self.names)
      let folders = page.documents.map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
        .sorted()
      #expect(folders == (server.showsHidden ? [".hidden/"] : []) + ["sub/", "with%20space/"])
      for entry in page.entries {
        let size = try #require(Self.files[entry.name ?? ""])
        let isExact = server.exactSize.map { size <= $0 } ?? false
        #expect(entry.byteCount == (isExact ? size : nil), "\(entry.name ?? "")")
      }
      if url != nil { #expect(page.title == "pub") }
      // Without a rule, a file that is no image is left out beside images.
      let found = try Page(try listing(server.testDescription), url: url)
      #expect(found.rule == .listing && found.documents == page.documents)
      #expect(found.entries == page.entries.filter { $0.name != "notes.txt" })
    }
  }

  @Test("The URLs of a listing lead to its files", arguments: Server.all)
  func urls(_ server: Server) throws {
    let page = try Page(try listing(server.testDescription), url: "http://127.0.0.1/pub/")
    for entry in page.entries {
      let url = try #require(
        URL(string: entry.url, relativeTo: URL(string: "http://127.0.0.1/pub/")))
      #expect(url.absoluteURL.path(percentEncoded: false) == "/pub/\(entry.name ?? "")")
    }
  }

  @Test(
    "What is no listing is a page",
    arguments: [
      "<title>Index of birds</title><a href=a.jpg>a</a>",
      "<h1>Photos</h1><a href=a.jpg>a</a><a href=../>up</a>",
      "<title>Shop</title><a href='?sort=name'>n</a><a href='?sort=price'>p</a><a href='?sort=new'>d</a>"
        + "<a href=/about>x</a><a href=/help>x</a><a href=/cart>x</a><a href=a/>x</a>",
      "<title>Index of /a</title>" + (0..<9).map { "<a href=https://x.test/\($0)>x</a>" }.joined(),
    ])
  func pages(_ html: String) throws { #expect(try Page(html, url: "https://h/b/").rule == .html) }

  @Test("Only what is in the folder is listed, each once")
  func inside() throws {
    let html = """
      <title>Index of /b/</title><a href="?C=N;O=D">Name</a> <a href="/">Parent Directory</a> <a href="../">x</a>
      <a href="a.jpg">a</a> <a href="a.jpg">a again</a> <a href="/b/c.jpg">c</a> <a href="https://h/b/d.jpg">d</a>
      <a href="/z/e.jpg">e</a> <a href="https://x.test/b/f.jpg">f</a> <a href="s/g.jpg">g</a> <a href="s/">s</a>
      <a href="i.jpg?download=1">i</a> <a href="javascript:x()">j</a> <a href="#k">k</a> <a>l</a> <a href="">m</a>
      """
    let page = try Page(html, url: "https://h/b/", rule: .listing)
    #expect(page.entries.compactMap(\.name) == ["a.jpg", "c.jpg", "d.jpg"])
    #expect(page.documents == ["s/"])
  }

  @Test(
    "A listing of images has no texts and films, unless its rule is named",
    arguments: [
      (
        ["a.jpg", "b.png", "readme.txt", "all.zip", "boat.avi", "x", "y.dat"],
        ["a.jpg", "b.png", "all.zip", "x", "y.dat"]
      ),
      (["a.jpg", "1.zip", "2.tar.gz", "x.md"], ["a.jpg", "1.zip", "2.tar.gz"]),
      (["readme.txt", "all.zip"], ["readme.txt", "all.zip"]),
    ])
  func otherFiles(_ names: [String], _ kept: [String]) throws {
    let html = "<title>Index of /b/</title>" + names.map { "<a href=\($0)>\($0)</a> " }.joined()
    #expect(try Page(html, url: "https://h/b/").entries.compactMap(\.name) == kept)
    #expect(try Page(html, url: "https://h/b/", rule: .listing).entries.compactMap(\.name) == names)
  }

  @Test("An empty folder is a listing without entries")
  func empty() throws {
    let html =
      "<title>Index of /b/</title><h1>Index of /b/</h1><hr><pre><a href=\"../\">../</a>\n</pre><hr>"
    #expect(try Page(html, url: "https://h/b/").items == [.rule(.listing), .title("b")])
  }

  @Test("A size before the link is not that of the link before")
  func sizeBefore() throws {
    let html = """
      <title>Index of /b/</title><pre>2024-01-01 10:00  111 <a href="a.jpg">a</a>
      2024-01-01 10:00  222 <a href="c.jpg">c</a>
      </pre>
      """
    #expect(try Page(html, url: "https://h/b/").entries.map(\.byteCount) == [nil, nil])
  }
}
