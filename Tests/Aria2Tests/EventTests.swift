import Models
import Testing
@testable import Aria2

/// Events of the library.
@Suite struct EventTests {
  private static func active() throws -> Fixture {
    var fixture = try Fixture()
    _ = try fixture.call(
      "aria2.addUri", #"[["http://a.example/f","http://b.example/f"],{"gid":"\#(Fixture.one)"}]"#)
    try fixture.addResource(5, to: Fixture.one)
    _ = fixture.actions()
    return fixture
  }

  @Test("a finished resource completes the download")
  func finishing() throws {
    var fixture = try Self.active()
    fixture.machine.handle(
      .finished(ResourceID(5), path: "/library/aria2/0001-f.jpg", byteCount: 2_097_153), now: 1)
    #expect(fixture.notifications() == ["complete 1"])
    #expect(
      try fixture.status(
        Fixture.one, "status", "totalLength", "completedLength", "errorCode", "dir", "bitfield",
        "numPieces")
        == #"{"bitfield":"e0","completedLength":"2097153","dir":"/library/aria2","errorCode":"0","numPieces":"3","status":"complete","totalLength":"2097153"}"#
    )
    #expect(
      try fixture.call("aria2.getFiles", "[\"\(Fixture.one)\"]").contains(
        #""path":"/library/aria2/0001-f.jpg""#))
    // A second report, and one for another resource, change nothing.
    fixture.machine.handle(.finished(ResourceID(5), path: nil, byteCount: 0), now: 2)
    fixture.machine.handle(.failed(ResourceID(9), reason: "x"), now: 2)
    #expect(fixture.actions() == [])
  }

  @Test("a paused download whose transfer was complete already is complete")
  func finishingPaused() throws {
    var fixture = try Self.active()
    _ = try fixture.call("aria2.pause", "[\"\(Fixture.one)\"]")
    _ = fixture.actions()
    fixture.machine.handle(.failed(ResourceID(5), reason: "HTTP 404 Not Found"), now: 1)
    #expect(fixture.actions() == [], "a paused download does not fail")
    fixture.machine.handle(.finished(ResourceID(5), path: "/library/aria2/f", byteCount: 3), now: 1)
    #expect(fixture.notifications() == ["complete 1"])
  }

  @Test("the next URI is tried after a failure, and the last failure is the error")
  func mirrors() throws {
    var fixture = try Self.active()
    fixture.machine.handle(.failed(ResourceID(5), reason: "HTTP 500 Internal Server Error"), now: 1)
    guard case .start(let order)? = fixture.actions().last else {
      Issue.record("no start")
      return
    }
    #expect(order.uri == "http://b.example/f" && order.resource == nil)
    #expect(try fixture.status(Fixture.one, "status") == #"{"status":"active"}"#)
    try fixture.addResource(6, to: Fixture.one)
    fixture.machine.handle(.failed(ResourceID(6), reason: "HTTP 404 Not Found"), now: 1)
    #expect(fixture.notifications() == ["error 1"])
    #expect(
      try fixture.status(Fixture.one, "status", "errorCode", "errorMessage")
        == #"{"errorCode":"3","errorMessage":"HTTP 404 Not Found","status":"error"}"#)
  }

  @Test("a download that cannot be started tries its next URI, then fails")
  func startFailure() throws {
    var fixture = try Self.active()
    let gid = try #require(GID(Fixture.one))
    fixture.machine.handle(.startFailed(gid, reason: "the disk is full"), now: 1)
    fixture.machine.handle(.startFailed(gid, reason: "the disk is full"), now: 1)
    #expect(
      try fixture.status(Fixture.one, "errorCode", "status")
        == #"{"errorCode":"9","status":"error"}"#)
  }

  @Test("a removed record ends its downloads")
  func removal() throws {
    var fixture = try Self.active()
    fixture.machine.handle(.removed([ResourceID(5), ResourceID(77)]), now: 1)
    #expect(fixture.notifications() == ["error 1"])
  }

  @Test(
    "the number of connections is that of the last progress, and a download without a transfer has none"
  )
  func connections() throws {
    var fixture = try Self.active()
    func connections() throws -> String { try fixture.status(Fixture.one, "connections") }
    #expect(try connections() == #"{"connections":"0"}"#)
    for count in [1, 8] {
      fixture.machine.handle(
        .progressed([
          ResourceID(5): Aria2Progress(received: 1, expected: nil, connections: count)
        ]), now: 1)
      #expect(try connections() == #"{"connections":"\#(count)"}"#)
    }
    fixture.machine.handle(.progressed([:]), now: 2)
    #expect(try connections() == #"{"connections":"0"}"#)
    fixture.machine.handle(
      .progressed([ResourceID(5): Aria2Progress(received: 1, expected: nil)]), now: 3)
    _ = try fixture.call("aria2.pause", "[\"\(Fixture.one)\"]")
    #expect(try connections() == #"{"connections":"0"}"#)
  }

  @Test("the rate is the average since the last computation, at least a second ago")
  func progress() throws {
    var fixture = try Self.active()
    func report(_ bytes: Int64, _ now: Double) {
      fixture.machine.handle(
        .progressed([ResourceID(5): .init(received: bytes, expected: 8_388_609)]), now: now)
    }
    report(1_000, 10)
    report(2_000, 10.5)
    #expect(
      try fixture.status(Fixture.one, "completedLength", "downloadSpeed")
        == #"{"completedLength":"2000","downloadSpeed":"0"}"#)
    report(5_000, 12)
    #expect(
      try fixture.status(
        Fixture.one, "completedLength", "downloadSpeed", "totalLength", "numPieces", "bitfield")
        == #"{"bitfield":"0000","completedLength":"5000","downloadSpeed":"2000","numPieces":"9","totalLength":"8388609"}"#
    )
    report(2_097_152, 13)
    #expect(try fixture.status(Fixture.one, "bitfield") == #"{"bitfield":"c000"}"#)
    #expect(try fixture.call("aria2.getGlobalStat").hasPrefix(#"{"downloadSpeed":"2092152""#))
    // A transfer that starts again from zero has no negative rate.
    report(10, 15)
    #expect(try fixture.status(Fixture.one, "downloadSpeed") == #"{"downloadSpeed":"0"}"#)
  }

