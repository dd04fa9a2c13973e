import Glibc
import SystemCalls
import Testing

@Suite struct DemoTests {
  @Test("demo adds the sample with its server, and again")
  func demo() async throws {
    try await Rig.run { rig in
      let first = try await rig.imgdl("demo", "--dry-run")
      #expect(first.code == 2, "an option of add")
      for _ in 1...2 {
        let ending = try await rig.imgdl("demo", "--set", "rendering.thumbnails=false")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix("Image Details: "))
        #expect(ending.errors.contains("The library is in \(rig.library)"))
      }
      let records = try await rig.records()
      #expect(records.count == 4)
      #expect(Set(records.map(\.status)) == ["Finished"])
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
