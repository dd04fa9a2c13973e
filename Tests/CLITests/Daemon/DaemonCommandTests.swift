import Glibc
import Origin
import SystemCalls
import Testing

/// `daemon start|stop|status`, and commands while imgdld has the library.
@Suite struct DaemonCommandTests {
  @Test("start, status and stop print the state, also if there is nothing to do")
  func verbs() async throws {
    try await Rig.runWithDaemon { rig in
      let none = try await rig.imgdl("daemon", "status")
      #expect(none.code == 1 && none.output.contains("Nothing runs"))
      #expect(try await rig.imgdl("daemon", "stop").code == 0)
      let start = try await rig.imgdl("daemon", "start")
      #expect(start.code == 0, "\(start.errors)")
      let again = try await rig.imgdl("daemon", "start")
      #expect(again.code == 0 && again.output.contains("works already"))
      let status = try await rig.imgdl("daemon", "status")
      #expect(status.code == 0 && status.output.contains("listens at"))
      let process = try #require(rig.lockHolder)
      let stop = try await rig.imgdl("daemon", "stop")
      #expect(stop.code == 0 && stop.errors.contains("has exited"), "\(stop.errors)")
      #expect(!rig.isDaemonOfOurs(process))
      #expect(try await rig.imgdl("daemon", "status").code == 1)
    }
  }

  @Test(
    "a working imgdld exits within five seconds, keeps all data, and continues after its next start"
  )
  func stopping() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let list = try rig.write("l.txt", stage.hold("h", 3).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--detach", list).code == 0)
      #expect(await rig.halvesArrive(3))
      let socket = try #require(try await rig.daemonStatus().socket)
      let stop = try await rig.imgdl("daemon", "stop")
      #expect(stop.code == 0, "\(stop.seconds) s: \(stop.errors)")
      // It watches its own time: five seconds, and it says so when that was not enough.
      let log = try FileSystem.contents(of: socket.dropLast(".sock".count) + ".log")
      #expect(String(decoding: log, as: UTF8.self).hasSuffix("event=stopped\n"))
      stage.gate.open()
      #expect(try await rig.imgdl("resume").code == 0)
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(stage.requests(of: "h-1.bin").last?.range != nil)
    }
  }

  @Test("add through imgdld prints and returns the same as add alone")
  func sameOutput() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let good = stage.serve("g.bin", Sample.bytes(5_000))
      let list = try rig.write("l.txt", [good, stage.url("none.png")].joined(separator: "\n"))
      let alone = try await rig.imgdl("add", "--no-progress", list)
      #expect(alone.code == 1)
      #expect(try await rig.imgdl("reset", "--yes").code == 0)
      #expect(try await rig.imgdl("daemon", "start").code == 0)
      let through = try await rig.imgdl("add", "--no-progress", list)
      #expect(through.code == 1)
      #expect(through.errors == alone.errors)
      #expect(through.output == alone.output)
    }
  }

  @Test("the loss of imgdld during add is reported, and add continues without it")
  func losing() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      #expect(try await rig.imgdl("daemon", "start").code == 0)
      let list = try rig.write("l.txt", stage.hold("h", 2).joined(separator: "\n"))
      let add = try rig.start(["add", "--no-progress", list])
      #expect(await rig.halvesArrive(2))
      rig.killDaemon()
      #expect(await add.waits { $0.contains("continuing without it") })
      stage.gate.open()
      let ending = await add.ending()
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(stage.requests.count == 4)
    }
  }

  @Test("a restarted imgdld keeps its process, and downloads continue where they were")
  func restarting() async throws {
    try await Rig.runWithDaemon { rig in
      #expect(try await rig.imgdl("daemon", "restart").errors.contains("No imgdld runs"))
      let stage = try Stage()
      #expect(try await rig.imgdl("daemon", "start").code == 0)
      let process = try #require(rig.lockHolder)
      let list = try rig.write("l.txt", stage.hold("h", 3).joined(separator: "\n"))
      let add = try rig.start(["add", "--no-progress", list])
      #expect(await rig.halvesArrive(3))
      let watch = try rig.start(["watch"])
      #expect(await watch.waits { $0.contains("3 resources") })
      let restart = try await rig.imgdl("daemon", "restart")
      #expect(restart.code == 0 && restart.output.contains("has restarted"), "\(restart.errors)")
      #expect(rig.lockHolder == process)
      stage.gate.open()
      for program in [add, watch] {
        let ending = await program.ending()
        #expect(ending.code == 0 && ending.errors.contains("has restarted"), "\(ending.errors)")
      }
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(stage.requests(of: "h-1.bin").last?.range != nil)
    }
  }

  @Test("imgdld that is stopped or hangs is not waited for: exit 9, and nothing is lost")
  func stopped() async throws {
    try await Rig.runWithDaemon { rig in
      #expect(try await rig.imgdl("daemon", "start").code == 0)
      let process = try #require(rig.lockHolder)
      kill(process, SIGSTOP)
      let pause = try await rig.imgdl("pause")
      #expect(pause.code == 9 && !pause.isTimedOut, "\(pause.errors)")
      #expect(pause.errors.contains("does not respond"))
      let stop = try await rig.imgdl("daemon", "stop")
      #expect(stop.code == 9)
      // What only looks does not need it.
      #expect(try await rig.imgdl("list").code == 0)
      kill(process, SIGCONT)
      #expect(try await rig.imgdl("pause").code == 0)
      #expect(try await rig.imgdl("daemon", "stop").code == 0)
    }
  }

  @Test("daemon start and stop leave the engine of another command alone")
  func foreground() async throws {
    try await Rig.runWithDaemon { rig in
      try await rig.withFirst(held: 1) { first, stage in
        let start = try await rig.imgdl("daemon", "start")
        #expect(start.code == 9 && start.errors.contains("process \(first.process)"))
        #expect(try await rig.imgdl("daemon", "stop").code == 9)
        #expect(first.isRunning)
        let list = try rig.write("more.txt", stage.serve("m.bin", Sample.bytes(99)))
        let detached = try await rig.imgdl("add", "--detach", list)
        #expect(detached.code == 0, "\(detached.errors)")
        #expect(detached.errors.contains("Process \(first.process) uses the library"))
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
      #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
    }
  }
}
