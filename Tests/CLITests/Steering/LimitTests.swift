import Origin
import Testing

/// `concurrency`, `per-host`, `limit-rate` and `priority`: at once, and kept.
@Suite struct LimitTests {
  @Test(
    "limits of the running engine are shown and changed", arguments: ["concurrency", "per-host"])
  func elsewhere(_ command: String) async throws {
    try await Rig.run { rig in
      try await rig.withFirst(held: 3, ["-j", "3", "--max-per-host", "3"]) { first, stage in
        #expect(try await rig.imgdl(command).output == "3\n")
        let more = try rig.write("more.txt", stage.hold("m", 5).joined(separator: "\n"))
        let second = try rig.start(["add", "--json", more])
        #expect(await second.tells("record"))
        #expect(stage.requests.count == 3, "no more may run")
        // One limit alone changes nothing where the other one holds.
        for name in ["concurrency", "per-host"] {
          let change = try await rig.imgdl(name, "8")
          #expect(change.code == 0, "\(change.errors)")
        }
        #expect(await first.tells("concurrency"))
        #expect(await first.waits(for: { stage.requests.count == 8 }), "at once")
        #expect(try await rig.imgdl(command).output == "8\n")
        stage.gate.open()
        await expect(first, endsWith: 0)
        await expect(second, endsWith: 0)
      }
      #expect(try await rig.imgdl(command).output == "8\n", "kept")
    }
  }

  @Test(
    "limits that are changed while no engine runs apply to the next run; an option precedes them")
  func kept() async throws {
    try await Rig.run { rig in
      let stage = try await rig.interrupted(held: 3)
      #expect(try await rig.imgdl("concurrency").output == "16\n", "the setting")
      let change = try await rig.imgdl("concurrency", "1")
      #expect(change.code == 0 && change.errors == "1 transfer at the same time\n")
      #expect(try await rig.imgdl("concurrency").output == "1\n")
      let count = stage.requests.count
      let first = try rig.start(["resume", "--json"])
      #expect(await first.tells("started"))
      #expect(await first.waits(for: { stage.requests.count == count + 1 }))
      #expect(try await rig.imgdl("concurrency").output == "1\n")
      first.signal(9)
      _ = await first.ending()
      let again = try rig.start(["add", "-j", "2", "held.txt"])
      #expect(await again.waits(for: { stage.requests.count >= count + 3 }))
      #expect(try await rig.imgdl("concurrency").output == "2\n")
      stage.gate.open()
      await expect(again, endsWith: 0)
      #expect(try await rig.imgdl("concurrency").output == "1\n", "a flag is for its command")
    }
  }

  @Test("the limit of the rate is shown, changed in the running engine, and kept")
  func rate() async throws {
    try await Rig.run { rig in
      try await rig.withFirst(held: 1, ["--limit-rate", "10M"]) { first, stage in
        #expect(try await rig.imgdl("limit-rate").output == "\(10 << 20)\n")
        let change = try await rig.imgdl("limit-rate", "2M")
        #expect(
          change.code == 0
            && change.errors == "at most 2.1 MB per second for all downloads together\n")
        #expect(await first.tells("limit-rate"))
        #expect(try await rig.imgdl("limit-rate").output == "\(2 << 20)\n")
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
      #expect(try await rig.imgdl("limit-rate").output == "\(2 << 20)\n", "kept")
      let off = try await rig.imgdl("limit-rate", "off")
      #expect(off.code == 0 && off.errors == "no limit of the rate\n")
      #expect(try await rig.imgdl("limit-rate").output == "0\n")
    }
  }

  @Test("a record of high priority is downloaded first", arguments: [true, false])
  func priority(_ runs: Bool) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let held = try rig.write("held.txt", stage.hold("h", 1).joined(separator: "\n"))
      let lists = try ["a", "b"].map { name in
        let urls = (1...3).map { stage.serve("\(name)-\($0).png", Sample.image($0)) }
        return try rig.write("\(name).txt", urls.joined(separator: "\n"))
      }
      let first = try rig.start(["add", "--json", "-j", "1", held] + lists)
      #expect(await first.tells("record", 3))
      if runs {
        let change = try await rig.imgdl("priority", "b", "high")
        #expect(change.code == 0 && change.errors == "b: priority high\n", "\(change.errors)")
        #expect(await first.tells("priority"))
        #expect(first.events.last { $0.event == "priority" }?.priority == "high")
        stage.gate.open()
        await expect(first, endsWith: 0)
      } else {
        first.signal(2)
        await expect(first, endsWith: 7)
        #expect(try await rig.imgdl("priority", "b", "high").code == 0)
        stage.gate.open()
        #expect(
          try await rig.imgdl("resume", "--set", "network.maxConcurrentDownloads=1").code == 0)
      }
      let order = stage.requests.map(\.path).filter { $0.hasSuffix(".png") }
      #expect(order == ["b-1.png", "b-2.png", "b-3.png", "a-1.png", "a-2.png", "a-3.png"])
    }
  }

  @Test("invalid limits and priorities are refused")
  func refused() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try rig.serveImages("a", 1)[0]).code == 0)
      for words in [
        ["concurrency", "0"], ["concurrency", "1025"], ["concurrency", "-1"],
        ["concurrency", "99999999999999999999"], ["per-host", "many"], ["per-host", "1", "2"],
        ["limit-rate", "fast"], ["limit-rate", "-1"], ["limit-rate", "2M", "3M"],
        ["priority", "1", "urgent"], ["priority", "1"], ["priority", "9", "high"],
        ["priority", "", "high"],
      ] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 2, "\(words): \(ending.errors)")
        #expect(ending.errors.hasPrefix("imgdl-cli"))
      }
      let near = try await rig.imgdl("priority", "1", "hihg")
      #expect(near.errors.contains("high"))
    }
  }
}
