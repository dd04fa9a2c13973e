import Glibc
import Origin
import SystemCalls
import Testing

/// `add` while another terminal has the engine.
@Suite struct SecondAddTests {
  @Test(
    "a second add is done by the first one's engine, follows its own records, and ends with its code"
  )
  func following() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let urls = (1...3).map { stage.serve("\($0).png", Sample.image($0)) }
        let list = try rig.write("mine.txt", urls.joined(separator: "\n"))
        let second = try await rig.imgdl("add", "--json", list)
        #expect(second.code == 0, "\(second.errors)")
        let summary = try #require(RunningProgram.events(second.output).last)
        #expect(summary.event == "summary" && summary.finished == 3 && summary.unfinished == 0)
        let events = RunningProgram.events(second.output).filter { $0.record == 2 }
        #expect(events.count { $0.event == "finished" } == 3, "all of ours are told")
        // It may be about to say so.
        #expect(await first.tells("finished", 3), "the same engine")
        #expect(first.events.count { $0.event == "finished" } == 3)

        let bad = try await rig.imgdl("add", try rig.write("bad.txt", stage.url("none.png")))
        #expect(bad.code == 1, "\(bad.errors)")
        #expect(bad.errors.contains("none.png: HTTP 404"))
        let none = try await rig.imgdl("add", stage.url("none.json"), "missing.txt")
        #expect(none.code == 3, "\(none.errors)")
        #expect(first.isRunning)
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
    }
  }

  @Test("standard input and an input file go to the engine that runs")
  func inputs() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { _, stage in
        let urls = (1...2).map { stage.serve("\($0).png", Sample.image($0)) }
        let piped = try await rig.imgdl("add", "-", input: urls[0])
        #expect(piped.code == 0, "\(piped.errors)")
        let file = try await rig.imgdl("add", "-i", try rig.write("urls.txt", urls[1]))
        #expect(file.code == 0, "\(file.errors)")
        #expect(try await rig.records().map(\.status).filter { $0 == "Finished" }.count == 2)
        #expect(try rig.incoming().filter { !$0.hasSuffix(".part") } == [], "no spool is left")
      }
    }
  }

  @Test("Ctrl-C detaches: the first engine continues the work")
  func detaching() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let list = try rig.write("mine.txt", stage.hold("m", 2).joined(separator: "\n"))
        let second = try rig.start(["add", "--json", list])
        #expect(await second.tells("record"))
        #expect(await second.tells("started", 2))
        second.signal(SIGINT)
        let ending = await second.ending(atMost: 5)
        #expect(ending.code == 7 && !ending.isTimedOut, "\(ending.errors)")
        #expect(ending.errors.contains("Process \(first.process) continues the downloads"))
        stage.gate.open()
        await expect(first, endsWith: 0)
        #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
      }
    }
  }

  @Test(
    "when the first program ends for any reason, the second one runs the engine",
    arguments: [SIGINT, SIGKILL, SIGTERM])
  func takingOver(_ signal: Int32) async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let list = try rig.write("mine.txt", stage.hold("m", 2).joined(separator: "\n"))
        let second = try rig.start(["add", "--no-progress", list])
        #expect(await rig.halves(5, of: first))
        // While it answers another program, it writes down how far it is.
        #expect(try await rig.records().count == 2)
        first.signal(signal)
        _ = await first.ending(atMost: 10)
        #expect(await second.waits { $0.contains("continuing without it") })
        stage.gate.open()
        await expect(second, endsWith: 0)
        // It went on with everything that was unfinished.
        #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
        #expect(stage.requests(of: "m-1.bin").count == 2)
        #expect(stage.requests(of: "m-1.bin").last?.range != nil, "from where it stopped")
      }
    }
  }

  @Test("twenty adds at the same time become one engine, and each ends with its own records")
  func crowd() async throws {
    try await Rig.run { rig in
      let programs = try (1...20).map { number in
        let list = try rig.write(
          "l\(number).txt", try rig.serveImages("p\(number)", 3).joined(separator: "\n"))
        return try rig.start(["add", "--no-progress", list])
      }
      for program in programs {
        let ending = await program.ending(atMost: 60)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.errors.contains("1 record: 3 of 3 finished"), "\(ending.errors)")
      }
      let records = try await rig.records()
      #expect(records.count == 20 && records.allSatisfy { $0.status == "Finished" })
      // An engine that ends leaves what is in flight to the next one; nothing else is asked twice.
      let log = rig.wholeLog()
      #expect(Set(log.map(\.target)).count == 60 && log.count <= 80)
    }
  }

  @Test("a library whose path is too long for a socket's is served all the same")
  func longPath() async throws {
    try await Rig.run { rig in
      let deep =
        rig.root + "/"
        + (1...4).map { _ in String(repeating: "d", count: 60) }.joined(separator: "/")
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 1).joined(separator: "\n"))
      let first = try rig.start(["add", "--json", "-d", deep, list])
      #expect(await first.tells("started"))
      let limit = try await rig.imgdl("concurrency", "-d", deep, "5")
      #expect(limit.code == 0, "\(limit.errors)")
      #expect(await first.tells("concurrency"))
      stage.gate.open()
      await expect(first, endsWith: 0)
    }
  }

  @Test("settings of the whole engine in a second command are refused by name")
  func settings() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { _, stage in
        let second = try await rig.imgdl("add", "-j", "7", stage.serve("1.png", Sample.image(1)))
        #expect(second.code != 0 && second.errors.contains("--max-concurrent-downloads applies"))
        #expect(second.errors.contains("imgdl-cli concurrency"))
        #expect(try await rig.imgdl("concurrency").output == "16\n")
      }
    }
  }
}
