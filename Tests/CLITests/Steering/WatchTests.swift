import Glibc
import Origin
import Testing

/// `watch`: the work of another terminal, as if it were ours.
@Suite struct WatchTests {
  @Test("watch shows the events, and exits with the engine and its exit code", arguments: [0, 1])
  func watching(_ failures: Int) async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let watch = try rig.start(["watch", "--json"])
        // It has subscribed when it hears of something.
        #expect(await watch.waits(for: { first.isRunning }))
        var hasHeard = false
        for limit in 17...40 where !hasHeard {
          #expect(try await rig.imgdl("concurrency", "\(limit)").code == 0)
          hasHeard = watch.events.contains { $0.event == "concurrency" }
        }
        #expect(hasHeard)
        if failures > 0 {
          let bad = try rig.write("bad.txt", stage.url("none.png"))
          #expect(try await rig.imgdl("add", bad).code == 1)
        }
        stage.gate.open()
        await expect(first, endsWith: 0)
        let ending = await watch.ending()
        #expect(ending.code == Int32(failures), "\(ending.errors)")
        let events = RunningProgram.events(ending.output)
        #expect(events.count { $0.event == "finished" } == 3)
        #expect(events.last?.event == "summary")
        #expect(events.last?.failed == failures)
        let numbers = events.compactMap(\.seq)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
      }
    }
  }

  @Test("on a terminal watch draws the records of the other program, paused or not")
  func drawing() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        let watch = try rig.start(["watch"], terminal: (100, 24))
        #expect(await watch.waits { $0.contains("Downloading...") })
        #expect(try await rig.imgdl("pause").code == 0)
        #expect(await watch.waits { $0.contains("Paused; continue with imgdl-cli resume") })
        stage.gate.open()
        #expect(try await rig.imgdl("resume").code == 0)
        await expect(first, endsWith: 0)
        let ending = await watch.ending()
        #expect(ending.code == 0, "\(ending.output)")
        #expect(ending.output.contains("Records that imgdl-cli (process \(first.process))"))
        #expect(ending.output.contains("1 record: 3 of 3 finished"))
      }
    }
  }

  @Test(
    "Ctrl-C ends only watch; if the engine is killed, watch exits with the code for unfinished work"
  )
  func endings() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, _ in
        let leaving = try rig.start(["watch"], terminal: (100, 24))
        #expect(await leaving.waits { $0.contains("held") })
        try leaving.type("\u{3}")
        let left = await leaving.ending(atMost: 5)
        #expect(left.code == 7 && !left.isTimedOut, "\(left.output)")
        #expect(first.isRunning)
        let staying = try rig.start(["watch"], terminal: (100, 24))
        #expect(await staying.waits { $0.contains("held") })
        first.signal(SIGKILL)
        let ending = await staying.ending(atMost: 10)
        #expect(ending.code == 7 && !ending.isTimedOut, "\(ending.output)")
      }
    }
  }

  @Test("without a running engine watch says so, and its exit code tells whether work is left")
  func withoutEngine() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("watch").code == 2, "there is no library")
      _ = try await rig.interrupted(held: 1)
      let unfinished = try await rig.imgdl("watch")
      #expect(unfinished.code == 7, "\(unfinished.errors)")
      #expect(unfinished.errors.contains("No program is downloading"))
      #expect(try await rig.imgdl("cancel", "1").code == 0)
      #expect(try await rig.imgdl("watch").code == 1)
      #expect(try await rig.imgdl("remove", "1", "--yes").code == 0)
      #expect(try await rig.imgdl("watch").code == 0)
    }
  }

  @Test("show prints why and until when a host is delayed; list prints what is downloading")
  func hosts() async throws {
    try await Rig.run { rig in
      try await rig.withFirst(held: 1) { first, stage in
        stage.refuse("busy.png", 429, fields: ["Retry-After: 40"])
        let busy = try rig.write("busy.txt", stage.url("busy.png"))
        let second = try rig.start(["add", "--json", busy])
        #expect(await second.tells("host-waits"))
        #expect(second.events.first { $0.event == "host-waits" }?.reason?.contains("429") == true)
        let show = try await rig.imgdl("show", "busy")
        #expect(show.output.contains("waits 4"), "\(show.output)")
        #expect(show.output.contains("HTTP 429"))
        #expect(show.output.contains(", until "))
        #expect(try await rig.records().first?.status == "Downloading...")
        second.signal(SIGKILL)
        _ = await second.ending()
      }
      #expect(try await rig.records().first?.status == "Stopped")
      #expect(!(try await rig.imgdl("show", "2").output.contains("waits")))
    }
  }
}
