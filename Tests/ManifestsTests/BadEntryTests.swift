import Manifests
import Models
import Testing

@Suite("Bad entries")
struct BadEntryTests {
  /// What is wrong, and a part of the reason that must be given.
  static let entries: [(json: String, reason: String)] = [
    ("1", "is a number, not a URL"),
    ("-1e9", "is a number"),
    ("null", "is null"),
    ("true", "is true or false"),
    ("[]", "is an array inside the array"),
    ("[[\"http://h/x\"]]", "is an array inside the array"),
    ("[{\"url\": \"http://h/x\"}]", "is an array inside the array"),
    ("{}", "has no \"url\""),
    ("{\"title\": \"x\"}", "has no \"url\""),
    ("{\"url\": null}", "has no \"url\""),
    ("{\"url\": 1}", "its \"url\" is a number"),
    ("{\"url\": [\"http://h/x\"]}", "its \"url\" is an array"),
    ("{\"url\": {\"url\": \"http://h/x\"}}", "its \"url\" is an object"),
    ("\"\"", "empty"),
    ("\" \"", "empty"),
    ("\"picture.png\"", "is relative"),
    ("\"//h/picture.png\"", "is relative"),
    ("\"ftp://h/x\"", "scheme \"ftp\""),
    ("\"file:///etc/passwd\"", "scheme \"file\""),
    ("\"data:image/png;base64,AAAA\"", "scheme \"data\""),
    ("\"javascript:alert(1)\"", "scheme \"javascript\""),
    ("\"http:\\\\\\\\h\\\\x\"", "\"//\""),
    ("\"http:///x\"", "no host"),
    ("\"http:h/x\"", "\"//\""),
    ("\"http:/h/x\"", "\"//\""),
    ("\"mailto:a@h\"", "scheme \"mailto\""),
    ("\"blob:http://h/x\"", "scheme \"blob\""),
    ("\"JavaScript:alert(1)\"", "scheme \"javascript\""),
    ("\"\\\\\\\\h\\\\x\"", "is relative"),
    ("\"http://h\\\\x/\"", "host"),
    ("\"http://h/a\\\\b\"", "backslash"),
    ("\"http://h/a\\tb\"", "control character"),
    ("\"http://h:99999999999999999999/\"", "port"),
    ("\"http://h:80:80/\"", "port"),
    ("\"http://b\\u200ecker.example/\"", "international name"),
    ("\"http://h\\nHost: x/\"", "control character"),
    ("\"http://h/x\\r\\nX-Header: y\"", "control character"),
    ("\"http://h/x\\u0000y\"", "control character"),
    ("\"http://h/x\\n\"", "control character"),
    ("\"http://a b/\"", "host"),
    ("\"http://user:secret@h/x\"", "credentials"),
    ("\"http://h:0/x\"", "the port is not between"),
    ("\"http://h:65536/x\"", "the port is not between"),
    ("\"http://h:-1/x\"", "the port is not a number"),
    ("\"http://[::1/x\"", "]"),
    ("\"http://h/\\ud800\"", "invalid character"),
    ("\"http://h/\(String(repeating: "a", count: 65_536))\"", "longer than 65536 bytes"),
    ("{\"url\": \"http://h/x\", \"sha256\": \"12\"}", "the SHA-256 \"12\""),
    ("{\"url\": \"http://h/x\", \"sha256\": 12}", "its \"sha256\" is a number"),
    ("{\"url\": \"http://h/x\", \"sha256\": [\"1\"]}", "its \"sha256\" is an array"),
    ("{\"url\": \"http://h/x\", \"headers\": \"a: b\"}", "its \"headers\""),
    ("{\"url\": \"http://h/x\", \"headers\": [\"a: b\"]}", "its \"headers\" are an array"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"A\": 1}}", "the header \"A\" is a number"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"A\": [\"b\"]}}", "the header \"A\" is an array"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"A\": \"b\\r\\nC: d\"}}", "control character"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"A\": \"\\u0000\"}}", "control character"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"A B\": \"c\"}}", "is not a token"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"A:\": \"c\"}}", "is not a token"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"\": \"c\"}}", "is not a token"),
    ("{\"url\": \"http://h/x\", \"headers\": {\"É\": \"c\"}}", "is not a token"),
  ]

  @Test("Each is one problem with its position and reason; the others are read", arguments: entries)
  func problem(json: String, reason: String) {
    let reading = Reading("[\"http://h/1\",\(json),\"http://h/2\"]")
    #expect(reading.error == nil)
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(reading.entries.map(\.index) == [0, 2])
    #expect(reading.problems.count == 1)
    #expect(reading.problems.first?.index == 1)
    #expect(reading.problems.first?.file == "list")
    #expect(reading.problems.first?.reason.contains(reason) == true)
  }

