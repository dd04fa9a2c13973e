import SystemCalls
import Testing

/// What destroys asks on a terminal and needs --yes elsewhere; what is not ours stays.
@Suite struct DeletingTests {
  @Test("remove deletes one record with its files, the others keep theirs")
  func remove() async throws {
    try await withTwoRecords { rig in
      let foreign = rig.library + "/cats/mine.txt"
      try rig.write("library/cats/mine.txt", "mine")
      let refused = try await rig.imgdl("remove", "cats")
      #expect(refused.code == 2)
      #expect(refused.errors.contains("--yes"))
      #expect(try await rig.records().count == 2)

      let ending = try await rig.imgdl("remove", "cats", "--yes")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.title) == ["birds"])
      #expect(
        try rig.files().keys.sorted() == [
          "birds/0001-b-1.png", "birds/0002-b-2.png", "cats/mine.txt",
        ])
      #expect(FileSystem.exists(foreign))
      #expect(try await rig.imgdl("remove", "cats", "--yes").code == 2)
    }
  }

  @Test("remove --keep-files removes a record only, and its files are the user's own then")
  func keepFiles() async throws {
    try await withTwoRecords { rig in
      let before = try rig.files().keys.sorted()
      let ending = try await rig.imgdl("remove", "cats", "--keep-files", "--yes")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.errors == "cats: removed; its files stay in \(rig.library)/cats\n")
      #expect(try await rig.records().map(\.title) == ["birds"])
      #expect(try rig.files().keys.sorted() == before)
      #expect(try await rig.imgdl("verify").code == 0)
      #expect(try await rig.imgdl("reset", "--yes").code == 0)
      #expect(try rig.files().keys.sorted() == before.filter { $0.hasPrefix("cats/") })
    }
  }

  @Test("reset empties the library; settings and foreign files stay; the source can be added again")
  func reset() async throws {
    try await withTwoRecords { rig in
      try rig.write("library/.imgdl/config.json", "{}")
      try rig.write("library/notes.txt", "mine")
      #expect(try await rig.imgdl("reset").code == 2)
      #expect(try await rig.records().count == 2)
      let ending = try await rig.imgdl("reset", "--yes")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records() == [])
      #expect(try rig.files().keys.sorted() == ["notes.txt"])
      #expect(FileSystem.exists(rig.library + "/.imgdl/config.json"))
      #expect(try rig.incoming() == [])
      let renditions = try await rig.shell("find library/.imgdl/renditions -type f")
      #expect(renditions.output == "")
      #expect(try await rig.imgdl("add", rig.url("all.zip")).code == 0)
      #expect(try await rig.records().map(\.folder) == ["birds", "cats"])
    }
  }

  @Test(
    "on a terminal the question is asked, and anything but yes keeps everything",
    arguments: ["n", "", "y"])
  func asked(_ answer: String) async throws {
    try await withTwoRecords { rig in
      let program = try rig.start(["remove", "cats"], terminal: (80, 24))
      #expect(await program.waits { $0.contains("Delete \"cats\" with its 1 resource? [y/N] ") })
      try program.type(answer + "\n")
      let ending = await program.ending()
      #expect(ending.code == (answer == "y" ? 0 : 7), "\(ending.output)")
      #expect(try await rig.records().count == (answer == "y" ? 1 : 2))
    }
  }

  private func withTwoRecords(_ body: (Rig) async throws -> Void) async throws {
    try await Rig.run { rig in
      let source = try rig.serve(
        "all.zip",
        Sample.manifest([
          "birds.json": rig.serveImages("b", 2), "cats.json": rig.serveImages("c", 1),
        ]))
      #expect(try await rig.imgdl("add", source).code == 0)
      try await body(rig)
    }
  }
}
