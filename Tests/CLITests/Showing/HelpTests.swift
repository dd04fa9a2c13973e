import Testing

@Suite struct HelpTests {
  static let commands = [
    "add", "fetch", "archive", "list", "show", "details", "watch", "pause", "resume", "cancel",
    "retry",
    "reload", "refresh", "more", "priority", "concurrency", "per-host", "limit-rate", "remove",
    "reset", "verify",
    "export", "config", "doctor", "demo", "experiment", "completion",
  ]

  @Test("every command shows its help, by --help and by help", arguments: commands)
  func help(_ command: String) async throws {
    try await Rig.run { rig in
      let option = try await rig.imgdl(command, "--help")
      #expect(option.code == 0)
      #expect(option.output.hasPrefix("Usage: imgdl-cli \(command)"))
      #expect(option.output.contains("--library"))
      #expect(option.errors == "")
      let word = try await rig.imgdl("help", command)
      #expect(word.output == option.output)
    }
  }

  @Test("the values of an argument are in the help, in the manual page and in errors")
  func choices() async throws {
    try await Rig.run { rig in
      let manual = try await rig.imgdl("completion", "man").output
      for (command, words) in [
        ("completion", "bash, zsh, fish, man"), ("priority", "low, normal, high"),
      ] {
        let help = try await rig.imgdl(command, "--help").output
        #expect(help.contains("[\(words)]"), "\(help)")
        #expect(manual.contains("[\(words)]"))
      }
      let missing = try await rig.imgdl("completion")
      #expect(missing.code == 2)
      #expect(missing.errors.contains("expected KIND, one of: bash, zsh, fish, man\n"))
    }
  }

  @Test("the program's help names every command; its version is one line")
  func program() async throws {
    try await Rig.run { rig in
      let help = try await rig.imgdl("--help")
      #expect(help.code == 0)
      for command in Self.commands { #expect(help.output.contains("\n  \(command)")) }
      let version = try await rig.imgdl("--version")
      #expect(version.output.hasPrefix("imgdl-cli ") && version.output.hasSuffix("\n"))
      #expect(version.output.split(separator: "\n").count == 1)
    }
  }

  @Test("the completion script is one that bash understands")
  func bash() async throws {
    try await Rig.run { rig in
      let script = try await rig.imgdl("completion", "bash")
      #expect(script.code == 0)
      try rig.write("completion.bash", script.output)
      let check = try await rig.shell("bash -n completion.bash")
      #expect(check.code == 0, "\(check.errors)")
      for command in Self.commands { #expect(script.output.contains(command)) }
    }
  }

  @Test(
    "scripts for other shells and the manual page are printed", arguments: ["zsh", "fish", "man"])
  func others(_ kind: String) async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl("completion", kind)
      #expect(ending.code == 0)
      #expect(ending.output.replacing("\\", with: "").contains("imgdl-cli"))
      #expect(ending.errors == "")
    }
  }
}
