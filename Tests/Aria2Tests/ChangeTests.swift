import Models
import Testing
@testable import Aria2

/// Changes of downloads that have been started, and additions of several downloads.
@Suite struct ChangeTests {
  private static func active() throws -> Fixture {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one, folder: "/library/aria2_2")
    _ = fixture.actions()
    return fixture
  }

  @Test(
    "an option that changes the request or the file has an effect on a started download",
    arguments: [
      #""header":"A: 1""#, #""referer":"http://b.example/""#, #""http-user":"u""#, #""out":"n""#,
      #""dir":"other""#, #""checksum":"sha-256=\#(String(repeating: "0a", count: 32))""#,
      #""user-agent":"me""#,
    ])
  func relevantOption(member: String) throws {
    let gid = try #require(GID(Fixture.one))
    var fixture = try Self.active()
    let change = "[\"\(Fixture.one)\",{\(member)}]"
    #expect(try fixture.call("aria2.changeOption", change) == #""OK""#)
    let actions = fixture.actions()
    #expect(actions.first == .discard(gid, ResourceID(5)))
    guard case .start(let order)? = actions.last else {
      Issue.record("no start")
      return
    }
    #expect(order.resource == nil && fixture.machine.isCurrent(order))
    #expect(actions.contains(.notify(Aria2Notification(kind: .start, gid: gid))))
    // The same value again changes nothing.
    #expect(try fixture.call("aria2.changeOption", change) == #""OK""#)
    #expect(fixture.actions() == [])
    // A paused download has the new option when it continues.
    fixture = try Self.active()
    _ = try fixture.call("aria2.pause", "[\"\(Fixture.one)\"]")
    _ = try fixture.call("aria2.changeOption", change)
    #expect(fixture.orders() == [])
    _ = try fixture.call("aria2.unpause", "[\"\(Fixture.one)\"]")
    #expect(fixture.orders().map(\.resource) == [nil])
  }

  @Test(
    "another spelling of the same folder has no effect on a started download",
    arguments: ["./sub", "sub//", "/library/./sub/"])
  func folderSpelling(dir: String) throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one, "http://a.example/f", #""dir":"sub""#)
    try fixture.addResource(5, to: Fixture.one, folder: "/library/sub")
    _ = fixture.actions()
    let change = #"["\#(Fixture.one)",{"dir":"\#(dir)"}]"#
    #expect(try fixture.call("aria2.changeOption", change) == #""OK""#)
    #expect(fixture.actions() == [])
  }

  @Test("what a client reads adds the same download again")
  func retrying() throws {
    var fixture = try Fixture()
    try fixture.add(
      Fixture.one, "http://a.example/f", #""dir":"sub/x","header":["A: 1","B: 2"]"#)
    try fixture.addResource(5, to: Fixture.one, folder: "/library/sub_x")
    let first = try #require(fixture.orders().first)
    #expect(try fixture.status(Fixture.one, "dir") == #"{"dir":"/library/sub_x"}"#)
    let options = try fixture.call("aria2.getOption", "[\"\(Fixture.one)\"]")
    _ = try fixture.call("aria2.addUri", #"[["http://a.example/f"],\#(options)]"#)
    let second = try #require(fixture.orders().last)
    #expect(second.gid != first.gid && second.hasSameResource(as: first))
  }

  @Test("a position is not changed by an invalid call")
  func invalidPosition() throws {
    var fixture = try Fixture()
    try fixture.addPaused(3)
    _ = try fixture.call("aria2.changePosition", "[\"\(Fixture.one)\",2,\"POS_X\"]")
    #expect(try fixture.order() == "123")
  }

  @Test("a Metalink document adds all of its files or none")
  func metalink() throws {
    let files = ["f", "g"].map { (name: String) in
      MetalinkFile(name: name, uris: ["http://a.example/\(name)"])
    }
    let document = "PGEvPg=="
    var fixture = try Fixture()
    fixture.metalink = .files(files, problems: [])
    for (options, message) in [
      (#"{"gid":"x"}"#, "The option gid must be 16 hexadecimal digits, not all of them 0."),
      (#"{"header":"Host: a"}"#, "The field Host cannot be set."),
    ] {
      #expect(
        try fixture.call("aria2.addMetalink", "[\"\(document)\",\(options)]") == "error: \(message)"
      )
    }
    #expect(
      try fixture.call("aria2.addMetalink", "[\"\(document)\",{},-1]")
        == "error: Position must be greater than or equal to 0.")
    #expect(fixture.actions() == [] && fixture.machine.unfinishedCount == 0)
    // As in aria2, a GID that the client has chosen is ignored.
    let added = try fixture.call(
      "aria2.addMetalink", "[\"\(document)\",{\"gid\":\"\(Fixture.one)\"}]")
    #expect(fixture.machine.unfinishedCount == 2 && !added.contains(Fixture.one))
    var full = try Fixture(sessionLimit: 300)
    full.metalink = .files(files, problems: [])
    #expect(try full.call("aria2.addMetalink", "[\"\(document)\"]").hasPrefix("error: "))
    #expect(full.machine.unfinishedCount == 0)
  }

  @Test("the number of URIs of a download is limited, and each URI is removed once")
  func manyURIs() throws {
    let uris = (0...Download.uriLimit).map { "\"http://a.example/\($0)\"" }
    let message = "error: A download has at most 1000 URIs."
    var fixture = try Fixture()
    #expect(try fixture.call("aria2.addUri", "[[\(uris.joined(separator: ","))]]") == message)
    try fixture.add(Fixture.one, "http://a.example/f", #""pause":"true""#)
    let list = uris.joined(separator: ",")
    #expect(
      try fixture.call("aria2.changeUri", "[\"\(Fixture.one)\",1,[],[\(list)]]") == message)
    let twice = #"["http://a.example/f","http://a.example/f"]"#
    #expect(
      try fixture.call("aria2.changeUri", "[\"\(Fixture.one)\",1,[],\(twice)]") == "[0,2]")
    #expect(
      try fixture.call("aria2.changeUri", "[\"\(Fixture.one)\",1,\(twice),[]]") == "[2,0]")
    #expect(
      try fixture.call("aria2.getUris", "[\"\(Fixture.one)\"]")
        == #"[{"status":"waiting","uri":"http://a.example/f"}]"#)
  }

  @Test(
    "a started download shows the path that its file is to have",
    arguments: [
      ("http://a.example/x/y%20z.jpg?q", "", "/library/aria2_2/y z.jpg"),
      ("http://a.example/", "", ""),
      ("http://a.example/f", #","out":"n.jpg""#, "/library/aria2_2/n.jpg"),
    ])
  func path(uri: String, options: String, path: String) throws {
    var fixture = try Fixture()
    _ = try fixture.call(
      "aria2.addUri", #"[["\#(uri)"],{"gid":"\#(Fixture.one)"\#(options)}]"#)
    try fixture.addResource(5, to: Fixture.one, folder: "/library/aria2_2")
    #expect(
      try fixture.call("aria2.getFiles", "[\"\(Fixture.one)\"]").contains(#""path":"\#(path)","#))
  }

  @Test("options of the program are neither stored nor returned")
  func programOptions() throws {
    var fixture = try Fixture()
    let options = #"{"rpc-secret":"new","enable-rpc":"false","rpc-listen-port":"1"}"#
    #expect(try fixture.call("aria2.changeGlobalOption", "[\(options)]") == #""OK""#)
    _ = try fixture.call("aria2.addUri", #"[["http://a.example/f"],\#(options)]"#)
    let gid = try #require(fixture.orders().first?.gid)
    _ = try fixture.call("aria2.changeOption", #"["\#(gid)",\#(options)]"#)
    let texts = [
      try fixture.call("aria2.getGlobalOption"),
      try fixture.call("aria2.getOption", "[\"\(gid)\"]"),
      fixture.machine.sessionText,
    ]
    for text in texts {
      #expect(!text.contains("rpc") && text.contains("a") && !text.contains("new"))
    }
  }

  @Test("the options of a download are not those of the whole server")
  func downloadOptions() throws {
    var fixture = try Self.active()
    let own = try fixture.call("aria2.getOption", "[\"\(Fixture.one)\"]")
    let global = try fixture.call("aria2.getGlobalOption")
    for name in [
      "max-concurrent-downloads", "max-download-result", "max-overall-download-limit", "stop",
      "log-level", "disk-cache", "auto-save-interval", "check-certificate",
    ] {
      #expect(!own.contains("\"\(name)\"") && global.contains("\"\(name)\""))
    }
    #expect(own.contains(#""split":"5""#) && own.contains(#""continue":"false""#))
  }

  @Test("the name of an option is cut in the log")
  func longName() throws {
    var fixture = try Fixture()
    let name = String(repeating: "n", count: 10_000)
    try fixture.add(Fixture.one, "http://a.example/f", #""\#(name)":"x""#)
    #expect(fixture.actions().first == .reportIgnoredOption(String(name.prefix(80))))
  }
}
