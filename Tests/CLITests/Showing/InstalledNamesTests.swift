import Glibc
import Testing
import WorkerProcess

/// An installation holds its programs in one file with several names.
@Suite struct InstalledNamesTests {
  @Test(
    "the installed file runs the program whose name it was started by",
    arguments: ["imgdl-cli", "imgdl-tui", "imgdld", "imgdl-origin"])
  func eachNameIsItsProgram(name: String) async throws {
    try await Rig.run { rig in
      let installed = try HelperLocator().path(of: "imgdl")
      let link = "\(rig.root)/\(name)"
      #expect(symlink(installed, link) == 0)
      let help = try await rig.start(["--help"], program: link).ending()
      #expect(help.code == 0)
      #expect(help.output.lowercased().hasPrefix("usage: \(name) "))
    }
  }
}
