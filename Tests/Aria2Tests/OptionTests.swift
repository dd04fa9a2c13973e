import JSON
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
      ("/library/e\u{301}", "\u{e9}"), ("\u{e9}", "\u{e9}"), ("o\u{323}\u{302}/x", "\u{1ed9}/x"),
      (".\u{301}/x", nil), ("/library/.imgdl/incoming", nil), ("a\0b", nil),
    ] as [(String, String?)])
  func folders(path: String, title: String?) {
    let found = (try? DownloadFolder(path, below: "/library"))?.title
    // Equal texts may have different bytes, by which a store finds a record.
    #expect(found.map { Array($0.utf8) } == title.map { Array($0.utf8) })
  }

  @Test("lists and numbers are accepted as values")
  func kinds() throws {
    var values = OptionValues()
    try values.set([
      .init("header", .array([.string("A: 1"), .string("B: 2")])), .init("split", .number("4")),
      .init("pause", .bool(true)),
    ])
    #expect(values.headers == ["A: 1", "B: 2"] && values["split"] == "4" && values.isTrue("pause"))
    #expect(throws: RPCError.self) { try values.set([.init("split", .null)]) }
    #expect(throws: RPCError.self) { try values.set([.init("header", .array([.null]))]) }
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
    try values.set([.init("header", .array([.string("B: 2")]))])
    #expect(values.byteCount == once && values.over(values).byteCount == once)
    values.remove("o")
    values.remove("none")
    try values.set([.init("header", .array([]))])
    #expect(values == OptionValues())
  }

  @Test("header fields that a client returns as one text are several fields")
  func joinedHeaders() throws {
    var values = OptionValues()
    try values.set("header", to: "A: 1\r\nB: 2\n\n")
    #expect(values.headers == ["A: 1", "B: 2"])
    #expect(throws: RPCError.self) { try values.set("header", to: "A: 1\rB: 2") }
  }

  @Test(
    "header lines of one name are sent as one field",
    arguments: [
      (["X-A: 1", "x-a: 2"], "X-A", "1, 2"),
      (["Cookie: a=1", "Cookie: b=2"], "Cookie", "a=1; b=2"),
      (["User-Agent: one", "User-Agent: two"], "User-Agent", "two"),
      (["User-Agent: one"], "User-Agent", "one"),
    ])
  func repeatedHeaders(lines: [String], name: String, value: String) throws {
    var values = OptionValues()
    try values.set("user-agent", to: "zero")
    for line in lines { try values.set("header", to: line) }
    let fields = try RequestFields(values, uri: "http://a.example/").fields
    #expect(fields.all(name) == [value])
  }

  @Test(
    "user and password of a URI become a field of the request to its host",
    arguments: [
      ("http://u:p@a.example/x?b@c", "http://a.example/x?b@c", "u:p"),
      ("https://u%40v:a:%2f@a.example:8443", "https://a.example:8443", "u@v:a:/"),
      ("http://u@a.example/", "http://a.example/", "u:"),
      ("http://@a.example/", "http://a.example/", "n:m"),
      ("http://a.example/x@y", "http://a.example/x@y", "n:m"),
    ])
  func credentials(uri: String, text: String, credentials: String) throws {
    var values = OptionValues()
    try values.set("http-user", to: "n")
    try values.set("http-passwd", to: "m")
    try values.set("referer", to: "*")
    #expect(DownloadURI(uri)?.text == text)
    let fields = try RequestFields(values, uri: uri).fields
    #expect(fields["Authorization"] == "Basic \(Base64.encode(Array(credentials.utf8)))")
    #expect(fields["Referer"] == text)
  }

  @Test(
    "a URI of another scheme, or without a host, cannot be downloaded",
    arguments: ["ftp://u:p@a.example/", "http://u:p@/x", "u:p@a.example", "http://u:p@a b/", ""])
  func unusable(uri: String) { #expect(DownloadURI(uri) == nil) }

  @Test("each URI of a download has its own credentials, and the library never sees them")
  func mirrorCredentials() throws {
    var fixture = try Fixture()
    let uris = #"["http://u:p@a.example/f","http://b.example/f"]"#
    _ = try fixture.call("aria2.addUri", #"[\#(uris),{"gid":"\#(Fixture.one)"}]"#)
    try fixture.addResource(5, to: Fixture.one)
    fixture.machine.handle(.failed(ResourceID(5), reason: "HTTP 404 Not Found"), now: 1)
    let orders = fixture.orders()
    #expect(orders.map(\.uri) == ["http://a.example/f", "http://b.example/f"])
    #expect(orders.map { $0.fields["Authorization"] } == ["Basic dTpw", nil])
    #expect(try fixture.call("aria2.getFiles", "[\"\(Fixture.one)\"]").contains("/library/aria2/f"))
  }

  @Test("another proxy than that of the library is refused")
  func proxies() throws {
    var fixture = try Fixture(proxies: (http: "http://p.example:3128", https: ""))
    let add = { (option: String) in #"[["http://a.example/f"],{\#(option)}]"# }
    for (option, isAccepted) in [
      (#""http-proxy":"p.example:3128""#, true), (#""http-proxy":"http://p.example:3128/""#, true),
      (#""http-proxy":"http://u:p@p.example:3128""#, false), (#""all-proxy":"""#, true),
      (#""all-proxy":"p.example:3128""#, false), (#""https-proxy":"http://q.example:1""#, false),
      (#""http-proxy":"nonsense://""#, false),
    ] {
      let answer = try fixture.call("aria2.addUri", add(option))
      #expect(answer.hasPrefix("error: The option ") != isAccepted, "\(option): \(answer)")
      #expect(!answer.contains("example:"))
      let change = try fixture.call("aria2.changeGlobalOption", "[{\(option)}]")
      #expect((change == "\"OK\"") == isAccepted, "\(option)")
    }
    #expect(throws: RPCError.self) { try Fixture([(name: "all-proxy", value: "http://q:1")]) }
  }

  @Test("limits of the library are not stated as those of aria2")
  func unknownLimits() throws {
    var fixture = try Fixture()
    let options = try fixture.call("aria2.getGlobalOption")
    for name in ["timeout", "max-tries", "retry-wait", "connect-timeout", "lowest-speed-limit"] {
      #expect(!options.contains("\"\(name)\""))
    }
  }
}
