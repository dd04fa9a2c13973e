import Testing

/// Commands that take several records, or a part of the resources of one.
@Suite struct SeveralRecordTests {
  private func withTwoLists(_ body: (Rig, Stage) async throws -> Void) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      for name in ["cats", "birds"] {
        let urls = (1...2).map { stage.serve("\(name)-\($0).png", Sample.image($0 + name.count)) }
        let list = stage.serve(
          "\(name).json", try Sample.json(urls + [stage.url("\(name)-gone.png")]))
        stage.refuse("\(name)-gone.png", 404)
        _ = try await rig.imgdl("add", "--retry", "0", list)
      }
      try await body(rig, stage)
    }
  }

  @Test("show --failed lists the failed resources only, and --limit counts these")
  func failed() async throws {
    try await withTwoLists { rig, _ in
      let shown = try await rig.imgdl("show", "cats", "--failed")
      #expect(shown.output.contains("Error") && !shown.output.contains("-1.png"))
      let lines = try await rig.imgdl("show", "cats", "--failed", "--limit", "1", "--json").output
      #expect(lines.split(separator: "\n").count == 1 && lines.contains("cats-gone.png"))
    }
  }

  @Test("The tables of several records are one table with one line of names")
  func tables() async throws {
    try await withTwoLists { rig, _ in
      let table = try await rig.imgdl("export", "cats", "birds", "--format", "csv")
      #expect(table.code == 0, "\(table.errors)")
      let lines = table.output.split(whereSeparator: \.isNewline)
      #expect(lines.count == 7)
      #expect(lines[1...3].allSatisfy { $0.contains("cats") })
      #expect(lines[4...].allSatisfy { $0.contains("birds") })
      let unknown = try await rig.imgdl("export", "cats", "dogs", "--format", "csv")
      #expect(unknown.code == 2 && unknown.output.isEmpty)
      let images = try await rig.imgdl("export", "cats", "birds", "--format", "cbz", "-o", "x.cbz")
      #expect(images.code == 2 && images.errors.contains("--output"))
    }
  }

  @Test("open prints the path of a record's folder or of one of its files")
  func open() async throws {
    try await withTwoLists { rig, _ in
      #expect(try await rig.imgdl("open", "cats").output == rig.library + "/cats\n")
      let file = try await rig.imgdl("open", "1", "2")
      #expect(file.code == 0 && file.output.hasPrefix(rig.library + "/"), "\(file.errors)")
      #expect(file.output.hasSuffix("-2.png\n"))
      #expect(try await rig.imgdl("open", "cats", "3").code == 3)
      #expect(try await rig.imgdl("open", "cats", "4").code == 2)
    }
  }

  @Test("refresh --all reads each source once, also if one of them fails")
  func refreshAll() async throws {
    try await withTwoLists { rig, stage in
      #expect(try await rig.imgdl("add", "-", input: stage.url("cats-1.png") + "\n").code == 0)
      stage.refuse("cats.json", 404)
      stage.serve("new.png", Sample.image(9))
      stage.serve("birds.json", try Sample.json([stage.url("new.png"), stage.url("birds-1.png")]))
      let ending = try await rig.imgdl("refresh", "--all", "--retry", "0")
      #expect(ending.code != 0 && ending.errors.contains("404"), "\(ending.errors)")
      #expect(ending.errors.contains("1 new entry"))
      #expect(!ending.errors.contains("standard input"))
      #expect(try await rig.imgdl("refresh").code == 2)
      #expect(try await rig.imgdl("refresh", "--all", "cats").code == 2)
    }
  }
}
