import Glibc
import Origin
import Testing

/// `pause` and `resume` (DL6), from a second terminal and without a running engine.
@Suite struct PauseTests {
  @Test("a pause in a second terminal stops the first one's transfers; resume continues by Range")
  func elsewhere() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let pause = try await rig.imgdl("pause")
        #expect(pause.code == 0, "\(pause.errors)")
        #expect(pause.errors == "Paused: 3 resources wait until imgdl-cli resume.\n")
        #expect(await first.tells("paused"))
        #expect(try await rig.records().map(\.status) == ["Paused"])
        let again = try await rig.imgdl("pause")
        #expect(again.code == 0)
        #expect(again.errors == "Already paused; continue with imgdl-cli resume.\n")
        #expect(first.isRunning, "it waits for the resume")

        stage.gate.open()
        let resume = try await rig.imgdl("resume")
        #expect(resume.code == 0, "\(resume.errors)")
        #expect(resume.errors.contains("1 record: 3 of 3 finished"))
        let ending = await first.ending()
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(RunningProgram.events(ending.output).map(\.event).contains("resumed"))
        for name in ["h-1.bin", "h-2.bin", "h-3.bin"] {
          let requests = stage.requests(of: name)
          #expect(requests.count == 2)
          let range = try #require(requests.last?.range, "the second one asks for the rest")
          #expect(try #require(Int(range.dropFirst(6).dropLast())) >= 150_000)
        }
      }
    }
  }

  @Test("pausing one record does not stop the others")
  func oneRecord() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        #expect(try await rig.imgdl("pause", "held").code == 0)
        let other = try await rig.imgdl("add", stage.serve("1.png", Sample.image(1)))
        #expect(other.code == 0, "\(other.errors)")
        #expect(try await rig.records().map(\.status) == ["Paused", "Finished"])
        let already = try await rig.imgdl("pause", "held")
        #expect(already.code == 0 && already.errors.hasPrefix("Already paused"))
        stage.gate.open()
        #expect(try await rig.imgdl("resume", "1").code == 0)
        await expect(first, endsWith: 0)
      }
    }
  }

  @Test("a pause without an engine lasts: add reports it and downloads nothing, resume finishes")
  func withoutEngine() async throws {
    try await Rig.run { rig in
      let stage = try await rig.interrupted()
      let pause = try await rig.imgdl("pause")
      #expect(pause.code == 0 && pause.errors.hasPrefix("Paused: 3 resources"))
      #expect(try await rig.records().map(\.status) == ["Paused"])
      stage.gate.open()
      let count = stage.requests.count
      let add = try await rig.imgdl("add", "held.txt")
      #expect(add.code == 7, "\(add.errors)")
      #expect(add.errors.contains("The library is paused; continue with imgdl-cli resume."))
      let new = try await rig.imgdl("add", stage.serve("more.txt", stage.url("h-1.bin")))
      #expect(new.code == 7 && new.errors.contains("is paused"))
      #expect(stage.requests.count == count + 1, "only the list was read")

      let resume = try await rig.imgdl("resume")
      #expect(resume.code == 0, "\(resume.errors)")
      #expect(resume.errors.contains("2 records: 4 of 4 finished"))
    }
  }

  @Test("one record can stay paused without a running engine")
  func recordWithoutEngine() async throws {
    try await Rig.run { rig in
      let stage = try await rig.interrupted()
      #expect(try await rig.imgdl("pause", "held").code == 0)
      stage.gate.open()
      let add = try await rig.imgdl("add", "held.txt")
      #expect(add.code == 7, "\(add.errors)")
      #expect(add.errors.contains("held is paused; continue with imgdl-cli resume."))
      let other = try await rig.imgdl("add", stage.serve("1.png", Sample.image(1)))
      #expect(other.code == 0, "\(other.errors)")
      #expect(try await rig.imgdl("resume", "held").code == 0)
      #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
    }
  }

  @Test("without anything to pause or to resume, the commands change nothing")
  func nothing() async throws {
    try await Rig.run { rig in
      let missing = try await rig.imgdl("pause")
      #expect(missing.code == 0 && missing.errors == "Nothing to pause.\n")
      #expect(try await rig.imgdl("resume").code == 2, "there is no library")
      #expect(try await rig.imgdl("add", try rig.serveImages("a", 1)[0]).code == 0)
      for arguments in [["pause"], ["pause", "1"]] {
        let ending = try await rig.imgdl(arguments)
        #expect(ending.code == 0 && ending.errors == "Nothing to pause.\n", "\(ending.errors)")
      }
      let resume = try await rig.imgdl("resume")
      #expect(resume.code == 0 && resume.errors.contains("Nothing to resume."))
      #expect(try await rig.records().map(\.status) == ["Finished"])
    }
  }

  @Test("Ctrl-C of a resume in a second terminal does not stop the downloads of the first")
  func detaching() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        #expect(try await rig.imgdl("pause").code == 0)
        let resume = try rig.start(["resume", "--json"])
        #expect(await resume.tells("resumed"))
        resume.signal(SIGINT)
        let ending = await resume.ending(atMost: 5)
        #expect(ending.code == 7 && !ending.isTimedOut)
        #expect(ending.errors.contains("Process \(first.process) continues the downloads"))
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
    }
  }
}
