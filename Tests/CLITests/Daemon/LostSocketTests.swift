import Glibc
import Origin
import SystemCalls
import Testing

/// What commands do while the socket of the engine is missing, or its process cannot be reached.
@Suite struct LostSocketTests {
  @Test(
    "imgdld whose socket was deleted is reached again, also if its whole run-time folder is gone",
    arguments: [true, false])
  func deleted(withFolder: Bool) async throws {
    try await Rig.runWithDaemon { rig in
      let run = rig.root + "/run"
      try FileSystem.makeFolders(run)
      let environment = ["XDG_RUNTIME_DIR": run]
      #expect(try await rig.imgdl("daemon", "start", environment: environment).code == 0)
      let process = try #require(rig.lockHolder)
      let socket = try #require(try await rig.daemonStatus().socket)
      #expect(socket.hasPrefix(run))
      try withFolder ? FileSystem.removeTree(run) : FileSystem.remove(socket)
      let pause = try await rig.imgdl("pause", environment: environment)
      #expect(pause.code == 0, "\(pause.errors)")
      let status = try await rig.daemonStatus()
      #expect(status.processID == process)
      #expect((status.socket == socket) != withFolder)
      let log = try #require(status.socket).dropLast(".sock".count) + ".log"
      let words = String(decoding: try FileSystem.contents(of: String(log)), as: UTF8.self)
      #expect(words.contains("event=listening-again"), "\(words)")
      #expect(try await rig.imgdl("daemon", "stop").code == 0)
      #expect(!rig.isDaemonOfOurs(process))
    }
  }

  @Test("imgdld without a socket is not taken for a missing one, and daemon stop ends it")
  func missing() async throws {
    try await Rig.runWithDaemon { rig in
      #expect(try await rig.imgdl("daemon", "start").code == 0)
      let process = try #require(rig.lockHolder)
      let socket = try #require(try await rig.daemonStatus().socket)
      // A stopped process makes no new socket.
      kill(process, SIGSTOP)
      try FileSystem.remove(socket)
      for words in [["watch"], ["daemon", "status"]] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 9, "\(words): \(ending.output)\(ending.errors)")
        #expect(ending.errors.contains("is stopped; continue it"), "\(ending.errors)")
      }
      let stop = try rig.start(["daemon", "stop"])
      kill(process, SIGCONT)
      let ending = await stop.ending()
      #expect(ending.code == 0 && ending.errors.contains("has exited"), "\(ending.errors)")
      #expect(!rig.isDaemonOfOurs(process))
    }
  }

  @Test("an engine of another container or machine is named as such, and not signalled")
  func elsewhere() async throws {
    try await Rig.run { rig in
      try await rig.withFirst(held: 1) { first, stage in
        let lock = rig.library + "/.imgdl/lock"
        let kept = try FileSystem.contents(of: lock)
        let file = try FileSystem.open(lock, .readingAndWriting)
        func write(_ bytes: [UInt8]) throws {
          try file.write(all: bytes.span.bytes, at: 0)
          try file.truncate(to: Int64(bytes.count))
        }
        // The number is that of the first program here, which must not be signalled.
        try write(Array("\(first.process)\n/no/socket\nother-boot pid:[1]\n".utf8))
        for (words, code): ([String], Int32) in [
          (["list"], 0), (["show", "1"], 0), (["watch"], 9), (["daemon", "status"], 9),
          (["daemon", "stop"], 9),
        ] {
          let ending = try await rig.imgdl(words)
          #expect(ending.code == code, "\(words): \(ending.errors)")
          #expect(ending.errors.contains("another container or machine"), "\(ending.errors)")
        }
        #expect(first.isRunning)
        try write(kept)
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
    }
  }
}