  @Test(
    "reasons have aria2's codes",
    arguments: [
      ("HTTP 404 Not Found", 3), ("HTTP 410 Gone", 3), ("HTTP 401 Unauthorized", 24),
      ("HTTP 503", 29),
      ("HTTP 429 Too Many Requests", 29), ("HTTP 418 I'm a teapot", 22), ("HTTP x", 1),
      ("no data was received from http://a for 30.0 s", 2),
      ("its SHA-256 is 1, the manifest specifies 2", 32), ("cancelled", 31),
      ("the server sent no content (204)", 22),
      ("connection refused", 6), ("http://a sent less than 100 bytes per second", 5),
      ("anything", 1),
    ])
  func codes(reason: String, code: Int) { #expect(ErrorCode(reason: reason).rawValue == code) }

  @Test(
    "the downloads of a cancelled record are removed, and none of them takes the place of another")
  func cancelledRecord() throws {
    var fixture = try Fixture([(name: "max-concurrent-downloads", value: "1")])
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    try fixture.add(Fixture.two, "http://a.example/g", #""pause":"true""#)
    try fixture.add(Fixture.three)
    try fixture.add(fixture.gid(4), "http://a.example/h", #""dir":"other""#)
    _ = fixture.actions()
    fixture.machine.handle(.recordCancelled(title: "aria2"), now: 1)
    let actions = fixture.actions()
    #expect(
      actions.contains {
        if case .discard(let gid, let id) = $0 {
          gid.rawValue == 1 && id == ResourceID(5)
        } else {
          false
        }
      })
    let started = actions.compactMap {
      if case .start(let order) = $0 { order.gid.rawValue } else { nil }
    }
    #expect(started == [4])
    for number in 1...3 {
      #expect(
        try fixture.status(fixture.gid(number), "status", "errorCode")
          == #"{"errorCode":"31","status":"removed"}"#)
    }
  }

  @Test(
    "a download whose resource a user has cancelled is removed, and its other URIs are not tried")
  func cancelledResource() throws {
    var fixture = try Self.active()
    _ = try fixture.call("aria2.pause", "[\"\(Fixture.one)\"]")
    _ = fixture.actions()
    fixture.machine.handle(.failed(ResourceID(5), reason: Resource.cancelledReason), now: 1)
    #expect(fixture.notifications() == ["stop 1"])
  }

  @Test("a stopped download whose resource a user has queued again continues, and can end again")
  func requeued() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    fixture.machine.handle(.failed(ResourceID(5), reason: "HTTP 404 Not Found"), now: 1)
    _ = fixture.actions()
    #expect(fixture.machine.stoppedResources == [ResourceID(5)])
    fixture.machine.handle(.requeued([ResourceID(5), ResourceID(9)]), now: 2)
    #expect(
      try fixture.status(Fixture.one, "status", "errorCode", "errorMessage")
        == #"{"status":"active"}"#)
    #expect(fixture.orders().map(\.resource) == [ResourceID(5)])
    #expect(fixture.machine.sessionText.contains("# imgdl-resource 5"))
    #expect(try fixture.call("aria2.tellStopped", "[0,9]") == "[]")
    fixture.machine.handle(.finished(ResourceID(5), path: "/library/aria2/f", byteCount: 3), now: 3)
    #expect(fixture.notifications() == ["complete 1"])
    #expect(fixture.machine.sessionText.isEmpty)
  }

  @Test("a failed download whose resource was downloaded after all is complete")
  func finishedAfterFailure() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.addResource(5, to: Fixture.one)
    fixture.machine.handle(.failed(ResourceID(5), reason: "HTTP 404 Not Found"), now: 1)
    fixture.machine.handle(.finished(ResourceID(5), path: "/library/aria2/f", byteCount: 3), now: 3)
    #expect(
      try fixture.status(Fixture.one, "status", "errorCode", "completedLength")
        == #"{"completedLength":"3","errorCode":"0","status":"complete"}"#)
    #expect(try fixture.call("aria2.getGlobalStat").contains(#""numStopped":"1""#))
  }

