import Glibc
import SystemCalls
import Testing

@Suite struct DemoTests {
  @Test("demo adds the sample with its server, and again; its missing file is no failure")
  func demo() async throws {
    try await Rig.run { rig in
      let first = try await rig.imgdl("demo", "--dry-run")
      #expect(first.code == 2, "an option of add")
      for _ in 1...2 {
        let ending = try await rig.imgdl("demo", "--set", "rendering.thumbnails=false")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix("Image Details: "))
        #expect(ending.errors.contains("22 of 23"))
        #expect(ending.errors.contains("What to try next:\n  imgdl-cli web "))
        let lines = ending.errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count + ending.output.split(separator: "\n").count <= 24)
        // The name of the test's library is longer than that of a person; the table fits a terminal, which this is not.
        #expect(lines.allSatisfy { $0.count <= 80 || $0.contains(rig.library) })
      }
      let records = try await rig.records()
      #expect(records.count == 6)
      #expect(records.map(\.status).count { $0 == "Finished" } == 4)
      let refresh = try await rig.imgdl("refresh", "1", "--retry", "0")
      #expect(refresh.code == 4)
      #expect(refresh.errors.contains("ran only during imgdl-cli demo"), "\(refresh.errors)")
    }
  }

  @Test("the demo's server ends with the program, even if that is killed")
  func killed() async throws {
    try await Rig.run { rig in
      let program = try rig.start(["demo"])
      #expect(await program.waits { $0.contains("$ imgdl-cli add http") })
      program.signal(9)
      // The server holds our pipes open for as long as it lives.
      let ending = await program.ending(atMost: 5)
      #expect(!ending.isTimedOut)
    }
  }

  @Test("demo ends, server and all, where signals are ignored", arguments: [SIGTERM, SIGCHLD])
  func ignored(_ number: Int32) async throws {
    try await Rig.run { rig in
      // A server that took no SIGTERM was waited for by a loop, for ever.
      let program = try rig.start(["demo"], ignoring: [number])
      let ending = await program.ending(atMost: 20)
      #expect(!ending.isTimedOut)
      #expect(ending.code == 0, "\(ending.errors)")
    }
  }
}
