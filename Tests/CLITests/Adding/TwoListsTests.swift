import Origin
import SystemCalls
import Testing

/// Lists that have URLs in common, in one command.
@Suite struct TwoListsTests {
  @Test(
    "two lists of the same 500 URLs in one add make exactly 500 requests, none of them conditional",
    arguments: [false, true])
  func together(_ isDetached: Bool) async throws {
    let body: (Rig) async throws -> Void = { rig in
      let urls = try rig.serveImages("a", 500)
      let first = try rig.write("first.txt", urls.joined(separator: "\n"))
      let second = try rig.write("second.txt", urls.reversed().joined(separator: "\n"))
      let words = ["add", "--no-thumbnails"] + (isDetached ? ["--detach"] : []) + [first, second]
      let ending = try await rig.imgdl(words)
      #expect(ending.code == 0, "\(ending.errors)")
      if isDetached { #expect(try await rig.imgdl("watch").code == 0) }
      #expect(try await rig.records().map(\.finished) == [500, 500])
      let log = rig.wholeLog()
      #expect(log.count == 500)
      #expect(log.count { $0.status == 304 } == 0)
    }
    if isDetached {
      try await Rig.runWithDaemon(body)
    } else {
      try await Rig.run { try await body($0) }
    }
  }

  @Test("another add later asks whether the files have changed")
  func later() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 20)
      for name in ["first", "second"] {
        let list = try rig.write("\(name).txt", urls.joined(separator: "\n"))
        #expect(try await rig.imgdl("add", list).code == 0)
      }
      let statuses = rig.wholeLog().map(\.status)
      #expect(statuses.count { $0 == 200 } == 20)
      #expect(statuses.count { $0 == 304 } == 20)
    }
  }
}
