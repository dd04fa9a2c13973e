import Manifests
import Models
import Testing

@Suite("Tables of URLs")
struct TableTests {
  private func row(_ row: String) -> Reading {
    Reading("url,name,title,sha256\n" + row)
  }

  @Test("Names, titles and checksums are read from columns with the usual names")
  func columns() throws {
    let digest = String(repeating: "0a", count: 32)
    let text = """
      File Name,Image-URL,Album,Caption,SHA-256,other
      a.jpg,http://h/1,Birds,A bird,\(digest),x
      ,http://h/2,Birds,,,
      c.jpg,http://h/3,Cats,,,
      d.jpg,http://h/4,,,,
      """
    let reading = Reading(text)
    #expect(reading.problems == [])
    #expect(reading.entries.map(\.name) == ["a.jpg", nil, "c.jpg", "d.jpg"])
    #expect(reading.entries.map(\.title) == ["A bird", nil, nil, nil])
    #expect(reading.entries.first?.checksum == Checksum(.sha256, hexadecimal: digest))
    #expect(
      reading.outline == ["Birds", "http://h/1", "http://h/2", "Cats", "http://h/3", "http://h/4"])
  }

  @Test("A column called title is that of records if it repeats, else that of images")
  func titles() {
    let images = Reading("url,title\nhttp://h/1,a\nhttp://h/2,b\nhttp://h/3,c\n")
    #expect(images.outline == ["http://h/1", "http://h/2", "http://h/3"])
    #expect(images.entries.map(\.title) == ["a", "b", "c"])
    let records = Reading("url,title\nhttp://h/1,a\nhttp://h/2,a\nhttp://h/3,b\n")
    #expect(records.outline == ["a", "http://h/1", "http://h/2", "b", "http://h/3"])
    #expect(records.entries.map(\.title) == [nil, nil, nil])
  }

  @Test(
    "A cell may have several URLs, of which each is an entry",
    arguments: [
      ("\"http://h/1.png, http://h/2.png\"", ["http://h/1.png", "http://h/2.png"]),
      ("http://h/1.png|http://h/2.png", ["http://h/1.png", "http://h/2.png"]),
      ("http://h/1.png;https://h/2.png", ["http://h/1.png", "https://h/2.png"]),
      ("\"http://h/1.png\nhttp://h/2.png\n\"", ["http://h/1.png", "http://h/2.png"]),
      ("\"http://h/1.png\r\n\"", ["http://h/1.png"]),
      ("\u{a0}http://h/1.png\u{200b}", ["http://h/1.png"]),
      ("\"http://h/1.png, http://h/2.png, \"", ["http://h/1.png", "http://h/2.png"]),
      ("\"http://h/1,2|3.png\"", ["http://h/1,2%7C3.png"]),
      ("http://h/web/2020/http://x/y.png", ["http://h/web/2020/http://x/y.png"]),
      ("http://h/?u=http://x/y.png", ["http://h/?u=http://x/y.png"]),
    ])
  func severalURLs(cell: String, urls: [String]) {
    let reading = Reading(
      "SKU,Caption,Images\na,Shirt,\(cell)\nb,Hat,http://h/3.png\n", format: .csv)
    #expect(reading.problems == [])
    #expect(reading.urls == urls + ["http://h/3.png"])
    #expect(reading.entries.map(\.title) == urls.map { _ in "Shirt" } + ["Hat"])
  }

  @Test("A second column of URLs is not that of titles")
  func secondURLs() {
    let reading = Reading("image_url,page\nhttp://h/1,http://h/p/1\nhttp://h/2,http://h/p/2\n")
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(reading.entries.map(\.title) == [nil, nil])
  }

  @Test("The only other column of two is a title")
  func twoColumns() {
    let reading = Reading("1 a,http://h/1\n2 b,http://h/2\n")
    #expect(reading.entries.map(\.title) == ["1 a", "2 b"])
  }

  @Test("Checksums are not titles, and those of a column named after its algorithm are verified")
  func checksums() {
    for algorithm in Checksum.Algorithm.allCases {
      let digits = String(repeating: "0B", count: algorithm.byteCount)
      for name in [algorithm.title, algorithm.rawValue.filter { $0 != "-" } + "_sum"] {
        let reading = Reading("url,\(name)\nhttp://h/1,\(digits)\nhttp://h/2,\n")
        #expect(reading.entries.map(\.title) == [nil, nil])
        #expect(
          reading.entries.map(\.checksum) == [Checksum(algorithm, hexadecimal: digits), nil])
        #expect(reading.problems == [])
      }
    }
    let unknown = Reading("url,hash\nhttp://h/1,\(String(repeating: "0b", count: 16))\n")
    #expect(unknown.entries.map(\.title) == [nil] && unknown.entries.map(\.checksum) == [nil])
  }

  @Test("SHA-256 is preferred, then the strongest algorithm; other texts are a remark")
  func checksumColumns() {
    let (md5, sha1) = (String(repeating: "0b", count: 16), String(repeating: "0c", count: 20))
    let sha256 = String(repeating: "0d", count: 32)
    let reading = Reading(
      "md5,url,sha1,sha256\n\(md5),http://h/1,\(sha1),\(sha256)\n\(md5),http://h/2,\(sha1),\n"
        + "\(md5),http://h/3,CwsLCw==,\n,http://h/4,x,\n")
    #expect(
      reading.entries.map(\.checksum) == [
        Checksum(.sha256, hexadecimal: sha256), Checksum(.sha1, hexadecimal: sha1),
        Checksum(.md5, hexadecimal: md5), nil,
      ])
    #expect(
      reading.problems.map(\.description) == [
        "list, line 4: column 3: \"CwsLCw==\" is not the SHA-1 of a file in 40 hexadecimal digits or in Base64; "
          + "such values are not used"
      ])
    #expect(reading.entryCount == 4 && reading.problemCount == 0)
  }

  @Test(
    "A checksum may have the name of its algorithm before it, and may be in Base64",
    arguments: ["sha256:", "SHA-256:", "sha256-", "sha-256=", ""])
  func checksumForms(prefix: String) throws {
    let bytes = [UInt8](repeating: 0x0d, count: 32)
    let expected = try #require(Checksum(bytes))
    for text in [Hexadecimal.digits(of: bytes), Base64.encode(bytes)] {
      let reading = Reading("url,sha256\nhttp://h/1,\(prefix)\(text)\n")
      #expect(reading.entries.map(\.checksum) == [expected] && reading.problems == [], "\(text)")
    }
    let bad = Reading("url,sha256\nhttp://h/1,md5:7\nhttp://h/2,\(expected.digits)\n")
    #expect(bad.entries.map(\.checksum) == [nil, expected] && bad.problemCount == 0)
    #expect(
      bad.problems.map(\.description) == [
        "list, line 2: column 2: \"md5:7\" is not the SHA-256 of a file in 64 hexadecimal digits or in Base64; "
          + "such values are not used"
      ])
  }

  @Test("Columns of checksums are neither names nor titles, also without a header")
  func unnamedChecksums() {
    for count in [16, 20, 28, 32, 48, 64] {
      let (a, b) = (String(repeating: "0b", count: count), String(repeating: "0c", count: count))
      let reading = Reading(
        Array("http://h/1.png,\(a)\nhttp://h/2.png,\(b)\n".utf8), format: .csv)
      #expect(reading.entries.map(\.title) == [nil, nil], "\(count)")
      let mixed = Reading(
        Array("http://h/1.png,\(a)\nhttp://h/2.png,bird\n".utf8), format: .csv)
      #expect(mixed.entries.map(\.title) == [a, "bird"])
    }
    for name in ["crc32", "ETag", "adler32"] {
      let reading = Reading("url,\(name)\nhttp://h/1,abc\n")
      #expect(reading.entries.map(\.title) == [nil] && reading.entries.map(\.name) == [nil])
    }
  }

  @Test("Paths in a column file are not names; other texts are")
  func paths() {
    let paths = Reading("url,file\nhttp://h/1,t/0001-a.png\nhttp://h/2,t/0002-b.png\n")
    #expect(paths.entries.map(\.name) == [nil, nil] && paths.entries.map(\.title) == [nil, nil])
    let names = Reading("url,file\nhttp://h/1,a.png\nhttp://h/2,b/c.png\n")
    #expect(names.entries.map(\.name) == ["a.png", "b/c.png"])
  }

  @Test("Quoted fields hold delimiters, line ends and quotation marks")
  func quoted() {
    let reading = row("\"http://h/1,2\",\"a \"\"b\"\"\", \"c,\r\nd\" ,\r\n\"http://h/3\",\"\",x,\n")
    #expect(reading.problems == [])
    #expect(reading.urls == ["http://h/1,2", "http://h/3"])
    #expect(reading.entries.map(\.name) == ["a \"b\"", nil])
    #expect(reading.entries.map(\.title) == ["c, d", "x"])
  }

  @Test("Every line end ends a row", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) {
    let lines = [
      "url,name", "http://h/1,a", "", "http://h/2", ",", "  ", "http://h/3,\"x\(end)y\"", "z,",
    ]
    let reading = Reading(lines.joined(separator: end))
    #expect(reading.urls == ["http://h/1", "http://h/2", "http://h/3"])
    #expect(reading.problems.map(\.line) == [9])
  }

  struct Bad: Sendable {
    let rows: String
    let line: Int
    let reason: String
  }

  static let bad = [
    Bad(rows: "ftp://h/x,a,b,", line: 2, reason: "\"ftp://h/x\" cannot be fetched: scheme"),
    Bad(rows: ",a,b,", line: 2, reason: "column 1: has no URL"),
    Bad(rows: "N A,a,b,", line: 2, reason: "column 1: \"N A\" is not a URL"),
    Bad(rows: "http://h/x,y,a,b,z", line: 2, reason: "has 5 columns instead of 4; text with"),
    Bad(
      rows: "http://h/x,\"a\"b,c,", line: 2, reason: "column 15: expected \",\" after the closing"),
    Bad(rows: "http://h/x,\"a,b,", line: 2, reason: "column 12: the quotation mark is not closed"),
    Bad(rows: "\"x\ny\",a,b,", line: 2, reason: "\"x\\ny\" "),
    Bad(
      rows: "http://h/x,\"a\nhttp://h/0,\"b\",c,", line: 2,
      reason: "column 12: the quotation mark is not closed before line 3"),
  ]

  @Test(
    "A bad row is a problem with its line and cause, and no other row is lost",
    arguments: TableTests.bad)
  func badRow(_ item: Bad) {
    let reading = row(
      "http://h/1,n,t,\n".replacing("\n", with: "") + "\n" + item.rows + "\nhttp://h/2,n,t,\n")
    #expect(reading.urls.first == "http://h/1" && reading.urls.last == "http://h/2")
    #expect(reading.problems.first?.line == item.line + 1)
    #expect(
      reading.problems.first?.reason.hasPrefix(item.reason.replacing("line 3", with: "line 4"))
        == true, "\(reading.problems)")
    #expect(reading.problems.count == 1)
    #expect(!reading.urls.contains("http://h/x"))
  }

  @Test("Quotation marks in tab-separated values are text unless they enclose a field")
  func quotationMarksInTabs() {
    let lines = [
      "caption\turl", "\"a\" bird\thttp://h/1", "\"open\thttp://h/2", "end\"\thttp://h/3",
      "\"a\"\"b\tc\"\thttp://h/4", "5\" disc\thttp://h/5", "\"last\thttp://h/6",
    ]
    let reading = Reading(lines.joined(separator: "\n"))
    #expect(reading.problems == [])
    #expect(reading.urls == (1...6).map { "http://h/\($0)" })
    #expect(
      reading.entries.map(\.title) == [
        "\"a\" bird", "\"open", "end\"", "a\"b c", "5\" disc", "\"last",
      ])
  }

  @Test(
    "Names that are not UTF-8 are windows-1252, with a remark; a URL that is not UTF-8 is a problem"
  )
  func encodings() {
    let head = Array("url,name\n".utf8)
    let cafe = Array(",caf".utf8) + [0xe9, 0x20, 0x80, 0x0a]
    let rows = Array("http://h/1,é\nhttp://h/2".utf8) + cafe + Array("http://h/3".utf8) + cafe
    let name = Reading(head + rows)
    #expect(name.entries.map(\.name) == ["é", "café €", "café €"])
    #expect(
      name.problems.map(\.description) == [
        "list, line 3: column 2: is not UTF-8; the names and titles are read as windows-1252. If they are "
          + "wrong, convert the list to UTF-8"
      ])
    #expect(name.problemCount == 0)
    let records = Reading(
      Array("url;album\nhttp://h/1".utf8) + [0x3b, 0x22, 0xe9, 0x22, 0x22, 0x22])
    #expect(records.outline == ["é\"", "http://h/1"] && records.problems.map(\.line) == [2])
    let header = Reading(
      Array("url;L".utf8) + [0xe9] + Array("gende\nhttp://h/1;x\n".utf8),
      columns: ListColumns(name: "Légende"))
    #expect(header.entries.map(\.name) == ["x"] && header.problems == [])
    let url = Reading(head + Array("http://h/".utf8) + [0xe9] + Array(",a\nhttp://h/2,b".utf8))
    #expect(url.urls == ["http://h/2"])
    #expect(url.problems.map(\.description) == ["list, line 2: column 1: is not UTF-8"])
  }

  @Test("Relative URLs are resolved, as in other lists")
  func relative() throws {
    let reading = Reading("url,name\n/1.jpg,a\n2.jpg,b\n", base: try HTTPURL("http://h/x/list.csv"))
    #expect(reading.urls == ["http://h/1.jpg", "http://h/x/2.jpg"])
    #expect(Reading("url,name\n/1.jpg,a\n").problemCount == 1)
  }

  @Test("Rows, columns and lists have limits, which do not end the reading")
  func limits() {
    let limits = ManifestLimits(textLength: 60)
    let long = String(repeating: "x", count: 60)
    let rows = "url,name\nhttp://h/1,\(long)\nhttp://h/2,a\nhttp://h/3,\"\(long)\nhttp://h/4,\n"
    let reading = Reading(rows, limits: limits)
    #expect(reading.urls == ["http://h/2", "http://h/4"])
    #expect(
      reading.problems.map(\.description) == [
        "list, line 2: column 1: the row is longer than 60 bytes (limits.manifestTextBytes)",
        "list, line 4: column 12: the quotation mark is not closed within 60 bytes "
          + "(limits.manifestTextBytes)",
      ])
    let wide = "url,name\nhttp://h/1\(String(repeating: ",", count: 5_000))\nhttp://h/2,a\n"
    #expect(Reading(wide).problems.map(\.line) == [2])
    #expect(Reading(wide).urls == ["http://h/2"])
    let short = Reading("url,n\nhttp://h/1,a\nhttp://h/2,b\n", limits: ManifestLimits(bytes: 20))
    #expect(short.error?.code == .tooLarge)
    #expect(short.urls == ["http://h/1"])
  }

  @Test("A list of many rows is read like its first rows")
  func manyRows() {
    let rows = (0..<20_000).map { "\($0),\"a, b\",http://h/\($0)\n" }.joined()
    let reading = Reading("id,text,url\n" + rows)
    #expect(reading.format == .csv && reading.entryCount == 20_000 && reading.problemCount == 0)
    #expect(reading.entries.last?.title == "a, b")
    let cut = Reading(
      Array(("id,text,url\n" + rows).utf8), chunks: Array(repeating: 1_000, count: 900))
    #expect(cut == reading)
  }
}

extension Reading {
  /// The titles of records and the URLs of entries, in order.
  var outline: [String] {
    items.compactMap { item in
      switch item {
      case .record(let title, _): title
      case .entry(let entry): entry.url.description
      default: nil
      }
    }
  }
}
