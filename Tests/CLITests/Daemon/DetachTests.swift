import Glibc
import Origin
import SystemCalls
import Testing
import WorkerProcess

/// `add --detach`: imgdld does the work.
@Suite struct DetachTests {
  @Test("add --detach of a lazy or changed list says so, as add does")
  func earlier() async throws {
    try await Rig.runWithDaemon { rig in
      let list = try rig.write("l.txt", try rig.serveImages("a", 2).joined(separator: "\n"))
      let first = try await rig.imgdl("add", "--detach", "--lazy", list)
      #expect(first.code == 0 && first.errors.contains("when they are viewed"), "\(first.errors)")
      try rig.write("l.txt", try rig.serveImages("b", 2).joined(separator: "\n"))
      let second = try await rig.imgdl("add", "--detach", list)
      #expect(
        second.errors.contains("which is lazy") && second.errors.contains("has changed since"),
        "\(second.errors)")
      #expect(!second.errors.contains("continued"), "\(second.errors)")
    }
  }

  @Test("add --detach starts imgdld and returns; the work outlives the terminal and is whole")
  func outliving() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let list = try rig.write("l.txt", stage.hold("h", 4).joined(separator: "\n"))
      // A terminal that is closed sends SIGHUP to everybody in its session.
      let add = try rig.start(["add", "--detach", list], terminal: (100, 24))
      let ending = await add.ending()
      #expect(ending.code == 0, "\(ending.output)")
      #expect(ending.output.contains("1 record, 4 resources added; imgdld (process"))
      let status = try await rig.daemonStatus()
      #expect(status.isRunning && status.program == "imgdld")
      let process = try #require(status.processID)
      #expect(getsid(process) == process, "a session of its own")
      let watch = try rig.start(["watch", "--json"])
      #expect(await rig.activeReaches(4))
      stage.gate.open()
      let end = await watch.ending()
      #expect(end.code == 0, "\(end.errors)")
      #expect(RunningProgram.events(end.output).last?.finished == 4)
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(stage.requests.count == 4, "each was fetched once")
      #expect(try await rig.daemonStatus().isRunning, "it waits for more")
    }
  }

  @Test("imgdld is killed and started again: the job ends complete, nothing is fetched twice")
  func killing() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let done = (1...3).map { stage.serve("d-\($0).bin", Sample.bytes(1_000 + $0)) }
      let list = try rig.write("l.txt", (done + stage.hold("h", 3)).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--detach", list).code == 0)
      #expect(await rig.finishedReaches(3))
      #expect(await rig.halvesArrive(3))
      // While it answers, it writes down how far it is.
      #expect(try await rig.daemonStatus().active == 3)
      rig.killDaemon()
      #expect(try await rig.daemonStatus().isRunning == false)
      stage.gate.open()
      let start = try await rig.imgdl("daemon", "start")
      #expect(start.code == 0 && start.output.contains("listens at"), "\(start.errors)")
      #expect(try await rig.untilDone().code == 0)
      let record = try #require(try await rig.records().first)
      #expect(record.status == "Finished" && record.finished == 6)
      for number in 1...3 {
        #expect(stage.requests(of: "d-\(number).bin").count == 1)
        let held = stage.requests(of: "h-\(number).bin")
        #expect(held.count == 2 && held.last?.range != nil, "from where it stopped")
      }
    }
  }

  @Test("of many that start imgdld at once one does, and the others give their work to that one")
  func startingAtOnce() async throws {
    try await Rig.runWithDaemon { rig in
      let urls = try (1...8).map { try rig.serve("\($0).bin", Sample.bytes(1_000 + $0)) }
      let endings = try await rig.shell(
        """
        for url in \(urls.joined(separator: " ")); do
          { imgdl-cli add --detach "$url" >>out 2>&1; echo "add: $?" >>codes; } &
          { imgdl-cli daemon start >>out 2>&1; echo "start: $?" >>codes; } &
        done
        wait; cat codes out
        """)
      let lines = endings.output.split(separator: "\n").map { String($0) }
      #expect(lines.count { $0 == "add: 0" } == 8, "\(endings.output)")
      #expect(lines.count { $0 == "start: 0" } == 8, "\(endings.output)")
      #expect(try await rig.untilDone().code == 0)
      #expect(try await rig.records().map(\.status) == Array(repeating: "Finished", count: 8))
    }
  }

  @Test(
    "imgdld exits when its library is moved or deleted, and does not create it again",
    arguments: [true, false])
  func libraryGone(isMoved: Bool) async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let list = try rig.write("l.txt", stage.hold("h", 4).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--detach", list).code == 0)
      #expect(await rig.activeReaches(4))
      let status = try await rig.daemonStatus()
      let process = try #require(status.processID)
      let log = try #require(status.socket).replacing(/\.sock$/, with: ".log")
      let other = rig.library + "-elsewhere"
      if isMoved {
        try FileSystem.rename(rig.library, to: other)
      } else {
        try FileSystem.removeTree(rig.library)
      }
      stage.gate.open()
      #expect(Rig.ends(process))
      #expect(!FileSystem.exists(rig.library))
      let words = String(decoding: try FileSystem.contents(of: log), as: UTF8.self)
      #expect(words.contains("event=library-gone"), "\(words)")
      #expect(!words.contains("event=failed"), "\(words)")
      guard isMoved else { return }
      // What came meanwhile is in the library that was moved, and the rest is still to be done.
      let add = try await rig.imgdl("resume", "-d", other)
      #expect(add.code == 0, "\(add.errors)")
      let verify = try await rig.imgdl("verify", "--read-data", "-d", other)
      #expect(verify.code == 0, "\(verify.output)\(verify.errors)")
    }
  }

  @Test("a source that cannot be read ends add --detach with its code; imgdld stays")
  func badSource() async throws {
    try await Rig.runWithDaemon { rig in
      let wrong = try await rig.imgdl("add", "--detach", "--set", "adapters.transport=x", "a")
      #expect(wrong.code == 2 && wrong.errors.contains("transport"))
      let missing = try await rig.imgdl("add", "--detach", rig.url("none.json"))
      #expect(missing.code == 3, "\(missing.errors)")
      #expect(missing.errors.contains("404"))
      #expect(try await rig.daemonStatus().isRunning)
    }
  }

  @Test("settings of the command that starts imgdld count in it; request fields stay out of argv")
  func settings() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let list = try rig.write("l.txt", stage.hold("h", 5).joined(separator: "\n"))
      let add = try await rig.imgdl(
        "add", "--detach", "-j", "3", "-H", "X-Secret: abc", "-H", "X-Other: def", list)
      #expect(add.code == 0, "\(add.errors)")
      #expect(await rig.activeReaches(3))
      let process = try #require(rig.lockHolder)
      let words = try FileSystem.contents(of: "/proc/\(process)/cmdline")
      #expect(!String(decoding: words, as: UTF8.self).contains("abc"))
      #expect(try await rig.imgdl("concurrency").output == "3\n")
      stage.gate.open()
      #expect(try await rig.untilDone().code == 0)
    }
  }

  @Test(
    "where systemd listens for the usual library, add --detach wakes its imgdld",
    .enabled(
      if: FileSystem.isExecutable("/usr/bin/systemd-socket-activate"), "systemd is not installed"))
  func activation() async throws {
    try await Rig.runWithDaemon { rig in
      let run = rig.root + "/run"
      #expect(mkdir(run, 0o700) == 0 && mkdir(run + "/imgdl", 0o700) == 0)
      let socket = run + "/imgdl/imgdl.sock"
      let runtime = ["XDG_RUNTIME_DIR": run]
      let systemd = try rig.start(
        [
          "-l", socket, "-E", "IMGDL_LIBRARY", "-E", "HOME", "-E", "XDG_RUNTIME_DIR",
          try HelperLocator().path(of: "imgdld"), "--foreground",
        ], environment: runtime, program: "/usr/bin/systemd-socket-activate")
      #expect(await systemd.waits(for: { FileSystem.exists(socket) }))
      try FileSystem.makeFolders(rig.library)
      let list = try rig.write("l.txt", try rig.serveImages("p", 2).joined(separator: "\n"))
      let add = try await rig.imgdl(["add", "--detach", list], environment: runtime)
      #expect(add.code == 0, "\(add.errors)")
      let watch = try await rig.imgdl(["watch"], environment: runtime)
      #expect(watch.code == 0, "\(watch.errors)")
      #expect(rig.lockHolder == systemd.process, "systemd's process became imgdld")
      #expect(try await rig.imgdl(["daemon", "stop"], environment: runtime).code == 0)
      #expect(await systemd.ending().code == 0)
    }
  }

  @Test("standard input goes to imgdld, and no spool is left")
  func standardInput() async throws {
    try await Rig.runWithDaemon { rig in
      let urls = try rig.serveImages("p", 2)
      let add = try await rig.imgdl("add", "--detach", "-", input: urls.joined(separator: "\n"))
      #expect(add.code == 0, "\(add.errors)")
      #expect(try await rig.untilDone().code == 0)
      #expect(try await rig.records().first?.finished == 2)
      #expect(try rig.incoming() == [])
    }
  }
}

