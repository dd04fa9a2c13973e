import Models
import Testing
@testable import Aria2

@Suite struct OptionTests {
  @Test(
    "values are normalised or refused",
    arguments: [
      ("max-download-limit", "0", "0"), ("max-download-limit", "10K", "10240"),
      ("max-download-limit", "2m", "2097152"), ("max-download-limit", "-1", nil),
      ("max-download-limit", "K", nil),
      ("max-download-limit", "9223372036854775807", "9223372036854775807"),
      ("max-download-limit", "9007199254740992K", nil), ("max-download-limit", "1G", nil),
      ("pause", "true", "true"), ("pause", "yes", nil), ("split", "01", "1"), ("split", "0", nil),
      ("max-concurrent-downloads", "1024", "1024"), ("max-concurrent-downloads", "1025", nil),
      ("file-allocation", "none", "none"), ("file-allocation", "some", nil),
      ("out", "a b.jpg", "a b.jpg"), ("out", "", nil), ("out", "..", nil), ("out", "a/b", nil),
      ("gid", "00000000000000AB", "00000000000000ab"), ("gid", "ab", nil),
      ("anything", "x", "x"), ("anything", "a\nb", nil), ("two words", "x", nil), ("", "x", nil),
    ] as [(String, String, String?)])
  func normalising(name: String, value: String, expected: String?) {
    var values = OptionValues()
    do throws(RPCError) {
      try values.set(name, to: value)
      #expect(values[name] == expected)
    } catch {
      #expect(expected == nil && error.code == 1)
    }
  }

  @Test("the size of the values is bounded")
  func size() {
    var values = OptionValues()
    #expect(throws: RPCError.self) {
      for number in 0..<1_000 {
        try values.set("o\(number)", to: String(repeating: "x", count: 100))
      }
    }
  }

  @Test(
    "folders are below the library",
    arguments: [
      ("", "aria2"), ("/library", "aria2"), ("/library/", "aria2"), ("a", "a"), ("/library/a", "a"),
      ("/library/a//b/", "a/b"), ("./a", "a"), ("a//", "a"), (".//a/.", "a"), ("a/../b", nil),
      ("..", nil), ("/", nil),
      ("/librar", nil),
      ("/library/../x", nil), (".imgdl", nil), ("a/../\u{301}", nil), ("a/\u{301}b", "a/\u{301}b"),
      (".\u{301}/x", nil), ("/library/.imgdl/incoming", nil), ("a\0b", nil),
    ] as [(String, String?)])
  func folders(path: String, title: String?) {
    #expect((try? DownloadFolder(path, below: "/library"))?.title == title)
  }

  @Test("lists and numbers are accepted as values")
  func kinds() throws {
    var values = OptionValues()
    try values.set([
      .init("header", .list([.text("A: 1"), .text("B: 2")])), .init("split", .number("4")),
      .init("pause", .flag(true)),
    ])
    #expect(values.headers == ["A: 1", "B: 2"] && values["split"] == "4" && values.isTrue("pause"))
    #expect(throws: RPCError.self) { try values.set([.init("split", .null)]) }
    #expect(throws: RPCError.self) { try values.set([.init("header", .list([.null]))]) }
  }

  @Test(
    "reserved fields cannot be set",
    arguments: ["Host", "range", "Content-Length", "If-Range", "TE"])
  func reserved(name: String) throws {
    var values = OptionValues()
    try values.set("header", to: "\(name): x")
    #expect(throws: RPCError.self) { try RequestFields(values, uri: "") }
  }

  @Test("a field cannot be smuggled into another one")
  func smuggling() throws {
    var values = OptionValues()
    #expect(throws: RPCError.self) { try values.set("user-agent", to: "a\r\nHost: b") }
    try values.set("referer", to: "http://a.example/\u{7f}")
    #expect(throws: RPCError.self) { try RequestFields(values, uri: "") }
  }

  static let commandLines: [([String], [String], [String])] = [
    (["--aria2", "--quiet"], ["--aria2"], ["quiet=true"]),
    (["--enable-rpc=false", "-d", "x"], ["-d", "x"], ["enable-rpc=false"]),
    (["--rpc-listen-port", "7000"], [], ["rpc-listen-port=7000"]),
    (["--dir=/a b", "--split=3"], [], ["dir=/a b", "split=3"]),
    (
      ["-j", "4", "-x8", "-c"], [],
      ["max-concurrent-downloads=4", "max-connection-per-server=8", "continue=true"]
    ),
    (["--header=A: 1", "--header", "B: 2"], [], ["header=A: 1", "header=B: 2"]),
    (["--rpc-secret=s", "--foreground"], ["--rpc-secret=s", "--foreground"], []),
    (["--unknown=1", "--", "-"], ["--unknown=1", "--", "-"], []),
    (["--split"], ["--split"], []),
  ]

  @Test("options of aria2c are told from other words", arguments: commandLines)
  func commandLine(words: [String], rest: [String], options: [String]) {
    let arguments = ServerArguments(words, ownNames: ["rpc-secret"])
    #expect(arguments.words == rest)
    #expect(arguments.options.map { "\($0.name)=\($0.value)" } == options)
  }

  @Test("a file of options comes before the command line")
  func optionFile() {
    let file = ServerArguments(fileText: "# c\nsplit=2\n pause=true\nnothing\nuser-agent=a=b\n")
    let line = ServerArguments(["--split=3"], ownNames: [])
    let all = line.over(file)
    #expect(all["split"] == "3" && all["pause"] == "true" && all["user-agent"] == "a=b")
    #expect(all.downloadOptions.map(\.name) == ["split", "pause", "user-agent", "split"])
  }

  @Test("the size counts every value, also an empty one, and is that of the values that are left")
  func countingSize() throws {
    var values = OptionValues()
    #expect(throws: RPCError.self) {
      for _ in 0..<10_000 { try values.set("header", to: "a") }
    }
    #expect(values.headers.count < 2_000 && values.byteCount <= OptionValues.sizeLimit)
    values = OptionValues()
    #expect(throws: RPCError.self) {
      for number in 0..<10_000 { try values.set("o\(number)", to: "") }
    }
    values = OptionValues()
    for number in 0..<10_000 { try values.set("o", to: String(repeating: "x", count: number % 9)) }
    try values.set("header", to: "A: 1")
    let once = values.byteCount
    try values.set([.init("header", .list([.text("B: 2")]))])
    #expect(values.byteCount == once && values.over(values).byteCount == once)
    values.remove("o")
    values.remove("none")
    try values.set([.init("header", .list([]))])
    #expect(values == OptionValues())
  }

  @Test("header fields that a client returns as one text are several fields")
  func joinedHeaders() throws {
    var values = OptionValues()
    try values.set("header", to: "A: 1\r\nB: 2\n\n")
    #expect(values.headers == ["A: 1", "B: 2"])
    #expect(throws: RPCError.self) { try values.set("header", to: "A: 1\rB: 2") }
  }
}
