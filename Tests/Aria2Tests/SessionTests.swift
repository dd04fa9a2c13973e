import JSON
import Models
import Testing
@testable import Aria2

@Suite struct SessionTests {
  @Test("input files of aria2 are read")
  func reading() {
    let file = InputFile(
      """
       ignored=before
      # a comment
      http://a.example/1\thttp://b.example/1
       gid=0000000000000001
      \tpause=true
        out=a=b
        # another comment
        nothing

      # imgdl-resource 12
      # imgdl-size 99
      # imgdl-size -99
      http://a.example/2\r
      # imgdl-resource -1
      """, isSession: true)
    #expect(file.entries.count == 2)
    #expect(file.entries.first?.uris == ["http://a.example/1", "http://b.example/1"])
    #expect(file.entries.first?.resource == ResourceID(12))
    #expect(file.entries.first?.byteCount == 99 && file.entries.last?.byteCount == nil)
    #expect(
      file.entries.first?.options == [
        .init(name: "gid", value: "0000000000000001"), .init(name: "pause", value: "true"),
        .init(name: "out", value: "a=b"),
      ])
    #expect(file.entries.last?.uris == ["http://a.example/2"] && file.entries.last?.resource == nil)
  }

  @Test("a session is written and continued")
  func roundTrip() throws {
    var fixture = try Fixture([("max-concurrent-downloads", "1")])
    _ = try fixture.call(
      "aria2.addUri",
      #"[["http://a.example/1","http://b.example/1"],{"gid":"\#(Fixture.one)","header":["A: 1","B: 2"],"out":"x"}]"#
    )
    try fixture.addResource(5, to: Fixture.one)
    try fixture.add(Fixture.two, "http://a.example/2", #""pause":"true""#)
    try fixture.add(Fixture.three, "http://a.example/3")
    _ = try fixture.call("aria2.addUri", #"[["magnet:?x"]]"#)
    let text = fixture.machine.sessionText
    #expect(
      text == """
        http://a.example/1\thttp://b.example/1
        # imgdl-resource 5
         gid=0000000000000001
         out=x
         header=A: 1
         header=B: 2
        http://a.example/2
         gid=0000000000000002
         pause=true
        http://a.example/3
         gid=0000000000000003

        """)
    var next = try Fixture([("max-concurrent-downloads", "1")])
    #expect(next.machine.load(InputFile(text, isSession: true)) == .init())
    guard case .start(let order)? = next.actions().last else {
      Issue.record("no start")
      return
    }
    #expect(order.resource == ResourceID(5) && order.fileName == "x" && order.fields.count == 2)
    #expect(next.machine.sessionText == text)
    // Loading again adds nothing.
    #expect(
      next.machine.load(InputFile(text, isSession: true)) == .init()
        && next.machine.sessionText == text)
  }

  @Test("entries that cannot be used are reported")
  func problems() throws {
    var fixture = try Fixture()
    let text = "ftp://a.example/\nhttp://a:secret@/\nhttp://a.example/\n"
    let options = " gid=00000000000000ab\n dir=/etc\n"
    let changes = fixture.machine.changeCount
    let rejection = fixture.machine.load(InputFile(text + options + "http://b.example/\n"))
    // A URI can contain a password, so no problem names it.
    #expect(
      rejection.problems == [
        "entry 1 cannot be used: No URI to download.",
        "entry 2 cannot be used: No URI to download.",
        "the download 00000000000000ab cannot be used: The option dir must be a folder below /library.",
      ])
    #expect(rejection.bytes == Array((text + options).utf8))
    #expect(fixture.machine.changeCount > changes)
    #expect(fixture.machine.activeCount == 1)
  }

  @Test("the bytes of an entry that cannot be used are kept, whatever they are")
  func rejectedBytes() throws {
    var fixture = try Fixture()
    let good = Array("http://a.example/\n".utf8)
    let first: [UInt8] = [0xff, 0xfe, 0, 1] + "garbage\r\n".utf8
    var second = Array("ftp://a.example/?\n\n# imgdl-resource 7\n# note\n out=?\n nothing".utf8)
    for index in second.indices where second[index] == UInt8(ascii: "?") { second[index] = 0xe9 }
    let file: [UInt8] = first + good + second
    let rejection = fixture.machine.load(InputFile(file, isSession: true))
    #expect(rejection.problems.count == 2)
    let wanted: [UInt8] = first + second + [0x0a]
    #expect(rejection.bytes == wanted)
    #expect(fixture.machine.activeCount == 1)
  }

  @Test("an entry whose GID another download has gets another GID", arguments: [false, true])
  func usedGIDs(isSession: Bool) throws {
    var fixture = try Fixture()
    let gid = " gid=\(Fixture.one)\n"
    let text = """
      http://a.example/1
      # imgdl-resource 5
      \(gid)http://a.example/2
      # imgdl-resource 5
      \(gid)http://a.example/1
      \(gid) out=x
      http://a.example/1
      \(gid)
      """
    let rejection = fixture.machine.load(InputFile(text, isSession: isSession))
    let downloads = fixture.machine.queue.unfinished
    #expect(downloads.map(\.uris) == [1, 2, 1].map { ["http://a.example/\($0)"] })
    #expect(downloads.map { $0.options["out"] } == [nil, nil, "x"])
    #expect(downloads.first?.gid.description == Fixture.one)
    // The file of a resource is that of one download.
    #expect(downloads.map(\.resource) == [isSession ? ResourceID(5) : nil, nil, nil])
    #expect(
      rejection.problems
        == zip(downloads.dropFirst(), 2...).map { download, number in
          "the GID \(Fixture.one) of entry \(number) is already used; the download has the GID \(download.gid)"
        })
    #expect(rejection.bytes.isEmpty)
  }

  @Test("an input file that is read at every start adds no download of the session again")
  func inputAfterSession() throws {
    var fixture = try Fixture([("max-concurrent-downloads", "1")])
    let input = InputFile(
      "http://a.example/1\thttp://b.example/1\n gid=\(Fixture.one)\n out=x\nmagnet:?x\n gid=\(Fixture.two)\n"
    )
    _ = fixture.machine.load(input)
    try fixture.addResource(5, to: Fixture.one)
    fixture.machine.handle(.failed(ResourceID(5), reason: "status 404"), now: 0)
    _ = try fixture.call("aria2.changeOption", #"["\#(Fixture.one)",{"out":"y"}]"#)
    var next = try Fixture()
    _ = next.machine.load(InputFile(fixture.machine.sessionText, isSession: true))
    #expect(next.machine.load(input) == .init())
    #expect(next.machine.queue.unfinished.map(\.uris) == [["http://b.example/1"]])
    #expect(next.machine.load(input) == .init())
    #expect(next.machine.queue.count == 2)
  }

  @Test("only changes that the session contains count as changes")
  func changes() throws {
    var fixture = try Fixture()
    let start = fixture.machine.changeCount
    for method in ["aria2.tellActive", "aria2.getGlobalStat", "aria2.purgeDownloadResult"] {
      _ = try fixture.call(method)
    }
    #expect(fixture.machine.changeCount == start)
    try fixture.addPaused(2)
    let added = fixture.machine.changeCount
    #expect(added > start)
    _ = try fixture.call("aria2.changePosition", "[\"\(Fixture.one)\",1,\"POS_SET\"]")
    #expect(fixture.machine.changeCount > added)
  }

  /// Values with characters that separate lines for Unicode but not for the file, or that combine with the
  /// file's own separators.
  static let values = [
    "a\u{2028}http:h", "a\u{2029}b", "a\u{85}b", "a\u{b}b\u{c}c", "\u{301}",
    "\u{301}=\u{20dd}",
    "  x  ", "#x", "=", "\u{1f468}\u{200d}\u{1f469}", "\u{feff}",
  ]

  @Test("a value is the same after a restart, whatever it contains", arguments: values)
  func lines(value: String) throws {
    var fixture = try Fixture()
    let name = "o\u{301}"
    let text = JSONValue.string(value).bytes
    let options =
      #"{"gid":"\#(Fixture.one)","out":\#(String(decoding: text, as: UTF8.self)),"\#(name)":"x"}"#
    _ = try fixture.call("aria2.addUri", #"[["  http://a.example/\u2028b "],\#(options)]"#)
    #expect(fixture.machine.activeCount == 1)
    let session = fixture.machine.sessionText
    var next = try Fixture()
    #expect(next.machine.load(InputFile(session, isSession: true)) == .init())
    #expect(Array(next.machine.sessionText.utf8) == Array(session.utf8))
    let order = try #require(next.orders().first)
    #expect(Array((order.fileName ?? "").utf8) == Array(value.utf8))
    #expect(order.uri == "http://a.example/\u{2028}b")
  }

  @Test("a name that would be a comment is refused")
  func comments() throws {
    var fixture = try Fixture()
    #expect(
      try fixture.call("aria2.addUri", ##"[["http://a.example/"],{"#a":"b"}]"##)
        == "error: The option \"#a\" has an invalid name or value.")
  }

  @Test("only a session file names resources")
  func resources() throws {
    let text = "http://a.example/\n# imgdl-resource 7\n"
    for (isSession, resource) in [(true, ResourceID(7)), (false, nil)] {
      var fixture = try Fixture()
      _ = fixture.machine.load(InputFile(text, isSession: isSession))
      #expect(fixture.orders().map(\.resource) == [resource])
    }
  }

  @Test("the session never becomes longer than the next start accepts")
  func sizeLimit() throws {
    let limit = 20_000
    var fixture = try Fixture(sessionLimit: limit)
    let value = String(repeating: "x", count: 1_000)
    var results: [String] = []
    for number in 1...40 {
      results.append(
        try fixture.call(
          "aria2.addUri",
          #"[["http://a.example/"],{"gid":"\#(fixture.gid(number))","o":"\#(value)","pause":"true"}]"#
        ))
    }
    let refusal = "error: The unfinished downloads are longer than 20000 bytes."
    #expect(results.first == "\"\(Fixture.one)\"" && results.last == refusal)
    let uris = (1...500).map { "\"http://a.example/\(value)\($0)\"" }.joined(separator: ",")
    #expect(
      try fixture.call("aria2.changeUri", #"["\#(Fixture.one)",1,[],[\#(uris)]]"#) == refusal)
    #expect(
      try fixture.call(
        "aria2.changeOption",
        #"["\#(Fixture.one)",{"p":"\#(String(repeating: value, count: 20))"}]"#) == refusal)
    let text = fixture.machine.sessionText
    #expect(text.utf8.count <= limit && text.utf8.count > limit / 2)
    var next = try Fixture(sessionLimit: limit)
    #expect(next.machine.load(InputFile(text, isSession: true)) == .init())
    #expect(next.machine.sessionText == text)
    // A download that ends makes room for another one.
    for number in 1...10 { _ = try fixture.call("aria2.remove", "[\"\(fixture.gid(number))\"]") }
    _ = try fixture.call("aria2.purgeDownloadResult")
    try fixture.add(Fixture.one)
    #expect(fixture.machine.activeCount == 1)
  }

  @Test("a library that was moved keeps its queue")
  func moving() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one, "http://a.example/f", #""dir":"/library/a//b""#)
    _ = try fixture.call("aria2.changeOption", #"["\#(Fixture.one)",{"dir":"/library/c/d"}]"#)
    let text = fixture.machine.sessionText
    #expect(text.contains(" dir=c/d\n"))
    var moved = try Fixture(root: "/other")
    #expect(moved.machine.load(InputFile(text, isSession: true)) == .init())
    #expect(moved.orders().map(\.record) == ["c/d"])
    #expect(
      try moved.call("aria2.getOption", "[\"\(Fixture.one)\"]").contains(#""dir":"/other/c/d""#))
  }
}
