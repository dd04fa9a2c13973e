import Origin
import Testing

/// The same source again: appended, continued, or left to `retry` (DL4).
@Suite struct AgainTests {
  @Test("adding a finished source twice appends its records, in folders of their own")
  func twice() async throws {
    try await Rig.run { rig in
      let source = try rig.serve(
        "all.zip",
        Sample.manifest([
          "birds.json": rig.serveImages("b", 2), "cats.json": rig.serveImages("c", 1),
        ]))
      for _ in 1...2 { #expect(try await rig.imgdl("add", source).code == 0) }
      let records = try await rig.records()
      #expect(records.map(\.title) == ["birds", "cats", "birds", "cats"])
      #expect(records.map(\.folder) == ["birds", "cats", "birds (2)", "cats (2)"])
      #expect(records.map(\.number) == [1, 2, 3, 4])
      for number in 1...4 { try await rig.expectOriginals(number) }
    }
  }

  @Test("a source whose only rest are failures points to retry, which takes exactly those")
  func onlyFailures() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2) + [rig.url("late.png")]
      let source = try rig.serve("list.json", Sample.json(urls))
      #expect(try await rig.imgdl("add", source).code == 1)
      let second = try await rig.imgdl("add", source)
      #expect(second.code == 1)
      #expect(second.errors.contains("imgdl-cli retry"))
      #expect(try await rig.records().count == 1)

      try rig.serve("late.png", Sample.image(9))
      let retry = try await rig.imgdl("retry", "list")
      #expect(retry.code == 0, "\(retry.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
      try await rig.expectOriginals()
      let log = rig.wholeLog()
      #expect(log.filter { $0.target == "/late.png" }.map(\.status) == [404, 200])
      #expect(log.count == 5, "nothing else is asked for twice")
    }
  }

  @Test("--again appends although an earlier add left failures")
  func again() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("list.json", Sample.json([rig.url("no.png")]))
      #expect(try await rig.imgdl("add", source).code == 1)
      #expect(try await rig.imgdl("add", "--again", source).code == 1)
      #expect(try await rig.records().map(\.folder) == ["list", "list (2)"])
    }
  }

  @Test("standard input is known again by its content")
  func sameInput() async throws {
    try await Rig.run { rig in
      let list = try rig.serveImages("a", 1)[0] + "\n" + rig.url("no.png")
      #expect(try await rig.imgdl("add", "-", input: list).code == 1)
      let second = try await rig.imgdl("add", "-", input: list)
      #expect(second.code == 1)
      #expect(second.errors.contains("standard input: everything except failed resources"))
      #expect(try await rig.records().count == 1)
      #expect(try rig.incoming() == [])
    }
  }
}
