import Manifests
import Models
import Testing

@Suite("Lists with a line for each entry")
struct LineFormatTests {
  @Test("JSON Lines of texts and objects are recognised by the second value")
  func recognised() {
    for text in [
      "\"http://h/1\"\n\"http://h/2\"", "\"http://h/1\"\n\n{\"url\": \"http://h/2\"}\n",
      "{\"url\": \"http://h/1\"}\r\n{\"url\": \"http://h/2\"}\r\n",
      "\u{feff}{\"id\": 1, \"title\": \"x\", \"url\": \"http://h/1\"}\n\"http://h/2\"",
    ] {
      let reading = Reading(text)
      #expect(reading.error == nil)
      #expect(reading.format == .jsonLines)
      #expect(reading.urls == ["http://h/1", "http://h/2"])
    }
  }

  @Test(
    "A line may have URLs in brackets, several URLs, and a comment behind them",
    arguments: [
      ("<http://h/1>", ["http://h/1"]), ("< http://h/1 >  ", ["http://h/1"]),
      ("<URL:http://h/1>", ["http://h/1"]),
      ("<http://h/1>, <http://h/2>", ["http://h/1", "http://h/2"]),
      ("<http://h/1> a bird", ["http://h/1"]), ("http://h/1 # a bird", ["http://h/1"]),
      ("http://h/1   #", ["http://h/1"]), ("http://h/1#part", ["http://h/1"]),
      ("http://h/1 http://h/2", ["http://h/1", "http://h/2"]),
      ("http://h/1  HTTPS://h/2 # two", ["http://h/1", "https://h/2"]),
      ("http://h/1\u{a0}\u{200b}", ["http://h/1"]), ("\u{200b}\u{2009}http://h/1", ["http://h/1"]),
      ("http://h/a\u{a0}b", ["http://h/a%C2%A0b"]),
      ("http://h/a b.png", ["http://h/a%20b.png"]),
      ("http://h/a b.png http://h/2", ["http://h/a%20b.png", "http://h/2"]),
    ])
  func urlsOfLine(line: String, urls: [String]) {
    for text in [line, "http://h/0\n\(line)\n"] {
      let reading = Reading(text, format: .text)
      #expect(reading.urls == (text == line ? urls : ["http://h/0"] + urls), "\(text)")
      #expect(reading.problems.isEmpty && Reading(text).urls == reading.urls, "\(text)")
    }
  }

  @Test("A bracket without its end, and prose that names a URL, are problems of their lines")
  func proseWithURLs() {
    let reading = Reading(
      "<http://h/1\nhttp://h/2\nsee http://h/3 # 3\nno #4\n<p>\n", format: .text)
    #expect(reading.urls == ["http://h/2"])
    #expect(reading.problems.map(\.line) == [1, 3, 4, 5])
  }

  @Test("A bad line is one problem with its number, and the next is read")
  func badLines() {
    let text = """
      {"title": "no url"}
      "http://h/1"
      {"url": "http://h/2"
      ["http://h/x"]

      7
      "http://h/3" "http://h/4"
      {"url": "ftp://h/x"}
      {"url": "http://h/5", "title": "T"}
      "open
      """
    let lines = [1, 3, 4, 6, 7, 8, 10]
    for format in [nil, ManifestFormat.jsonLines] {
      let reading = Reading(text, format: format)
      #expect(reading.error == nil)
      #expect(reading.problems.map(\.line) == lines)
      #expect(reading.urls == ["http://h/1", "http://h/5"])
      #expect(reading.entries.map(\.index) == [1, 7])
      #expect(reading.problems[1].reason.hasPrefix("column "))
    }
  }

  @Test("A second value in the same line is an error, not a second line")
  func sameLine() {
    #expect(Reading("{\"url\": \"http://h/1\"} {\"url\": \"http://h/2\"}").error?.code == .notJSON)
    #expect(Reading("\"http://h/1\" \"http://h/2\"").error?.code == .notJSON)
  }

