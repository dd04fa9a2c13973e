import Markup
import Testing

@Suite("Metalink") struct MetalinkTests {
  private static let digest = String(repeating: "0A", count: 32)

  @Test("Version 4: the URL of the first priority, and the others as mirrors")
  func version4() throws {
    let page = try Page(
      """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><published>2024-01-01T00:00:00Z</published>
      <file name="dir/a.jpg"><size>14471447</size><description>A bird</description>
      <hash type="md5">x</hash><hash type="sha-256">\(Self.digest)</hash>
      <pieces length="1024" type="sha-256"><hash>bad</hash><hash type="sha-256">bad</hash></pieces>
      <metaurl mediatype="torrent">http://t/a.torrent</metaurl><url>http://last/a.jpg</url>
      <url priority="2" location="de">ftp://ftp/a.jpg</url><url priority="2">http://second/a.jpg</url>
      <url priority="1"> https://first/a.jpg </url><url priority="2">http://third/a.jpg</url></file>
      <file name="b.jpg"><url>ftp://h/b.jpg</url></file><file name="c.jpg"><url>http://h/c.jpg</url></file></metalink>
      """)
    var first = MarkupEntry(url: "https://first/a.jpg")
    first.name = "a.jpg"
    first.title = "A bird"
    first.byteCount = 14_471_447
    first.checksum = "sha-256=\(Self.digest.lowercased())"
    first.mirrors = ["http://second/a.jpg", "http://third/a.jpg", "http://last/a.jpg"]
    var last = MarkupEntry(url: "http://h/c.jpg")
    last.name = "c.jpg"
    #expect(
      page.items == [
        .rule(.metalink), .entry(first),
        .problem("the file \"b.jpg\" has no URL with http or https"), .entry(last),
      ])
  }

  @Test("Version 3: the URL of the highest preference")
  func version3() throws {
    let page = try Page(
      """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><files><file name="a.zip"><size>12</size>
      <verification><hash type="sha256">\(Self.digest)</hash><pieces type="sha256"><hash piece="0">x</hash></pieces>
      </verification><publisher><name>P</name><url>http://publisher/</url></publisher><resources><url type="bittorrent" preference="100">http://t/a.torrent</url>
      <url type="http" preference="90">http://b/a.zip</url><url type="http" preference="100">http://a/a.zip</url>
      <url type="ftp" preference="99">ftp://c/a.zip</url></resources></file></files></metalink>
      """)
    #expect(page.urls == ["http://a/a.zip"])
    #expect(page.entries[0].mirrors == ["http://b/a.zip"])
    #expect(
      page.entries[0].checksum == "sha-256=\(Self.digest.lowercased())"
        && page.entries[0].byteCount == 12)
  }

  @Test("The checksum is that of the strongest algorithm, SHA-256 before all others")
  func algorithms() throws {
    let table: [([String], String?)] = [
      (["md5"], "md5=0a"), (["MD5", "sha1"], "sha-1=0a"), (["sha-512", "sha-384"], "sha-512=0a"),
      (["sha-512", "sha-256", "md5"], "sha-256=0a"), (["adler32", "md5"], "md5=0a"), ([], nil),
    ]
    for (types, checksum) in table {
      let hashes = types.map { "<hash type='\($0)'>0A</hash>" }.joined()
      let page = try Page(
        "<metalink><file name='a'>\(hashes)<url>http://h/a</url></file></metalink>")
      #expect(page.entries.map(\.checksum) == [checksum])
      #expect(page.items.count == 2)
    }
  }

  @Test("A file with a digest of an unknown type only is an entry with a remark")
  func unknownDigest() throws {
    let page = try Page(
      """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="a.jpg"><hash type="adler32">x</hash>
      <url>http://h/a.jpg</url></file></metalink>
      """)
    #expect(page.urls == ["http://h/a.jpg"])
    let remark = "has a digest of the unknown type \"adler32\", which is not verified"
    #expect(page.items.contains(.remark("the file \"a.jpg\" \(remark)", line: nil)))
  }

  @Test(
    "A size that is not a number of bytes is a remark, and the file an entry without a size",
    arguments: [
      "abc", "-5", "99999999999999999999", "1.5", "",
      "99999999999999999999999",
    ])
  func badSize(size: String) throws {
    let page = try Page(
      "<metalink><file name='a'><size>\(size)</size><url>http://h/a</url></file></metalink>")
    #expect(page.entries.map(\.byteCount) == [nil])
    let shown = size.count > 20 ? "\(size.prefix(20))…" : size
    let remark = "has the size \"\(shown)\", which is not a number of bytes and not verified"
    #expect(page.items.contains(.remark("the file \"a\" \(remark)", line: nil)), "\(page.items)")
  }

  @Test("Elements of other namespaces are no files and no properties of files")
  func foreignElements() throws {
    let page = try Page(
      """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink" xmlns:x="urn:x"><x:file name="x"><url>http://h/x</url></x:file>
      <file name="a"><x:size>1</x:size><x:url>http://h/b</x:url><url>http://h/a</url></file></metalink>
      """)
    #expect(page.urls == ["http://h/a"])
    #expect(page.entries[0].byteCount == nil && page.entries[0].mirrors.isEmpty)
  }

  @Test("A file with two different digests or sizes is a problem that names it")
  func contradiction() throws {
    func hash(_ digits: String) -> String { "<hash type='sha-256'>\(digits)</hash>" }
    let other = String(repeating: "0b", count: 32)
    let table: [(String, String?)] = [
      (hash(Self.digest) + hash(other), "SHA-256 digests"),
      (hash(Self.digest) + hash("x"), "SHA-256 digests"),
      (hash(Self.digest) + hash(Self.digest.lowercased()), nil),
      (hash(Self.digest) + "<hash type='sha-512'>x</hash>", nil),
      ("<size>1</size><size>2</size>", "sizes"),
      ("<size>1</size><size>1</size>", nil),
    ]
    for (statements, contradiction) in table {
      let page = try Page(
        """
        <metalink><file name='a'>\(statements)<url>http://h/a</url></file>
        <file name='b'>\(hash(other))<size>2</size><url>http://h/b</url></file></metalink>
        """)
      let problem = contradiction.map { "the file \"a\" states two different \($0)" }
      #expect(page.items.contains { $0 == .problem(problem ?? "") } == (problem != nil))
      #expect(page.urls == (problem == nil ? ["http://h/a", "http://h/b"] : ["http://h/b"]))
    }
  }

  @Test("A name cannot leave its folder, and mirrors are bounded")
  func hostile() throws {
    for name in ["../../a.jpg", "/etc/a.jpg", "..\\a.jpg", "a.jpg"] {
      let page = try Page("<metalink><file name='\(name)'><url>http://h/a</url></file></metalink>")
      #expect(page.entries.map(\.name) == ["a.jpg"])
    }
    let urls = (0..<5_000).map { "<url>http://h/\($0)</url>" }.joined()
    let page = try Page("<metalink><file name='a'>\(urls)</file></metalink>")
    #expect(
      page.urls == ["http://h/0"] && page.entries[0].mirrors.count == MarkupItem.maximumMirrors)
  }

  @Test("Mirrors beyond the limit are a remark that names the file and their number")
  func manyMirrors() throws {
    for (count, reported) in [(16, nil), (17, 17), (2_000, 2_000)] as [(Int, Int?)] {
      let urls = (0...count).map { "<url>http://h/\($0).jpg</url>" }.joined()
      let page = try Page(
        "<metalink><file name='a.jpg'>\(urls)<url>http://h/0.jpg</url></file></metalink>")
      #expect(page.entries.map(\.mirrors.count) == [16])
      // A repeated URL counts only while URLs are compared.
      let number = reported.map { $0 > 1_000 ? $0 + 1 : $0 }
      let remark = number.map {
        MarkupItem.remark(
          "the file \"a.jpg\" has \($0) mirrors; only the first 16 are used", line: nil)
      }
      #expect(page.items.dropFirst().dropLast().first == remark)
    }
  }
}
