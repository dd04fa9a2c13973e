import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Feeds, sitemaps, Metalink documents and buckets as sources, parsed in this process.
@Suite(.timeLimit(.minutes(60))) struct FeedSourceTests {
  static let feed = "http://h/feed.xml"

  static func rss(_ images: [Int], title: String = "Birds", head: String = "") -> String {
    """
    <?xml version="1.0"?><rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>\(title)</title>\(head)
    \(images.map { "<item><title>Bird \($0)</title><enclosure url='/p/\($0).png' type='image/png'/></item>" }.joined())
    </channel></rss>
    """
  }

  private func lab(_ documents: [String: String]) throws -> Lab {
    let lab = try Lab()
    for (url, text) in documents { lab.web.serve(url, FakeAnswer(body: Array(text.utf8))) }
    return lab
  }

  private func urls(_ lab: Lab) async throws -> [String] {
    try await lab.allResources().map(\.url)
  }

  @Test("A feed is a record with its title, and its items are the images")
  func feed() async throws {
    let lab = try lab([Self.feed: Self.rss([1, 2])])
    let result = try await lab.run(Self.feed)
    #expect(result.entryCount == 2 && result.problems.isEmpty)
    #expect(try await lab.records().map(\.title) == ["Birds"])
    let resources = try await lab.allResources()
    #expect(resources.map(\.url) == [Lab.url(1), Lab.url(2)])
    #expect(resources.map(\.title) == ["Bird 1", "Bird 2"])
    #expect(resources.allSatisfy { $0.state == .finished })
    try await lab.checkLibrary()
  }

  @Test("The pages of a feed are one record")
  func pages() async throws {
    let next = "<a:link rel='next' href='?page=2'/>"
    let lab = try lab([
      Self.feed: Self.rss([1], head: next), Self.feed + "?page=2": Self.rss([2], title: "Two"),
    ])
    try await lab.run(Self.feed)
    #expect(try await lab.records().map(\.title) == ["Birds"])
    #expect(try await urls(lab) == [Lab.url(1), Lab.url(2)])
  }

  @Test("A refresh adds only what is new")
  func refresh() async throws {
    let lab = try lab([Self.feed: Self.rss([1])])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.feed)).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve(Self.feed, FakeAnswer(body: Array(Self.rss([2, 1]).utf8)))
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab) == [Lab.url(2), Lab.url(1)])
  }

  @Test("A JSON Feed is read like the others")
  func jsonFeed() async throws {
    let text = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "Birds",
       "items": [{"title": "One", "attachments": [{"url": "/p/1.png", "mime_type": "image/png"}]}]}
      """
    let lab = try lab(["http://h/feed.json": text])
    try await lab.run("http://h/feed.json")
    #expect(try await lab.records().map(\.title) == ["Birds"])
    #expect(try await lab.allResources().map(\.title) == ["One"])
  }

  @Test("An index of sitemaps is one record with the images of all of them, each read once")
  func sitemaps() async throws {
    func urls(_ numbers: [Int]) -> String {
      "<urlset>"
        + numbers.map {
          "<url><loc>http://h/\($0).html</loc><image><loc>\(Lab.url($0))</loc></image></url>"
        }.joined() + "</urlset>"
    }
    let lab = try lab([
      "http://h/sitemap.xml": """
      <?xml version="1.0"?><sitemapindex><sitemap><loc>http://h/1.xml</loc></sitemap>
      <sitemap><loc>http://h/sitemap.xml</loc></sitemap><sitemap><loc>http://h/2.xml</loc></sitemap>
      <sitemap><loc>http://h/missing.xml</loc></sitemap></sitemapindex>
      """,
      "http://h/1.xml": urls([1, 2]), "http://h/2.xml": urls([3]),
    ])
    let result = try await lab.run("http://h/sitemap.xml")
    #expect(try await self.urls(lab) == [Lab.url(1), Lab.url(2), Lab.url(3)])
    #expect(try await lab.records().count == 1)
    #expect(result.problems.contains { $0.contains("sitemap.xml") && $0.contains("only once") })
    #expect(result.problems.contains { $0.contains("missing.xml") })
  }

  @Test("A truncated gzip file keeps what came before, and the problem names it")
  func truncatedGzip() async throws {
    let locations = (1...3).map { "<url><loc>\(Lab.url($0))</loc></url>\n" }.joined()
    let packed = GzipMember.of(Array("<urlset>\n\(locations)</urlset>".utf8))
    let lab = try lab([:])
    lab.web.serve("http://h/1.xml.gz", FakeAnswer(body: Array(packed.dropLast(20))))
    let result = try await lab.run("http://h/1.xml.gz")
    #expect(try await urls(lab).starts(with: [Lab.url(1), Lab.url(2)]))
    #expect(
      result.problems.contains(
        "http://h/1.xml.gz: the gzip data is cut off; the rest of the document is not read"),
      "\(result.problems)")
  }

  @Test("A sitemap in a gzip file is read, and a damaged one is a problem")
  func gzip() async throws {
    let text = "<urlset><url><loc>\(Lab.url(1))</loc></url></urlset>"
    let packed = GzipMember.of(Array(text.utf8))
    let lab = try lab([
      "http://h/sitemap.xml":
        "<sitemapindex><sitemap><loc>/1.xml.gz</loc></sitemap><sitemap><loc>/2.xml.gz</loc></sitemap></sitemapindex>"
    ])
    lab.web.serve("http://h/1.xml.gz", FakeAnswer(body: packed))
    lab.web.serve(
      "http://h/2.xml.gz", FakeAnswer(body: GzipMember.of(Array(text.utf8), checksum: 1)))
    let result = try await lab.run("http://h/sitemap.xml")
    #expect(try await urls(lab) == [Lab.url(1)])
    #expect(
      result.problems.count == 1 && result.problems[0].contains("2.xml.gz"), "\(result.problems)")
  }

  @Test("An image that many sitemaps mention is one resource, with the title of its first mention")
  func commonImages() async throws {
    func sitemap(_ title: String, _ number: Int) -> String {
      let logo = "<image><loc>\(Lab.url(1))</loc><title>\(title)</title></image>"
      return "<urlset><url>\(logo)<image><loc>\(Lab.url(number))</loc></image></url>"
        + "<url>\(logo)</url></urlset>"
    }
    let lab = try lab([
      "http://h/sitemap.xml":
        "<sitemapindex><sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>",
      "http://h/1.xml": sitemap("First", 2), "http://h/2.xml": sitemap("Second", 3),
    ])
    let result = try await lab.run("http://h/sitemap.xml")
    #expect(result.entryCount == 3 && result.problems.isEmpty)
    #expect(try await urls(lab) == [Lab.url(1), Lab.url(2), Lab.url(3)])
    #expect(try await lab.allResources().map(\.title) == ["First", nil, nil])
  }

  @Test("A text list may have a URL twice")
  func repeatedURL() async throws {
    let lab = try lab([Lab.list: "\(Lab.url(1))\n\(Lab.url(1))\n"])
    let result = try await lab.run()
    #expect(result.entryCount == 2)
  }

  @Test(
    "A sitemap that was compressed twice is refused as such",
    arguments: [nil, ManifestFormat.sitemap])
  func compressedTwice(_ format: ManifestFormat?) async throws {
    let text = "<urlset><url><loc>\(Lab.url(1))</loc></url></urlset>"
    let lab = try lab([:])
    let packed = GzipMember.of(GzipMember.of(Array(text.utf8)))
    lab.web.serve("http://h/1.xml.gz", FakeAnswer(body: packed))
    let engine = try await lab.started()
    let error = await #expect(throws: LibraryError.self) {
      var request = try Lab.request("http://h/1.xml.gz")
      request.format = format
      _ = try await engine.add(request)
    }
    #expect(error?.description.contains("compressed twice") == true, "\(error as Any)")
    await engine.stop()
  }

  @Test("The size of a Metalink is verified with one URL, that of a feed is a hint")
  func sizes() async throws {
    let metalink =
      "<metalink xmlns='urn:ietf:params:xml:ns:metalink'><file name='a'><size>7</size><url>\(Lab.url(1))</url></file></metalink>"
    let feed = """
      <rss version="2.0"><channel><title>F</title><item><enclosure url="\(Lab.url(2))" type="image/png" length="7"/>
      </item></channel></rss>
      """
    let lab = try lab(["http://h/a.meta4": metalink, Self.feed: feed])
    let engine = try await lab.started()
    for url in ["http://h/a.meta4", Self.feed] { _ = try await engine.add(Lab.request(url)) }
    try await engine.waitUntilIdle()
    await engine.stop()
    let resources = try await lab.allResources().sorted { $0.url < $1.url }
    #expect(resources.map(\.state) == [.failed, .finished])
    #expect(resources.map(\.expectedByteCount) == [7, nil])
    #expect(
      resources[0].reason?.contains("the manifest specifies 7") == true,
      "\(resources[0].reason ?? "")")
  }

  @Test("A Metalink document names sizes, digests and mirrors")
  func metalink() async throws {
    let image = Lab.image(1)
    let lab = try lab([
      "http://h/a.meta4": """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="bird.png"><size>\(image.count)</size>
      <url priority="2">\(Lab.url(2))</url><url priority="1">\(Lab.url(1))</url></file></metalink>
      """
    ])
    try await lab.run("http://h/a.meta4")
    #expect(try await urls(lab) == [Lab.url(1)])
    #expect(try await lab.allResources().map(\.state) == [.finished])
  }

  @Test("A file of a Metalink document with two digests is not added, and the problem names it")
  func contradictoryMetalink() async throws {
    let hashes = ["0a", "0b"].map { String(repeating: $0, count: 32) }
      .map { "<hash type=\"sha-256\">\($0)</hash>" }.joined()
    let lab = try lab([
      "http://h/a.meta4": """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink">
      <file name="a.png">\(hashes)<url>\(Lab.url(1))</url></file>
      <file name="b.png"><url>\(Lab.url(2))</url></file></metalink>
      """
    ])
    let result = try await lab.run("http://h/a.meta4")
    #expect(try await urls(lab) == [Lab.url(2)])
    #expect(
      result.problems.count == 1
        && result.problems[0].contains("the file \"a.png\" states two different SHA-256 digests"),
      "\(result.problems)")
  }

  @Test("The pages of a bucket are read to their end")
  func bucket() async throws {
    func page(_ key: String, _ fields: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>birds</Name>\(fields)
      <Contents><Key>p/\(key)</Key><Size>9</Size></Contents><Contents><Key>p/x.txt</Key></Contents></ListBucketResult>
      """
    }
    let more = "<IsTruncated>true</IsTruncated><NextContinuationToken>t+1</NextContinuationToken>"
    let lab = try lab([
      "http://h/?list-type=2": page("1.png", more),
      "http://h/?list-type=2&continuation-token=t%2B1": page("2.png", ""),
    ])
    try await lab.run("http://h/?list-type=2")
    #expect(try await urls(lab) == [Lab.url(1), Lab.url(2)])
    #expect(try await lab.records().map(\.title) == ["birds"])
  }

  @Test("A feed that is cut off keeps what came before, with the line of the error")
  func truncated() async throws {
    let whole = Self.rss([1, 2])
    let lab = try lab([Self.feed: String(whole.dropLast(60))])
    let result = try await lab.run(Self.feed)
    #expect(try await urls(lab) == [Lab.url(1)])
    #expect(result.problems.count == 1 && result.problems[0].contains("line "))
  }

  @Test("A feed that is not in the UTF-8 that it states is read, with a remark")
  func falseEncoding() async throws {
    let text = Self.rss([1], title: "V@gel")
      .replacing("?>", with: " encoding='utf-8'?>", maxReplacements: 1)
    let parts = text.split(separator: "@").map { Array($0.utf8) }
    let lab = try lab([:])
    lab.web.serve(Self.feed, FakeAnswer(body: Array(parts.joined(separator: [0xf6]))))
    let result = try await lab.run(Self.feed)
    #expect(try await lab.records().map(\.title) == ["V\u{fffd}gel"])
    #expect(try await urls(lab) == [Lab.url(1)])
    #expect(result.problems.count == 1)
    #expect(
      result.problems.first?.hasPrefix("\(Self.feed), line 1: is not UTF-8, although") == true,
      "\(result.problems)")
  }

  @Test(
    "A document that is demanded and empty is called so",
    arguments: [ManifestFormat.feed, .sitemap, .metalink, .bucket])
  func emptyDocument(_ format: ManifestFormat) async throws {
    let lab = try lab([Self.feed: " \n"])
    let engine = try await lab.started()
    var request = try Lab.request(Self.feed)
    request.format = format
    await #expect(throws: LibraryError(.source, "\(Self.feed): the document is empty")) {
      _ = try await engine.add(request)
    }
    await engine.stop()
  }

  @Test("A demanded format refuses another document, by name")
  func demanded() async throws {
    let lab = try lab([Self.feed: Self.rss([1])])
    let engine = try await lab.started()
    for (format, words) in [
      (ManifestFormat.sitemap, "the document is a feed, not a sitemap"),
      (.json, "this is an XML document"),
    ] {
      var request = try Lab.request(Self.feed)
      request.format = format
      let error = await #expect(throws: LibraryError.self) { _ = try await engine.add(request) }
      #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    }
    var request = try Lab.request(Self.feed)
    request.format = .feed
    #expect(try await engine.add(request).entryCount == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
  }
}