  @Test("an order is current until the download changes")
  func currentOrder() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    guard case .start(let order)? = fixture.actions().last else {
      Issue.record("no start")
      return
    }
    #expect(fixture.machine.isCurrent(order))
    _ = try fixture.call("aria2.pause", "[\"\(Fixture.one)\"]")
    #expect(!fixture.machine.isCurrent(order) && fixture.machine.needsResource(of: order))
    _ = try fixture.call("aria2.remove", "[\"\(Fixture.one)\"]")
    #expect(!fixture.machine.needsResource(of: order))
  }

  @Test("a resource for the URI that was replaced meanwhile is not that of the download")
  func replacedURI() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    let order = try #require(fixture.orders().last)
    _ = try fixture.call(
      "aria2.changeUri", #"["\#(Fixture.one)",1,["http://a.example/f"],["http://b.example/f"]]"#)
    #expect(!fixture.machine.isCurrent(order) && !fixture.machine.needsResource(of: order))
    // The same URI again is another transfer as well.
    _ = try fixture.call(
      "aria2.changeUri", #"["\#(Fixture.one)",1,["http://b.example/f"],["http://a.example/f"]]"#)
    #expect(!fixture.machine.needsResource(of: order))
    let last = try #require(fixture.orders().last)
    #expect(last.uri == order.uri && fixture.machine.isCurrent(last))
  }

  @Test("an active download whose start has failed is ordered again")
  func missingResources() throws {
    var fixture = try Fixture()
    try fixture.add(Fixture.one)
    try fixture.add(Fixture.two)
    let orders = fixture.orders()
    #expect(fixture.machine.missingResources == orders && orders.count == 2)
    try fixture.addResource(5, to: Fixture.one)
    #expect(fixture.machine.missingResources.map(\.gid.description) == [Fixture.two])
  }
}
