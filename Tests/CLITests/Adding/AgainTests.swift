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

  @Test("a list with failures that has changed is not read again without a remark")
  func changedAfterFailure() async throws {
    try await Rig.run { rig in
      let bad = rig.url("no.png")
      let list = try rig.write("list.txt", bad)
      for _ in 0..<2 {
        let ending = try await rig.imgdl("add", list)
        #expect(ending.code == 1 && !ending.errors.contains("changed"), "\(ending.errors)")
      }
      let new = try rig.serveImages("b", 1)[0]
      try rig.write("list.txt", "\(bad)\n\(new)\n")
      let ending = try await rig.imgdl("add", list)
      #expect(ending.code == 1)
      for part in [
        "list.txt: has changed since it was added; imgdl-cli refresh 1 adds its new entries",
        "everything of the earlier list except failed resources",
      ] {
        #expect(ending.errors.contains(part), "\(ending.errors)")
      }
      #expect(try await rig.resources().map(\.url) == [bad])
      _ = try await rig.imgdl("refresh", "1")
      #expect(try await rig.resources().map(\.url).sorted() == [bad, new].sorted())
      let unknown = try await rig.imgdl("add", list)
      #expect(
        unknown.errors.contains("if it has changed, imgdl-cli refresh 1"), "\(unknown.errors)")
    }
  }

  @Test("adding a lazy list again says that it is lazy, and how all of it is downloaded")
  func lazy() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serveImages("a", 2).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--lazy", list).code == 0)
      let plain = try await rig.imgdl("add", list)
      #expect(plain.code == 0 && !plain.errors.contains("interrupted"), "\(plain.errors)")
      #expect(
        plain.errors.contains("list.txt: is record 1, which is lazy")
          && plain.errors.contains("imgdl-cli add --again downloads all of them"),
        "\(plain.errors)")
      let lazy = try await rig.imgdl("add", "--lazy", list)
      #expect(lazy.errors.contains("lazy") && !lazy.errors.contains("--again"), "\(lazy.errors)")
      #expect(try await rig.imgdl("add", "--again", list).code == 0)
      #expect(try await rig.records().map(\.status) == ["On demand", "Finished"])
    }
  }

  @Test("a source that is named twice in a command is added once, unless with --again")
  func namedTwice() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("list.json", Sample.json(rig.serveImages("a", 2)))
      let add = try await rig.imgdl("add", source, source)
      #expect(add.code == 0 && !add.errors.contains("interrupted"), "\(add.errors)")
      #expect(add.errors.contains("\(source): is named twice, and is added once"))
      #expect(try await rig.records().count == 1)
      #expect(try await rig.imgdl("add", "--again", source, source).code == 0)
      #expect(try await rig.records().count == 3)
    }
  }

  @Test("an add whose page failed names the commands that go on, and the same command does")
  func failedPage() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      func page(_ number: Int, next: String) throws -> String {
        let url = stage.serve("\(number).png", Sample.image(number))
        return #"{"urls": \#(try Sample.json([url]))\#(next)}"#
      }
      let source = stage.serve("p1.json", try page(1, next: #", "next": "p2.json""#))
      stage.refuse("p2.json", 404)
      let first = try await rig.imgdl("add", source)
      #expect(first.code == 1, "\(first.errors)")
      #expect(
        first.errors.contains(
          "imgdl-cli more 1 reads the next page, and the same command all further ones"),
        "\(first.errors)")
      stage.serve("p2.json", try page(2, next: ""))
      let second = try await rig.imgdl("add", source)
      #expect(second.code == 0, "\(second.errors)")
      #expect(second.errors.contains("continuing an interrupted add"), "\(second.errors)")
      #expect(!second.errors.contains("imgdl-cli more"), "\(second.errors)")
      #expect(try await rig.records().count == 1)
      #expect(try await rig.resources().map(\.status) == ["finished", "finished"])
    }
  }
}
