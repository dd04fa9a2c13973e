import Manifests
import Models
import Testing

@Suite("Input files of aria2")
struct Aria2Tests {
  @Test("Mirrors, names, folders, headers and checksums are used; other options are skipped")
  func options() throws {
    let digest = String(repeating: "0b", count: 32)
    let reading = Reading(
      """
      # saved session
      http://h/1\thttp://m/1\tftp://m/1\t http://m/2 
       out=a b.jpg
       dir=/srv/me/Birds
       gid=0123456789abcdef
       header=X-A: 1
      \theader = X-B:2:3
       referer=http://r/
       user-agent=Agent 1
       checksum=sha-256=\(digest)
       split=5

      http://h/2
       dir=/srv/me/Birds
       checksum=adler32=00
       referer=*
      ftp://x/3\thttp://h/3
       dir=Cats
      http://h/4\thttp://m/iiif/4#iiif
      """)
    #expect(reading.error == nil)
    #expect(
      reading.problems.map(\.description) == [
        "list, line 13: the checksum is not verified, because its type \"adler32\" is not known"
      ])
    #expect(
      reading.outline == [
        "Birds", "http://h/1", "http://h/2", "Cats", "http://h/3", "list", "http://h/4",
      ])
    try #require(reading.entries.count == 4)
    let first = reading.entries[0]
    #expect(first.name == "a b.jpg")
    #expect(first.mirrors == ["http://m/1", "http://m/2"])
    #expect(
      first.headers.fields.map { "\($0.name)=\($0.value)" } == [
        "X-A=1", "X-B=2:3", "Referer=http://r/", "User-Agent=Agent 1",
      ])
    #expect(first.checksum == Checksum(.sha256, hexadecimal: digest))
    #expect(reading.entries[3].mirrors == ["http://m/iiif/4#iiif"], "an image service stays one")
    #expect(reading.entries[1].headers.isEmpty && reading.entries[1].checksum == nil)
  }

  @Test("Repeated fields are all kept, and cookies are one field")
  func repeatedFields() {
    let reading = Reading(
      """
      http://h/1
       header=X-A: 1
       header=Cookie: a=1
       header=X-A: 2
       header=cookie: b=2

      """)
    let headers = reading.entries.first?.headers
    #expect(headers?.all("X-A") == ["1", "2"] && headers?.all("Cookie") == ["a=1; b=2"])
  }

  @Test("Mirrors beyond the limit are a problem that names the entry and their number")
  func manyMirrors() {
    func line(_ count: Int) -> String {
      (0...count).map { "http://h/\($0)" }.joined(separator: "\t")
    }
    let reading = Reading(
      "http://h/a\n out=a\n\(line(20))\thttp://h/1\tftp://h/1\n\(line(16))\n\(line(1_200))\n out=b\n"
    )
    #expect(reading.entries.map(\.mirrors.count) == [0, 16, 16, 16])
    #expect(reading.entries[1].mirrors.last == "http://h/16")
    #expect(
      reading.problems.map(\.description) == [
        "list, line 3: has 20 mirrors; only the first 16 are used",
        "list, line 5: has 1200 mirrors; only the first 16 are used",
      ])
    #expect(reading.problemCount == 0, "the entries are usable")
  }

  @Test("A checksum of each algorithm is used, and the last one of a file counts")
  func checksums() {
    for algorithm in Checksum.Algorithm.allCases {
      let digits = String(repeating: "0B", count: algorithm.byteCount)
      let reading = Reading(
        """
        http://h/1
         checksum=sha-256=\(String(repeating: "0c", count: 32))
         checksum=\(algorithm.rawValue)=\(digits)
        http://h/2
         checksum=\(algorithm.rawValue)=\(digits)0
        """, format: .aria2)
      #expect(
        reading.entries.map(\.checksum) == [Checksum(algorithm, hexadecimal: digits)])
      #expect(reading.problems.count == 1)
    }
  }

  @Test(
    "A name is the last component of a path, never a path",
    arguments: [
      ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("a\\..\\b.jpg", "b.jpg"),
      ("..", nil), (".", nil), ("/", nil), ("a/..", "a"), ("x/", "x"), ("a\u{7f}b\u{202e}c", "abc"),
      ("~/x", "x"),
    ])
  func names(value: String, name: String?) {
    let reading = Reading("http://h/1\n out=\(value)\n dir=\(value)\n")
    #expect(reading.format == .aria2)
    #expect(reading.entries.first?.name == name)
    // A dot is the folder of the list, which has no record of its own.
    #expect(reading.outline.first == name ?? (value == "." ? "http://h/1" : "list"))
  }

  @Test("Spellings of the same folder are one record")
  func folders() {
    func keys(_ folder: String) -> [String?] {
      Reading("http://h/1\n dir=\(folder)\n").items.compactMap { item -> String?? in
        if case .record(_, let key) = item { .some(key) } else { nil }
      }
    }
    let table: [(String, [String])] = [
      ("x", ["x", "./x", "x/", "x//", ".//x/./", "x/."]), ("a/b", ["a//b", "./a/./b/"]),
      ("/x", ["/x", "//x", "/./x/"]), ("a/../x", ["a/.././x/"]),
    ]
    for (folder, spellings) in table {
      for spelling in spellings { #expect(keys(spelling) == [folder], "\(spelling)") }
    }
    // The folder of the list has no record of its own.
    for folder in [".", "./", "././/"] { #expect(keys(folder) == []) }
    let reading = Reading("http://h/1\n dir=x\nhttp://h/2\n dir=./x/\nhttp://h/3\n dir=y\n")
    #expect(reading.outline == ["x", "http://h/1", "http://h/2", "y", "http://h/3"])
  }

  @Test("A bad line is a problem with its number, and the other downloads are read")
  func badLines() {
    let reading = Reading(
      """
       out=early
      http://h/1
       out
       no option = at all
       header=none
      magnet:?xt=1
       out=x
      http://h/2
       checksum=sha-256=12
      http://h/3
       header=Host: evil
      http://h/4
       header=Accept-Encoding: gzip
      """, format: .aria2)
    #expect(reading.urls == ["http://h/1", "http://h/4"])
    #expect(reading.problems.map(\.line) == [1, 3, 4, 5, 6, 8, 10])
    #expect(
      reading.problems.map(\.reason) == [
        "is an option before any URL", "is indented, but no option key=value",
        "is indented, but no option key=value", "the header has no colon",
        "\"magnet:?…\" is not an HTTP URL", "the SHA-256 \"12\" is not 64 hexadecimal digits",
        "the header \"Host\" cannot be set by a list",
      ])
    #expect(reading.entries.last?.headers.isEmpty == true)
  }

  @Test("Lines that are too long or not UTF-8 do not end the reading")
  func badBytes() {
    let limits = ManifestLimits(textLength: 30)
    let bytes =
      Array("http://h/1\n out=".utf8) + [0xe9, 0x0a]
      + Array("http://h/\(String(repeating: "x", count: 40))\nhttp://h/2\n".utf8)
    for chunk in [1, 7, 100] {
      let reading = Reading(
        bytes, format: .aria2, limits: limits,
        chunks: Array(repeating: chunk, count: bytes.count / chunk))
      #expect(reading.urls == ["http://h/1", "http://h/2"])
      #expect(reading.problems.map(\.line) == [2, 3])
    }
  }

  @Test(
    "A URI of another scheme before that of the web is a mirror and no column of a table",
    arguments: [
      (
        "ftp://a/1\thttp://h/1\n out=z.png\n checksum=md5=\(String(repeating: "0", count: 32))\n", 1
      ),
      ("ftp://a/1\thttp://h/1\nftp://a/2\thttp://h/2\n", 2),
      ("magnet:?xt=urn:btih:0a\thttp://h/1\n out=z.png\nmagnet:?xt=b\thttp://h/2\n out=y.png", 2),
      ("#c\nsftp://a/1\thttps://h/1\thttp://m/1\nhttp://h/2\n", 2),
    ])
  func otherSchemeFirst(text: String, count: Int) {
    let reading = Reading(text)
    #expect(reading.format == .aria2 && reading.problems == [])
    #expect(reading.entries.count == count)
    if text.contains("out=z.png") { #expect(reading.entries.first?.name == "z.png") }
    if text.contains("md5") { #expect(reading.entries.first?.checksum?.algorithm == .md5) }
  }

  @Test("A table with tabs whose other columns are no URIs stays one")
  func tableWithTabs() {
    for text in [
      "ftp://a/1\thttp://h/1\tTitle\nftp://a/2\thttp://h/2\tTitle\n",
      "mirror\turl\nftp://a/1\thttp://h/1\nftp://a/2\thttp://h/2\n",
    ] {
      let reading = Reading(text)
      #expect(reading.format == .tsv)
      #expect(reading.urls == ["http://h/1", "http://h/2"])
    }
  }

  @Test("The first mirror that cannot be used is reported; those of other protocols are not")
  func badMirrors() {
    let reading = Reading(
      """
      http://h/1\tftp://m/1\tmagnet:?xt=a\thttp://m/1
      http://h/2\tfile:///etc/passwd\thttp://m/2
      http://h/3\tgarbage\thttp://u:secret@m/3
      """, format: .aria2)
    #expect(reading.entries.map(\.mirrors) == [["http://m/1"], ["http://m/2"], []])
    #expect(reading.problems.map(\.line) == [2] && reading.problemCount == 0)
    #expect(
      reading.problems.first?.reason.hasPrefix(#"the mirror "file:///etc/passwd" cannot be"#)
        == true)
    #expect(
      reading.problems.first?.reason.hasSuffix("other such mirrors are not used either") == true)
    let login = Reading("http://h/1\thttp://u:secret@m/3\n", format: .aria2).problems
    #expect(login.count == 1 && login.allSatisfy { !$0.reason.contains("secret") })
  }
}