  @Test("All of them in one list are problems one by one, each with its own place and reason")
  func oneByOne() {
    let json = Self.entries.flatMap { ["\"http://h/good\"", $0.json] }.joined(separator: ",")
    let reading = Reading("[\(json)]")
    #expect(reading.error == nil)
    #expect(reading.entryCount == Self.entries.count)
    #expect(reading.entries.map(\.index) == Self.entries.indices.map { $0 * 2 })
    #expect(reading.problems.map(\.index) == Self.entries.indices.map { $0 * 2 + 1 })
    for (problem, entry) in zip(reading.problems, Self.entries) {
      #expect(problem.reason.contains(entry.reason), "\(problem)")
      #expect(problem.description.hasPrefix("list, entry \((problem.index ?? 0) + 1): "))
    }
  }

  @Test(
    "Headers that are the client's to set are refused in any case",
    arguments: [
      "Host", "Content-Length", "transfer-encoding", "Connection", "RANGE", "If-Range",
      "Accept-Encoding", "If-None-Match", "Upgrade", "Expect", "TE",
    ])
  func refusedHeaders(name: String) {
    let reading = Reading("[{\"url\": \"http://h/x\", \"headers\": {\"\(name)\": \"v\"}}]")
    #expect(reading.problems.first?.reason == "the header \"\(name)\" cannot be set by a list")
  }

  @Test("A list cannot fill the memory with headers")
  func manyHeaders() {
    let fields = (0..<10_000).map { "\"A\($0)\": \"v\"" }.joined(separator: ",")
    let reading = Reading("[{\"url\": \"http://h/x\", \"headers\": {\(fields)}}, \"http://h/2\"]")
    #expect(reading.problems.map(\.reason) == ["has more than 64 headers"])
    #expect(reading.urls == ["http://h/2"])
  }

  @Test("Nor make each of many headers cost as much as all before it", .timeLimit(.minutes(60)))
  func longHeaders() {
    let long = String(repeating: "v", count: 256 << 10)
    let fields =
      (0..<65).map { "\"A\($0)\": \"\(long)\"" } + (0..<60_000).map { "\"B\($0)\": \"\"" }
    let reading = Reading(
      "[{\"url\": \"http://h/x\", \"headers\": {\(fields.joined(separator: ","))}}]")
    #expect(reading.problems.map(\.reason) == ["has more than 64 headers"])
  }

  @Test("Spaces and other letters in a path are encoded, as browsers do")
  func spaces() {
    #expect(Reading("[\" http://h/a b/é.png \"]").urls == ["http://h/a%20b/%C3%A9.png"])
  }

  @Test("A line break that is encoded stays so")
  func encodedLineBreak() {
    #expect(
      Reading("[\"http://h/a%0d%0aX-Header:%20y\"]").urls == ["http://h/a%0d%0aX-Header:%20y"])
  }

  @Test("Ports from 1 to 65535 are good, and a URL of 64 KiB")
  func limits() {
    let long = "http://h/" + String(repeating: "a", count: 65_536 - 9)
    let reading = Reading("[\"http://h:1/\", \"http://h:65535/\", \"http://h:22/\", \"\(long)\"]")
    #expect(reading.entryCount == 4)
  }

  @Test("A reason shows neither credentials nor queries nor header values")
  func secrets() {
    let reading = Reading(
      """
      ["http://user:hunter2@h/x", "ftp://user:hunter2@h/x?token=hunter2", "//u:hunter2@h/#hunter2",
       {"url": "http://h/x", "headers": {"Host": "hunter2", "A": "hunter2\\n"}},
       {"url": "http://h/x", "headers": {"Authorization": "hunter2\\n"}},
       "http://h:x/?key=hunter2"]
      """)
    #expect(reading.problems.count == 6)
    for problem in reading.problems {
      #expect(!problem.description.contains("hunter2"), "\(problem)")
    }
  }

  @Test("A reason is one short line without control and direction characters")
  func safeReasons() {
    let evil = "\\u001b]52;c;x\\u0007\\n\\u202e\\u009b" + String(repeating: "x", count: 5000)
    let reading = Reading(
      """
      ["\(evil)", {"url": "http://h/", "sha256": "\(evil)"},
       {"url": "http://h/", "headers": {"\(evil)": "v"}}, "http://\(evil)/"]
      """)
    #expect(reading.problems.count == 4)
    for problem in reading.problems {
      #expect(problem.reason.unicodeScalars.count < 400)
      #expect(
        problem.description.unicodeScalars.allSatisfy { scalar in
          scalar.value >= 0x20 && !(0x7f..<0xa0).contains(scalar.value) && scalar.value != 0x202e
        })
    }
  }

  @Test("A problem says file and entry, counted from 1, or the line")
  func descriptions() {
    #expect(Reading("[5]").problems.first?.description == "list, entry 1: is a number, not a URL")
    let lines = Reading("\n\n5\n", format: .jsonLines)
    #expect(lines.problems.first?.description == "list, line 3: is a number, not a URL")
  }
}