  @Test("A JSON document of another form is followed by nothing")
  func afterOtherForms() throws {
    for text in ["{\"items\": []}\n\"http://h/1\"", "{\"id\": \"a\", \"slices\": []}\n{}"] {
      #expect(Reading(text, base: try HTTPURL("http://h/series")).error?.code == .notJSON)
    }
  }

  @Test("With --format json a second value is an error")
  func forcedJSON() {
    #expect(Reading("\"http://h/1\"\n\"http://h/2\"", format: .json).error?.code == .notJSON)
  }

  @Test("A text list skips blank lines and comments, trims, and takes a title behind a tab")
  func text() {
    let reading = Reading(
      "\u{feff}# birds\n\n  http://h/1  \r\n\thttp://h/2\t The  second \t\r\n#x\nhttp://h/3")
    #expect(reading.format == .text)
    #expect(reading.urls == ["http://h/1", "http://h/2", "http://h/3"])
    #expect(reading.entries.map(\.title) == [nil, "The second", nil])
    #expect(reading.problems == [])
  }

  @Test("A bad line of a text list is a problem with its number")
  func badText() throws {
    let bytes =
      Array("http://h/1\nnot a url\n# c\nhttp://h/\u{1}\n".utf8) + [0xe9, 0x0a]
      + Array("ftp://h/x\nhttp://h/2\n".utf8)
    for base in [nil, try HTTPURL("http://h/list.txt")] {
      let reading = Reading(bytes, format: .text, base: base)
      #expect(reading.urls == ["http://h/1", "http://h/2"])
      #expect(reading.problems.map(\.line) == [2, 4, 5, 6])
      #expect(reading.problems[2].reason == "is not UTF-8")
    }
  }

