import JSON
import Models
import Testing
@testable import Aria2

/// The answers of every method, as exact JSON.
@Suite struct MethodTests {
  @Test("a new download is active, and has aria2's status object")
  func addingOne() throws {
    var fixture = try Fixture()
    #expect(
      try fixture.call(
        "aria2.addUri",
        #"[["http://a.example/f","ftp://b.example/f","https://c.example/f"],{"gid":"00000000000000AB","dir":"new/x","out":"n.jpg","max-download-limit":"10K","header":["A: 1","B: 2"],"referer":"*","user-agent":"me","http-user":"u","http-passwd":"p","checksum":"sha-256=\#(String(repeating: "0a", count: 32))"}]"#
      ) == #""00000000000000ab""#)
    #expect(
      try fixture.call("aria2.tellStatus", #"["00000000000000ab"]"#) == """
        {"completedLength":"0","connections":"0","dir":"/library/new/x","downloadSpeed":"0",\
        "files":[{"index":"1","path":"/library/new/x/n.jpg","length":"0","completedLength":"0","selected":"true",\
        "uris":[{"status":"used","uri":"http://a.example/f"},{"status":"waiting","uri":"https://c.example/f"}]}],\
        "gid":"00000000000000ab","numPieces":"0","pieceLength":"1048576","status":"active",\
        "totalLength":"0","uploadLength":"0","uploadSpeed":"0"}
        """)
    let gid = try #require(GID("ab"))
    #expect(
      fixture.actions() == [
        .notify(Aria2Notification(kind: .start, gid: gid)),
        .start(
          TransferOrder(
            gid: gid, revision: 0, uri: "http://a.example/f", resource: nil, record: "new/x",
            fileName: "n.jpg",
            fields: HTTPFields([
              "Referer": "http://a.example/f", "User-Agent": "me", "Authorization": "Basic dTpw",
              "A": "1", "B": "2",
            ]), checksum: Checksum(.sha256, hexadecimal: String(repeating: "0a", count: 32)),
            byteCount: nil,
            limits: TransferLimits(bytesPerSecond: 10_240, connections: nil))),
      ])
    #expect(
      try fixture.call("aria2.getServers", #"["00000000000000ab"]"#)
        == #"[{"index":"1","servers":[{"currentUri":"http://a.example/f","downloadSpeed":"0","uri":"http://a.example/f"}]}]"#
    )
    #expect(try fixture.call("aria2.getPeers", #"["00000000000000ab"]"#) == "[]")
  }

  @Test("a magnet link is a download that has failed")
  func magnet() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one, "magnet:?xt=urn:btih:RX46NCATYQRS3MCQNSEXVZGCCDNKTASQ")
    #expect(
      try fixture.status(Fixture.one, "status", "errorCode", "errorMessage")
        == #"{"errorCode":"1","errorMessage":"BitTorrent is not supported","status":"error"}"#)
    #expect(fixture.notifications() == ["error 1"])
  }

  @Test("GIDs are assigned, and differ")
  func assigning() throws {
    var fixture = try Fixture()
    var gids: Set<String> = []
    for _ in 0..<100 { gids.insert(try fixture.call("aria2.addUri", #"[["http://a.example/"]]"#)) }
    #expect(gids.count == 100 && gids.allSatisfy { $0.count == 18 })
  }

  @Test("downloads beyond the limit wait, and start in the order of the queue")
  func concurrency() throws {
    var fixture = try Fixture([("max-concurrent-downloads", "2")])
    for number in 1...4 { try fixture.add(fixture.gid(number)) }
    #expect(fixture.notifications() == ["start 1", "start 2"])
    #expect(
      try fixture.call("aria2.getGlobalStat")
        == #"{"downloadSpeed":"0","numActive":"2","numStopped":"0","numStoppedTotal":"0","numWaiting":"2","uploadSpeed":"0"}"#
    )
    #expect(try fixture.call("aria2.remove", #"["1"]"#) == "error: GID 1 is not found")
    #expect(try fixture.call("aria2.remove", "[\"\(Fixture.one)\"]") == "\"\(Fixture.one)\"")
    #expect(fixture.notifications() == ["stop 1", "start 3"])
    #expect(
      try fixture.call("aria2.changeGlobalOption", #"[{"max-concurrent-downloads":"9"}]"#)
        == #""OK""#)
    let actions = fixture.actions()
    #expect(actions.first == .setConcurrency(9))
    #expect(
      actions.contains { if case .start(let order) = $0 { order.gid == GID("4") } else { false } })
  }

  @Test("the checksum of each algorithm is part of the order")
  func checksums() throws {
    for algorithm in Checksum.Algorithm.allCases {
      var fixture = try Fixture()
      let digits = String(repeating: "0a", count: algorithm.byteCount)
      try fixture.add(
        fixture.gid(1), "http://a.example/f", #""checksum":"\#(algorithm.rawValue)=\#(digits)""#)
      let expected = try #require(Checksum(algorithm, hexadecimal: digits))
      #expect(fixture.orders().map(\.checksum) == [expected])
    }
  }

  @Test("downloads start after the library, with its limit unless an option sets another one")
  func libraryLimit() throws {
    for (option, active) in [(nil, 2), ("3", 3)] {
      var fixture = try Fixture(
        option.map { [("max-concurrent-downloads", $0)] } ?? [], awaitsLibrary: true)
      for number in 1...5 { try fixture.add(fixture.gid(number)) }
      #expect(fixture.machine.activeCount == 0)
      fixture.machine.handle(.began(concurrency: 2), now: 0)
      #expect(fixture.machine.activeCount == active)
      let global = try fixture.call("aria2.getGlobalOption")
      #expect(global.contains("\"max-concurrent-downloads\":\"\(active)\""))
    }
  }

  @Test("the option follows the limit of the library, which other clients change as well")
  func changedLimit() throws {
    var fixture = try Fixture()
    for number in 1...7 { try fixture.add(fixture.gid(number)) }
    #expect(fixture.machine.activeCount == 5)
    _ = fixture.actions()
    fixture.machine.handle(.concurrencyChanged(6), now: 0)
    #expect(fixture.machine.activeCount == 6)
    // The change is not passed back.
    #expect(!fixture.actions().contains(.setConcurrency(6)))
    let global = try fixture.call("aria2.getGlobalOption")
    #expect(global.contains("\"max-concurrent-downloads\":\"6\""))
    fixture.machine.handle(.concurrencyChanged(5_000), now: 0)
    #expect(try fixture.call("aria2.getGlobalOption").contains("\"1024\""))
  }

  @Test("a position in the queue is honoured")
  func position() throws {
    var fixture = try Fixture()
    try fixture.addPaused(2)
    _ = try fixture.call(
      "aria2.addUri", #"[["http://a.example/"],{"gid":"\#(Fixture.three)","pause":"true"},1]"#)
    #expect(try fixture.order() == "132")
    _ = try fixture.call(
      "aria2.addUri", #"[["http://a.example/"],{"gid":"0000000000000004","pause":"true"},99]"#)
    #expect(try fixture.order() == "1324")
  }

  @Test("pausing stops the transfer, and resuming continues it")
  func pausing() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    _ = fixture.actions()
    #expect(try fixture.call("aria2.pause", "[\"\(Fixture.one)\"]") == "\"\(Fixture.one)\"")
    let gid = try #require(GID(Fixture.one))
    #expect(
      fixture.actions() == [.stop(gid), .notify(Aria2Notification(kind: .pause, gid: gid))])
    #expect(
      try fixture.status(Fixture.one, "status", "connections", "dir")
        == #"{"connections":"0","dir":"/library/aria2","status":"paused"}"#)
    #expect(try fixture.call("aria2.unpause", "[\"\(Fixture.one)\"]") == "\"\(Fixture.one)\"")
    let actions = fixture.actions()
    #expect(actions.first == .notify(Aria2Notification(kind: .start, gid: gid)))
    guard case .start(let order)? = actions.last else {
      Issue.record("no start")
      return
    }
    #expect(order.resource == ResourceID(5))
  }

  @Test("all downloads are paused and resumed, in the order of the queue")
  func pausingAll() throws {
    var fixture = try Fixture([("max-concurrent-downloads", "2")])
    for number in 1...3 { try fixture.add(fixture.gid(number)) }
    #expect(try fixture.call("aria2.pauseAll") == #""OK""#)
    #expect(try fixture.order() == "123")
    #expect(try fixture.call("aria2.tellActive") == "[]")
    _ = fixture.actions()
    #expect(try fixture.call("aria2.forcePauseAll") == #""OK""#)
    #expect(fixture.actions() == [], "nothing is left to pause")
    #expect(try fixture.call("aria2.unpauseAll") == #""OK""#)
    #expect(fixture.notifications() == ["start 1", "start 2"])
  }

  @Test("removing deletes the partial file, and leaves a result")
  func removing() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    _ = fixture.actions()
    _ = try fixture.call("aria2.forceRemove", "[\"\(Fixture.one)\"]")
    let gid = try #require(GID(Fixture.one))
    #expect(
      fixture.actions() == [
        .discard(gid, ResourceID(5)), .notify(Aria2Notification(kind: .stop, gid: gid)),
      ])
    #expect(
      try fixture.call("aria2.tellStopped", #"[0,10,["gid","status","errorCode"]]"#)
        == #"[{"errorCode":"31","gid":"0000000000000001","status":"removed"}]"#)
    #expect(try fixture.call("aria2.removeDownloadResult", "[\"\(Fixture.one)\"]") == #""OK""#)
    #expect(try fixture.call("aria2.tellStopped", "[0,10]") == "[]")
    try fixture.add(Fixture.two)
    _ = try fixture.call("aria2.remove", "[\"\(Fixture.two)\"]")
    #expect(try fixture.call("aria2.purgeDownloadResult") == #""OK""#)
    #expect(
      try fixture.call("aria2.tellStatus", "[\"\(Fixture.two)\"]")
        == "error: GID \(Fixture.two) is not found")
  }

  @Test(
    "positions are set, and stay within the queue",
    arguments: [
      (1, "0", "POS_SET", "0", "123"), (2, "0", "POS_SET", "0", "213"),
      (1, "2", "POS_SET", "2", "231"),
      (1, "9", "POS_SET", "2", "231"), (1, "-9", "POS_SET", "0", "123"),
      (1, "1", "POS_CUR", "1", "213"),
      (2, "5", "POS_CUR", "2", "132"), (2, "-5", "POS_CUR", "0", "213"),
      (1, "0", "POS_END", "2", "231"),
      (1, "-1", "POS_END", "1", "213"), (3, "-9", "POS_END", "0", "312"),
      (1, "9223372036854775807", "POS_CUR", "2", "231"),
      (3, "-9223372036854775808", "POS_CUR", "0", "312"),
      (1, "9223372036854775807", "POS_END", "2", "231"),
    ])
  func moving(number: Int, offset: String, how: String, index: String, order: String) throws {
    var fixture = try Fixture()
    try fixture.addPaused(3)
    let result = try fixture.call(
      "aria2.changePosition", "[\"\(fixture.gid(number))\",\(offset),\"\(how)\"]")
    #expect(result == index)
    #expect(try fixture.order() == order)
  }

  @Test("URIs are removed once each, and added")
  func changingURIs() throws {
    var fixture = try Fixture()
    _ = try fixture.call(
      "aria2.addUri",
      #"[["http://a.example/1024","http://a.example/1k"],{"gid":"\#(Fixture.one)","pause":"true"}]"#
    )
    #expect(
      try fixture.call("aria2.getUris", "[\"\(Fixture.one)\"]")
        == #"[{"status":"waiting","uri":"http://a.example/1024"},{"status":"waiting","uri":"http://a.example/1k"}]"#
    )
    #expect(
      try fixture.call(
        "aria2.changeUri",
        #"["\#(Fixture.one)",1,["http://a.example/1024"],["http://a.example/1k"]]"#)
        == "[1,1]")
    #expect(
      try fixture.call(
        "aria2.changeUri",
        #"["\#(Fixture.one)",1,["http://a.example/1k","http://a.example/no"],["x:"]]"#)
        == "[1,0]")
    #expect(
      try fixture.call("aria2.getUris", "[\"\(Fixture.one)\"]")
        == #"[{"status":"waiting","uri":"http://a.example/1k"}]"#)
  }

  @Test("the URI that is being downloaded can be replaced")
  func replacingUsedURI() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    _ = fixture.actions()
    _ = try fixture.call(
      "aria2.changeUri", #"["\#(Fixture.one)",1,["http://a.example/f"],["http://b.example/f"],0]"#)
    let actions = fixture.actions()
    #expect(actions.first == .discard(try #require(GID(Fixture.one)), ResourceID(5)))
    guard case .start(let order)? = actions.last else {
      Issue.record("no start")
      return
    }
    #expect(order.uri == "http://b.example/f" && order.resource == nil)
  }

  @Test("options of a download are read and changed")
  func options() throws {
    var fixture = try Fixture([("max-download-limit", "10000")])
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    func value(_ name: String, _ fixture: inout Fixture) throws -> String? {
      try JSONValue(
        parsing: Array(try fixture.call("aria2.getOption", "[\"\(Fixture.one)\"]").utf8), .strict)[
          name]?.text
    }
    #expect(try value("max-download-limit", &fixture) == "10000")
    #expect(try value("dir", &fixture) == "/library/aria2")
    #expect(try value("split", &fixture) == "5")
    #expect(try value("gid", &fixture) == nil)
    _ = fixture.actions()
    #expect(
      try fixture.call(
        "aria2.changeOption", #"["\#(Fixture.one)",{"max-download-limit":"20K","split":"7"}]"#)
        == #""OK""#)
    #expect(try value("max-download-limit", &fixture) == "20480")
    #expect(try value("split", &fixture) == "7")
    #expect(
      fixture.actions() == [
        .limitRate(try #require(GID(Fixture.one)), bytesPerSecond: 20_480)
      ])
    _ = try fixture.call(
      "aria2.changeOption", #"["\#(Fixture.one)",{"max-download-limit":"20480"}]"#)
    #expect(fixture.actions() == [], "an equal limit changes nothing")
  }

  @Test("options of the server are read and changed")
  func globalOptions() throws {
    var fixture = try Fixture([("max-concurrent-downloads", "5")])
    try fixture.add(Fixture.one)
    _ = fixture.actions()
    _ = try fixture.call(
      "aria2.changeGlobalOption",
      #"[{"max-overall-download-limit":"1M","max-download-limit":"5","save-session":"/etc/passwd","split":"3","timeout":"9","unknown":"x"}]"#
    )
    #expect(
      fixture.actions() == [
        .reportIgnoredOption("save-session"), .reportIgnoredOption("timeout"),
        .reportIgnoredOption("unknown"), .setOverallLimit(bytesPerSecond: 1_048_576),
        .limitRate(try #require(GID(Fixture.one)), bytesPerSecond: 5),
      ])
    let values = try JSONValue(
      parsing: Array(try fixture.call("aria2.getGlobalOption").utf8), .strict)
    for (name, value) in [
      ("max-concurrent-downloads", "5"), ("max-overall-download-limit", "1048576"), ("split", "3"),
      ("unknown", "x"), ("dir", "/library/aria2"), ("max-download-result", "1000"),
    ] {
      #expect(values[name]?.text == value, "\(name)")
    }
    #expect(values["pause"] == nil && values["gid"] == nil)
    _ = try fixture.call("aria2.changeGlobalOption", #"[{"timeout":"4"}]"#)
    #expect(fixture.actions() == [], "an ignored option is reported once")
  }

  @Test(
    "the number of connections is the smaller of two options, if a client or the server has set one",
    arguments: [
      ([], "", nil), ([], #""split":"8""#, 1), ([], #""max-connection-per-server":"8""#, 5),
      ([], #""split":"8","max-connection-per-server":"4""#, 4),
      ([("split", "6"), ("max-connection-per-server", "16")], "", 6),
      ([("max-connection-per-server", "16")], #""split":"1""#, 1),
    ] as [([(name: String, value: String)], String, Int?)])
  func connections(server: [(name: String, value: String)], client: String, count: Int?) throws {
    var fixture = try Fixture(server)
    _ = try fixture.call("aria2.addUri", "[[\"http://a.example/f\"],{\(client)}]")
    let orders = fixture.actions().compactMap { action -> TransferOrder? in
      if case .start(let order) = action { order } else { nil }
    }
    #expect(orders.map(\.limits.connections) == [count])
  }

  @Test("the server describes and ends itself")
  func system() throws {
    var fixture = try Fixture()
    #expect(
      try fixture.call("aria2.getVersion")
        == #"{"enabledFeatures":["GZip","HTTPS","Message Digest","Metalink"],"version":"1.37.0","server":"imgdl 0.1"}"#
    )
    for (method, action) in [
      ("aria2.saveSession", Aria2Action.saveSession), ("aria2.shutdown", .shutDown),
      ("aria2.forceShutdown", .shutDown),
    ] {
      #expect(try fixture.call(method) == #""OK""#)
      #expect(fixture.actions() == [action])
    }
  }

  @Test("results beyond the limit are dropped, the oldest first")
  func resultLimit() throws {
    var fixture = try Fixture([("max-download-result", "2")])
    for number in 1...4 {
      try fixture.add(fixture.gid(number))
      _ = try fixture.call("aria2.remove", "[\"\(fixture.gid(number))\"]")
    }
    #expect(
      try fixture.call("aria2.tellStopped", #"[0,9,["gid"]]"#)
        == #"[{"gid":"0000000000000003"},{"gid":"0000000000000004"}]"#)
    #expect(try fixture.call("aria2.getGlobalStat").contains(#""numStoppedTotal":"4""#))
  }
}

extension Fixture {
  /// The last digits of the GIDs in the queue.
  mutating func order() throws -> String {
    let list = try JSONValue(
      parsing: Array(try call("aria2.tellWaiting", "[0,100,[\"gid\"]]").utf8), .strict)
    return list.array?.compactMap { $0["gid"]?.text?.last.map { String($0) } }.joined() ?? ""
  }
}
