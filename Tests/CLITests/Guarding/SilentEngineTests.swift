import Glibc
import Origin
import SystemCalls
import Testing

/// What commands say if the engine cannot work: its process is stopped, a program is missing, or there is no library
/// where the command line says.
@Suite struct SilentEngineTests {
  @Test("a stopped process that holds the library is named instead of a missing one")
  func stopped() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        first.signal(SIGSTOP)
        for words in [["list"], ["show", "1"]] {
          let ending = try await rig.imgdl(words)
          #expect(ending.code == 0, "\(ending.errors)")
          #expect(ending.errors.contains("is stopped; continue it"), "\(ending.errors)")
          #expect(ending.errors.contains("kill -CONT"), "\(ending.errors)")
          #expect(!ending.errors.contains("No program"), "\(ending.errors)")
        }
        first.signal(SIGCONT)
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
    }
  }

  @Test("a missing program for thumbnails is reported once, before anything is downloaded")
  func missingRenderer() async throws {
    try await Rig.run { rig in
      let helpers = rig.root + "/helpers"
      try FileSystem.makeFolders(helpers)
      let urls = try rig.serveImages("p", 3)
      let ending = try await rig.imgdl(["add"] + urls, environment: ["IMGDL_HELPERS": helpers])
      #expect(ending.code == 2, "\(ending.errors)")
      #expect(ending.errors.split(separator: "imgdl-render").count == 2, "\(ending.errors)")
      #expect(ending.errors.contains("--no-thumbnails"), "\(ending.errors)")
      #expect(rig.origin.log.entries.isEmpty)
      let plain = try await rig.imgdl(
        ["add", "--no-thumbnails"] + urls, environment: ["IMGDL_HELPERS": helpers])
      #expect(plain.code == 0, "\(plain.errors)")
    }
  }

  @Test(
    "a folder without a library is refused if the command line names it",
    arguments: [
      ["list"], ["list", "--json"], ["show", "1"], ["pause"], ["concurrency"],
      ["limit-rate"], ["reset", "--yes"], ["daemon", "status"],
    ])
  func mistyped(words: [String]) async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl(words + ["-d", "typo"])
      #expect(ending.code == 2, "\(ending.errors)")
      #expect(
        ending.errors == "imgdl-cli: there is no library at \(rig.root)/typo\n", "\(ending.errors)")
      #expect(ending.output == "")
      #expect(try await rig.shell("ls typo").code != 0, "nothing is made")
      let first = try await rig.imgdl("list")
      #expect(first.code == 0 && first.errors.contains("Add something"), "\(first.errors)")
    }
  }
}