  @Test("A line that is too long is a problem, and the next is read")
  func longLine() {
    let limits = ManifestLimits(textLength: 100)
    let long = String(repeating: "a", count: 92)
    let bytes = Array("http://h/\(long)\nhttp://h/\(long.dropLast())\nhttp://h/2".utf8)
    for chunk in [1, 7, 100, 1000] {
      let reading = Reading(
        bytes, format: .text, limits: limits,
        chunks: Array(repeating: chunk, count: bytes.count / chunk))
      #expect(reading.problems.map(\.line) == [1])
      #expect(
        reading.problems.first?.reason == "is longer than 100 bytes (limits.manifestTextBytes)")
      #expect(reading.entryCount == 2)
    }
  }

  @Test(
    "Mirrors and the size of an entry are read, and other values of these names do not prevent the download",
    arguments: [
      (
        #""mirrors": ["http://m/1", 1, ["http://x/"], "ftp://m/2", "http://h/1", "http://m/2"]"#,
        ["http://m/1", "http://m/2"], nil
      ),
      (#""mirrors": ["http://x/"], "mirrors": "http://m/1""#, ["http://m/1"], nil),
      (#""mirrors": ["http://x/"], "mirrors": {"a": "http://m/1"}"#, [], nil),
      (#""mirrors": {"a": ["http://m/1"]}, "bytes": 12"#, [], 12),
      (#""mirrors": null, "bytes": "12""#, [], nil),
      (#""mirrors": 3, "bytes": -1"#, [], nil), (#""bytes": 1e3"#, [], nil),
      (#""bytes": [1]"#, [], nil),
      (#""bytes": 99999999999999999999"#, [], nil),
    ] as [(String, [String], Int64?)])
  func mirrors(_ members: String, _ mirrors: [String], _ byteCount: Int64?) {
    for text in [
      "{\"url\": \"http://h/1\", \(members)}\n\"http://h/2\"\n",
      "[{\(members), \"url\": \"http://h/1\"}, \"http://h/2\"]",
    ] {
      let reading = Reading(text)
      #expect(reading.problems == [] && reading.urls == ["http://h/1", "http://h/2"])
      #expect(reading.entries.map(\.mirrors) == [mirrors, []])
      #expect(reading.entries.map(\.byteCount) == [byteCount, nil])
      #expect(reading.entries.allSatisfy { $0.expectedByteCount == nil })
    }
  }

  @Test("Mirrors beyond the limit are a problem that names the entry and their number")
  func manyMirrors() {
    let mirrors = (1...17).map { "\"http://m/\($0)\"" }.joined(separator: ",")
    let reading = Reading("[\"http://h/1\", {\"url\": \"http://h/2\", \"mirrors\": [\(mirrors)]}]")
    #expect(
      reading.problems.map(\.description) == [
        "list, entry 2: has 17 mirrors; only the first 16 are used"
      ])
  }

  /// First lines that cannot be read, and a part of the reason.
  static let badFirstLines: [([UInt8], String)] = [
    (Array(#"{"url":"http://h/0","title":""#.utf8) + [0xff] + Array("\"}".utf8), "UTF-8"),
    (Array(#"{"url":"http://h/0","title":"x"#.utf8), "column"),
    (Array(#"{"url":"http://h/0""#.utf8), "expected"), (Array(#"{"url" "http://h/0"}"#.utf8), ""),
    (Array(#"["#.utf8) + [0xff], ""), (Array("{bad}".utf8), ""), (Array(#""http://h/0"#.utf8), ""),
    (Array("\u{feff}{bad}\r".utf8), ""),
  ]

  @Test("A first line that cannot be read costs only itself, as every other one", arguments: 0..<8)
  func badFirstLine(_ number: Int) {
    let (line, cause) = Self.badFirstLines[number]
    guard line.first != 0x5b else { return }
    let bytes = line + Array("\n\n{\"url\":\"http://h/1\"}\r\n\"http://h/2\"\n{bad}\n".utf8)
    for chunk in [1, 2, 7, 1_000] {
      let reading = Reading(
        bytes, chunks: Array(repeating: chunk, count: bytes.count / chunk))
      #expect(reading.error == nil && reading.format == .jsonLines)
      #expect(reading.urls == ["http://h/1", "http://h/2"])
      #expect(reading.entries.map(\.index) == [1, 2])
      #expect(reading.problems.map(\.line) == [1, 5])
      #expect(reading.problems.first?.reason.contains(cause) == true, "\(reading.problems)")
    }
  }

  @Test("The same holds for the messages of gallery-dl")
  func badFirstMessage() {
    let bytes =
      Array(#"[2,{"title":""#.utf8) + [0xff]
      + Array("\"}]\n[3,\"http://h/1\",{}]\n[2,{\"title\":\"A\"}]\n[3,\"http://h/2\",{}]\n".utf8)
    for chunk in [1, 5, 1_000] {
      let reading = Reading(
        bytes, chunks: Array(repeating: chunk, count: bytes.count / chunk))
      #expect(reading.error == nil && reading.format == .galleryDL)
      #expect(reading.urls == ["http://h/1", "http://h/2"] && reading.problems.map(\.line) == [1])
    }
  }

  @Test(
    "JSON of several lines that cannot be read is no JSON Lines: its error is that of the list",
    arguments: [
      ("{\"items\": bad,\n\"next\": null}\n", 1), ("{bad\n}", 1), ("{bad", 1), ("{bad\n\n", 1),
      ("{\"a\": 1\n\"url\": \"http://h/1\"}", 2), ("{\n  bad\n\"http://h/1\"\n", 2),
      ("[bad\n\"http://h/1\"\n", 1), ("{\"url\": \"http://h/1\",\n\"x\" 1}\n", 2),
    ])
  func badDocument(text: String, line: Int) {
    let whole = Reading(text)
    #expect(whole.error?.code == .notJSON && whole.error?.line == line, "\(whole)")
    #expect(whole.entries == [])
    let pieces = Reading(
      Array(text.utf8), chunks: Array(repeating: 1, count: text.utf8.count))
    #expect(pieces.error == whole.error)
  }
}
