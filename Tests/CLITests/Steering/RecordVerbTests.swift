import Glibc
import Origin
import Testing

/// `cancel`, `retry`, `reload`, `remove` and `reset`, from a second terminal and without a running engine.
@Suite struct RecordVerbTests {
  @Test("an add whose record is cancelled meanwhile reports no failure")
  func cancellingAdd() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 3).joined(separator: "\n"))
      let add = try rig.start(["add", list])
      #expect(await rig.halves(3, of: add), "\(add.errors)")
      #expect(try await rig.imgdl("cancel", "held").code == 0)
      let ending = await add.ending()
      #expect(ending.errors.contains("held: Finished, 3 cancelled\n"), "\(ending.errors)")
      #expect(!ending.errors.contains("failed"), "\(ending.errors)")
    }
  }

  @Test(
    "an add whose record is removed meanwhile says so",
    arguments: [["remove", "held", "--yes"], ["reset", "--yes"]])
  func removingAdd(_ verb: [String]) async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, _ in
        let removal = try await rig.imgdl(verb)
        #expect(removal.code == 0, "\(removal.errors)")
        let ending = await first.ending()
        #expect(ending.code == 2, "\(ending.errors)")
        #expect(ending.errors.contains("the record was removed meanwhile"), "\(ending.errors)")
      }
    }
  }

  @Test(
    "cancel abandons the resources that are not downloaded; retry queues them again",
    arguments: [true, false])
  func cancelling(_ runs: Bool) async throws {
    try await Rig.run { rig in
      let stage: Stage
      if runs {
        var held: Stage?
        try await rig.withFirst { first, stage in
          let cancel = try await rig.imgdl("cancel", "held")
          #expect(cancel.code == 0, "\(cancel.errors)")
          #expect(
            cancel.errors
              == "held: 3 resources cancelled; download them after all with imgdl-cli retry\n")
          let ending = await first.ending()
          #expect(ending.code == 1, "what was cancelled was not downloaded")
          #expect(RunningProgram.events(ending.output).contains { $0.event == "cancelled" })
          held = stage
        }
        stage = try #require(held)
      } else {
        stage = try await rig.interrupted()
        let cancel = try await rig.imgdl("cancel", "1")
        #expect(cancel.code == 0 && cancel.errors.contains("3 resources cancelled"))
      }
      #expect(try rig.incoming() == [], "partial files are gone")
      #expect(try await rig.resources().map(\.reason) == ["cancelled", "cancelled", "cancelled"])
      let again = try await rig.imgdl("cancel", "1")
      #expect(again.code == 0 && again.errors == "held: nothing to cancel\n")
      stage.gate.open()
      let retry = try await rig.imgdl("retry", "1")
      #expect(retry.code == 0, "\(retry.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(stage.requests(of: "h-1.bin").last?.range == nil, "from the beginning")
    }
  }

  @Test("retry includes what an earlier run left unfinished, and names the resources that fail")
  func retryUnfinished() async throws {
    try await Rig.run { rig in
      let stage = try await rig.interrupted()
      for number in 1...3 { stage.refuse("h-\(number).bin", 404) }
      stage.gate.open()
      let retry = try await rig.imgdl("retry", "--failed-to", "failed.txt")
      #expect(retry.code == 1, "\(retry.errors)")
      #expect(!retry.errors.contains("Nothing has failed"))
      #expect(retry.errors.contains("HTTP 404"))
      #expect(retry.errors.contains("1 record: 0 of 3 finished, 3 failed"))
      let failed = try await rig.shell("cat failed.txt").output
      #expect(failed.contains(stage.url("h-1.bin")) && failed.contains(stage.url("h-3.bin")))
      for number in 1...3 { stage.serve("h-\(number).bin", Sample.bytes(10 + number)) }
      #expect(try await rig.imgdl("retry").code == 0)
      let none = try await rig.imgdl("retry")
      #expect(none.code == 0 && none.errors.contains("Nothing has failed in "))
    }
  }

  @Test("retry in a second terminal follows the failed resources and exits with their exit code")
  func retryElsewhere() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      stage.refuse("x.png", 404)
      stage.refuse("y.png", 404)
      let list = stage.serve("bad.txt", "\(stage.url("x.png"))\n\(stage.url("y.png"))")
      #expect(try await rig.imgdl("add", list).code == 1)
      stage.serve("x.png", Sample.image(1))
      try await rig.withFirst { first, _ in
        let retry = try await rig.imgdl("retry", "bad", "--failed-to", "failed.txt")
        #expect(retry.code == 1, "\(retry.errors)")
        #expect(retry.errors.contains("1 record: 1 of 2 finished, 1 failed"))
        #expect(try await rig.shell("cat failed.txt").output == stage.url("y.png") + "\n")
        #expect(first.isRunning)
      }
    }
  }

  @Test("reload requests every resource again, without conditions", arguments: [true, false])
  func reload(_ runs: Bool) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let urls = (1...3).map { stage.serve("\($0).png", Sample.image($0)) }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      for number in 1...3 { stage.serve("\(number).png", Sample.image(number + 10)) }
      let before = try rig.files()
      func reload() async throws {
        let ending = try await rig.imgdl("reload", "list", "--no-progress")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.errors.contains("1 record: 3 of 3 finished"))
      }
      if runs {
        try await rig.withFirst { first, _ in
          try await reload()
          #expect(await first.tells("reloading"))
          #expect(first.events.contains { $0.event == "reloading" && $0.count == 3 })
        }
      } else {
        try await reload()
      }
      for number in 1...3 {
        let requests = stage.requests(of: "\(number).png")
        #expect(requests.count == 2 && requests[1].condition == nil)
      }
      let after = try rig.files()
      #expect(after.keys.sorted() == before.keys.sorted())
      for (name, digest) in before { #expect(after[name] != digest, "\(name)") }
    }
  }

  @Test("a reload that the server refuses names the files that are kept, and is exit code 1")
  func refusedReload() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let urls = (1...3).map { stage.serve("\($0).png", Sample.image($0)) }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      let before = try rig.files()
      for number in 1...2 { stage.refuse("\(number).png", 404) }
      let refused = try await rig.imgdl(
        "reload", "list", "--no-progress", "--failed-to", "failed.txt")
      #expect(refused.code == 1, "\(refused.errors)")
      #expect(refused.errors.contains("1 record: 3 of 3 finished, 2 not reloaded"))
      for url in urls.prefix(2) { #expect(refused.errors.contains("\(url): its reload failed:")) }
      let failed = try await rig.shell("cat failed.txt").output.split(separator: "\n")
      #expect(failed.sorted() == urls.prefix(2).map { Substring($0) })
      #expect(try rig.files() == before)
      for number in 1...2 { stage.serve("\(number).png", Sample.image(number)) }
      let again = try await rig.imgdl("reload", "list", "--no-progress")
      #expect(again.code == 0 && !again.errors.contains("not reloaded"), "\(again.errors)")
    }
  }

  @Test("remove and reset in a second terminal act on the engine of the first")
  func deletingElsewhere() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let other = try await rig.imgdl("add", stage.serve("1.png", Sample.image(1)))
        #expect(other.code == 0, "\(other.errors)")
        let remove = try await rig.imgdl("remove", "2", "--yes")
        #expect(remove.code == 0, "\(remove.errors)")
        #expect(try await rig.records().map(\.title) == ["held"])
        #expect(await first.tells("removed"))
        let reset = try await rig.imgdl("reset", "--yes")
        #expect(reset.code == 0, "\(reset.errors)")
        let ending = await first.ending()
        #expect(ending.code == 2, "\(ending.errors)")
        #expect(try await rig.records() == [])
        #expect(try rig.files() == [:])
        #expect(try rig.incoming() == [])
      }
    }
  }

  @Test("a name of no record, or of several records, is exit code 2")
  func names() async throws {
    try await Rig.run { rig in
      for command in ["cancel", "reload", "refresh", "more", "retry", "resume", "pause", "export"] {
        let words = [command, "1"] + (command == "export" ? ["--format", "csv"] : [])
        let missing = try await rig.imgdl(words)
        #expect(missing.code == 2, "\(words): \(missing.errors)")
        #expect(missing.errors.contains("there is no library"))
      }
      let list = try rig.write("list.txt", try rig.serveImages("a", 1)[0])
      for _ in 1...2 { #expect(try await rig.imgdl("add", list, "--again").code == 0) }
      for command in ["cancel", "reload", "refresh", "more", "retry", "resume", "pause"] {
        for name in ["list", "3", "0", "-1", "\u{1b}[2J", "none"] {
          // A name that begins with a dash comes after the options.
          let ending = try await rig.imgdl(command, "--", name)
          // The folders of records are unique, their titles are not.
          let isKnown = name == "list"
          #expect(isKnown ? [0, 2].contains(ending.code) : ending.code == 2, "\(command) \(name)")
          #expect(!ending.errors.contains("\u{1b}"))
        }
      }
    }
  }
}