extension Rig {
  func activeReaches(_ count: Int) async -> Bool {
    await reaches { $0.active ?? 0 >= count }
  }

  private func reaches(_ condition: (DaemonStatus) -> Bool) async -> Bool {
    let deadline = Machine.monotonicNanoseconds &+ 600_000_000_000
    while Machine.monotonicNanoseconds < deadline {
      if let status = try? await daemonStatus(), condition(status) { return true }
    }
    return false
  }

  func finishedReaches(_ count: Int) async -> Bool {
    let deadline = Machine.monotonicNanoseconds &+ 600_000_000_000
    while Machine.monotonicNanoseconds < deadline {
      if let records = try? await records(), (records.first?.finished ?? 0) >= count { return true }
    }
    return false
  }

  /// So many partial files have the first half of what is held.
  func halvesArrive(_ count: Int) async -> Bool {
    let deadline = Machine.monotonicNanoseconds &+ 600_000_000_000
    while Machine.monotonicNanoseconds < deadline {
      let names = (try? incoming()) ?? []
      let sizes = names.compactMap {
        try? FileSystem.status(library + "/.imgdl/incoming/" + $0).size
      }
      if sizes.count(where: { $0 >= 150_000 }) >= count { return true }
      // A look at the folder costs nothing: imgdld is asked something in between.
      _ = try? await daemonStatus()
    }
    return false
  }
}
