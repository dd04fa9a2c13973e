import Origin
import Testing

/// `web` and `imgdld --listen`. One test at a time: while the imgdld of one is restarted, that of another could
/// take its port, which is the same by default.
@Suite("The command web", .serialized)
struct WebCommandTests {
  @Test("prints one line on standard output, a new link each time, at the same address")
  func links() async throws {
    try await Rig.runWithDaemon { rig in
      let first = try await rig.imgdl("web")
      #expect(first.code == 0, "\(first.errors)")
      let link = /http:\/\/[0-9a-f]{32}\.localhost:[0-9]+\/login#[0-9a-f]{32}\n/
      #expect(first.output.wholeMatch(of: link) != nil, "\(first.output)")
      #expect(first.errors.contains("works once, within 60 seconds"))
      let second = try await rig.imgdl("web", "--quiet")
      #expect(second.errors.isEmpty)
      #expect(second.output != first.output)
      #expect(second.output.prefix { $0 != "#" } == first.output.prefix { $0 != "#" })
      // After imgdld is killed and started again the page is at the same address.
      rig.killDaemon()
      let third = try await rig.imgdl("web")
      #expect(third.output.prefix { $0 != "#" } == first.output.prefix { $0 != "#" })
    }
  }

  @Test("--token prints a token, --stop disables the page, also when nothing runs")
  func stopping() async throws {
    try await Rig.runWithDaemon { rig in
      let none = try await rig.imgdl("web", "--stop")
      #expect(none.code == 0 && none.errors.contains("was not enabled"), "\(none.errors)")
      let token = try await rig.imgdl("web", "--token")
      #expect(token.code == 0 && token.output.hasPrefix("bearer."), "\(token.errors)")
      let stop = try await rig.imgdl("web", "--stop")
      #expect(stop.code == 0 && stop.errors.contains("disabled"), "\(stop.errors)")
      #expect(try await rig.imgdl("web", "--stop").code == 0)
      // A page that is enabled is disabled as well while no imgdld serves it.
      let first = try await rig.imgdl("web")
      rig.killDaemon()
      let offline = try await rig.imgdl("web", "--stop")
      #expect(offline.code == 0 && offline.errors.contains("disabled"), "\(offline.errors)")
      let second = try await rig.imgdl("web")
      #expect(second.output.prefix { $0 != "#" } != first.output.prefix { $0 != "#" })
    }
  }

  @Test("a port that is taken, or that cannot be one, is refused with the cause")
  func ports() async throws {
    try await Rig.runWithDaemon { rig in
      // The origin of the test listens there.
      let port = String(rig.origin.url.split(separator: ":")[2].dropLast())
      let taken = try await rig.imgdl("web", "--port", port)
      #expect(taken.code == 9 && taken.errors.contains("another program uses port \(port)"))
      #expect(taken.errors.contains("choose another one with --port"), "\(taken.errors)")
      for bad in ["0", "80", "65536", "x"] {
        #expect(try await rig.imgdl("web", "--port", bad).code == 2)
      }
    }
  }

  @Test("the engine of another command has no page: exit 9")
  func foreground() async throws {
    try await Rig.runWithDaemon { rig in
      try await rig.withFirst(held: 1) { first, stage in
        for arguments in [["web"], ["web", "--token"]] {
          let refusal = try await rig.imgdl(arguments)
          #expect(refusal.code == 9 && refusal.errors.contains("\(first.process)"))
        }
        // It serves no page either, so that the page can be disabled.
        #expect(try await rig.imgdl("web", "--stop").code == 0)
        stage.gate.open()
      }
    }
  }
}
