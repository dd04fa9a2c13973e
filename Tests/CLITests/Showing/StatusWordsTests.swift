import TestSupport
import Testing

/// The status words of `list` and `show`, with and without a running engine.
@Suite struct StatusWordsTests {
  /// Adds three resources of which none comes, and kills the program.
  private func interrupted(_ rig: Rig) async throws {
    let stage = try Stage()
    let urls = (1...3).map { stage.serve("\($0).png", Sample.image($0, side: 64), held: true) }
    let list = try rig.write("held.txt", urls.joined(separator: "\n"))
    let program = try rig.start(["add", "--json", list])
    #expect(await program.tells("started"))
    program.signal(9)
    _ = await program.ending()
  }

  @Test("work without a running process is Stopped, and the command that continues it is named")
  func stopped() async throws {
    try await Rig.run { rig in
      try await interrupted(rig)
      let list = try await rig.imgdl("list")
      #expect(list.output.contains("Stopped") && !list.output.contains("Queu"), "\(list.output)")
      #expect(list.errors.contains("continue with imgdl-cli resume"))
      let show = try await rig.imgdl("show", "1")
      #expect(show.output.hasPrefix("held: Stopped\n"))
      #expect(!show.output.contains("Queu"), "\(show.output)")
      #expect(show.errors.contains("continue with imgdl-cli resume"))
      #expect(try await rig.records().map(\.status) == ["Stopped"])
      #expect(try await rig.imgdl("details", "1").output.contains("Stopped"))
      _ = try await rig.imgdl("pause")
      #expect(try await rig.imgdl("show", "1").output.components("Paused") == 4)
      #expect(try await rig.records().map(\.status) == ["Paused"])
    }
  }

  @Test(
    "while a program downloads, the JSON lines have the step, bytes and pixels of each resource",
    arguments: ["show", "details"])
  func live(command: String) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      // Behind the end of the image, so that half of the file contains its header and is worth a chunk.
      let image = Sample.image(1, side: 64) + Sample.bytes(100_000)
      let urls = (1...2).map { stage.serve("\($0).png", image + [UInt8($0)], held: true) }
      let list = try rig.write("held.txt", urls.joined(separator: "\n"))
      let program = try rig.start(["add", "-j", "1", "--json", list])
      #expect(await program.tells("started"))
      var lines: [ListedResource] = []
      for _ in 0..<200 {
        lines = try Rig.lines(try await rig.imgdl(command, "1", "--json"))
        if lines.first?.width != nil { break }
      }
      #expect(lines.map(\.status) == ["queued", "queued"])
      #expect(lines.map(\.stage) == ["downloading", "queuing"])
      let first = try #require(lines.first)
      #expect(try #require(first.received) > 0)
      #expect(first.expected == Int64(image.count + 1))
      #expect(first.width == 64 && first.height == 64)
      #expect(lines[1].received == nil && lines[1].expected == nil && lines[1].width == nil)
      #expect(try await rig.imgdl("pause").code == 0)
      #expect(try await rig.resources().map(\.stage) == [nil, nil])
      program.signal(9)
      _ = await program.ending()
      #expect(try await rig.resources().map(\.stage) == [nil, nil])
    }
  }

  @Test("a lazy record is downloaded on demand")
  func lazy() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 3)
      let list = try rig.write("names.txt", urls.joined(separator: "\n"))
      let add = try await rig.imgdl("add", "--lazy", list)
      #expect(add.code == 0, "\(add.errors)")
      #expect(!add.errors.contains("Queu"), "\(add.errors)")
      #expect(try await rig.records().map(\.status) == ["On demand"])
      let show = try await rig.imgdl("show", "1")
      #expect(show.output.components("On demand") == 4, "\(show.output)")
      #expect(!show.errors.contains("resume"))
    }
  }

  @Test(
    "what retry has named of a lazy record is Stopped after a kill, and resume continues it alone")
  func named() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let urls = (1...3).map { stage.serve("\($0).png", Sample.image($0, side: 64), held: true) }
      let list = try rig.write("held.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--lazy", list).code == 0)
      #expect(try await rig.imgdl("cancel", "1").code == 0)
      let program = try rig.start(["retry", "--json", "1"])
      #expect(await program.tells("started"))
      program.signal(9)
      _ = await program.ending()
      #expect(try await rig.records().map(\.status) == ["Stopped"])
      let show = try await rig.imgdl("show", "1")
      #expect(show.output.components("Stopped") == 4, "\(show.output)")
      #expect(show.errors.contains("continue with imgdl-cli resume"))
      for number in 1...3 { stage.serve("\(number).png", Sample.image(number, side: 64)) }
      let resume = try await rig.imgdl("resume")
      #expect(resume.code == 0, "\(resume.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
    }
  }

  @Test(
    "cancelled resources are Cancelled and not failed; failures are shown beside finished resources"
  )
  func cancelled() async throws {
    try await Rig.run { rig in
      try await interrupted(rig)
      #expect(try await rig.imgdl("cancel", "1").code == 0)
      let list = try await rig.imgdl("list")
      #expect(list.output.contains("Finished, 3 cancelled"), "\(list.output)")
      #expect(!list.output.contains("failed"))
      #expect(try await rig.records().map(\.failed) == [0])
      let show = try await rig.imgdl("show", "1")
      #expect(show.output.contains("Cancelled") && !show.output.contains("Error"))
      let urls = try rig.serveImages("a", 2) + [rig.url("none.png")]
      _ = try await rig.imgdl(
        "add", "--retry", "0", try rig.write("some.txt", urls.joined(separator: "\n")))
      #expect(try await rig.imgdl("list").output.contains("2/3, 1 failed"))
    }
  }

  @Test(
    "an add of a source in the library says that it was appended, and which command refreshes it")
  func appended() async throws {
    try await Rig.run { rig in
      let list = try rig.serve("list.txt", rig.serveImages("a", 2).joined(separator: "\n"))
      let first = try await rig.imgdl("add", list)
      #expect(first.code == 0 && !first.errors.contains("already"))
      let second = try await rig.imgdl("add", list)
      #expect(
        second.errors.contains("was already in the library and was appended again"),
        "\(second.errors)")
      #expect(second.errors.contains("imgdl-cli refresh 1 "))
      #expect(try await rig.records().count == 2)
    }
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
