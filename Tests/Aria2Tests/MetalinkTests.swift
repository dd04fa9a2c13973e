import Models
import Testing
@testable import Aria2

@Suite struct MetalinkTests {
  private static let digest = String(repeating: "0A", count: 32)

  @Test("version 4 is read")
  func version4() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- a comment -->
      <m:metalink xmlns:m="urn:ietf:params:xml:ns:metalink">
        <m:file name="a/b&amp;c.iso"><m:size>1</m:size>
          <m:hash type="sha-1">00</m:hash><m:hash type='sha-256'> \(Self.digest) </m:hash>
          <m:pieces length="1" type="sha-256"><m:hash>\(Self.digest)</m:hash></m:pieces>
          <m:url priority="2">http://b.example/?a=1&amp;b=&#50;</m:url>
          <m:url>http://c.example/</m:url>
          <m:url priority="1"><![CDATA[http://a.example/]]></m:url>
          <m:url>ftp://d.example/</m:url>
          <m:metaurl mediatype="torrent">http://e.example/</m:metaurl>
        </m:file>
        <m:file name="../.."><m:url>http://a.example/2</m:url></m:file>
        <m:file name="none"/>
      </m:metalink>
      """
    let files = try Metalink.files(in: Array(text.utf8))
    #expect(
      files == [
        .init(
          name: "b&c.iso",
          uris: ["http://a.example/", "http://b.example/?a=1&b=2", "http://c.example/"],
          sha256: Self.digest.lowercased()),
        .init(name: "download", uris: ["http://a.example/2"]),
      ])
  }

  @Test("version 3 is read")
  func version3() throws {
    let text = """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><publisher><url>http://p.example</url>
      </publisher><files><file name="f.iso"><verification><hash type="sha256">\(Self.digest)</hash>
      </verification><resources><url type="http" preference="10">http://b.example/f</url>
      <url type="ftp" preference="100">ftp://c.example/f</url>
      <url type="http" preference="90">http://a.example/f</url></resources></file></files></metalink>
      """
    #expect(
      try Metalink.files(in: Array(text.utf8)) == [
        .init(
          name: "f.iso", uris: ["http://a.example/f", "http://b.example/f"],
          sha256: Self.digest.lowercased())
      ])
  }

  @Test(
    "other documents are refused",
    arguments: [
      "", "x", "<a>", "<a></b>", "</a>", "<a b></a>", "<a b=c></a>", "<a b='", "<a", "<!-- ",
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "<a>&b;</a>", "<a>&#0;</a>", "<a>&#xd800;</a>",
      "<a>&lt</a>",
      "<a/>", "<metalink><file name=\"a\"><url>ftp://a.example/</url></file></metalink>",
      String(repeating: "<a>", count: 100),
    ])
  func refusing(text: String) {
    #expect(throws: RPCError.self) { try Metalink.files(in: Array(text.utf8)) }
  }

  @Test("each file is a download with its name and digest")
  func adding() throws {
    var fixture = try Fixture()
    let text = """
      <metalink><file name="f.iso"><hash type="sha-256">\(Self.digest)</hash>\
      <url>http://a.example/f</url></file><file name="g"><url>http://a.example/g</url></file></metalink>
      """
    let result = try fixture.call("aria2.addMetalink", "[\"\(Base64.encode(Array(text.utf8)))\"]")
    #expect(try JSONReader.value(of: Array(result.utf8)).list?.count == 2)
    let orders = fixture.actions().compactMap { action -> TransferOrder? in
      if case .start(let order) = action { order } else { nil }
    }
    #expect(orders.map(\.fileName) == ["f.iso", "g"])
    #expect(orders.map(\.digest) == [Digest(hexadecimal: Self.digest.lowercased()), nil])
  }

  @Test("no sequence of short inputs traps")
  func arbitraryTexts() {
    let parts = [
      "<", ">", "/", "a", "=", "\"", "&", ";", "#x", "!--", "-->", "?", "![CDATA[", "]]>", " ",
    ]
    var state: UInt64 = 3
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<10 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += parts[Int(state >> 60) % parts.count]
      }
      _ = try? Metalink.files(in: Array(text.utf8))
    }
  }
}
