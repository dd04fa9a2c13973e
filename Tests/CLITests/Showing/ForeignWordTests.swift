import Testing
import WorkerProcess

/// Words that users know from other programs.
@Suite struct ForeignWordTests {
  @Test(
    "A command or an option of another program gets a hint at what imgdl-cli has",
    arguments: [
      (["ls"], "list lists"), (["rm", "1"], "remove RECORD"), (["status"], "daemon status"),
      (["info", "1"], "details RECORD"), (["search", "x"], "show RECORD --json"),
      (["add", "--include", "*.png", "x"], "--dry-run"),
      (["add", "--exec", "echo", "x"], "watch --json"),
      (["add", "--output-dir", "x", "y"], "--library DIR"),
    ])
  func hints(_ words: [String], _ hint: String) async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl(words)
      #expect(ending.code == 2)
      #expect(ending.errors.contains("unknown ") && ending.errors.contains(hint))
    }
  }

  @Test(
    "All three programs print their completion scripts and their manual page",
    arguments: ["imgdl-tui", "imgdld"], ["bash", "zsh", "fish", "man"])
  func generatedTexts(program: String, kind: String) async throws {
    try await Rig.run { rig in
      let path = try HelperLocator().path(of: program)
      let ending = try await rig.start(["--completion", kind], program: path).ending()
      #expect(ending.code == 0 && ending.errors.isEmpty)
      #expect(ending.output.contains(kind == "man" ? ".TH" : "library"))
      #expect(ending.output.replacing("\\-", with: "-").contains(program))
      #expect(ending.output.contains("EXIT STATUS") == (kind == "man"))
    }
  }
}
