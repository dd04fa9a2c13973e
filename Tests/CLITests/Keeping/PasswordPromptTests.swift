import Foundation
import Glibc
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// The keys of the terminal while a password is typed, of an encrypted file and of `--user`.
@Suite struct PasswordPromptTests {
  private static let question = "Password of the encrypted files of list"

  /// - Parameter body: gets a library with an encrypted PDF file.
  private func withEncrypted(_ body: (Rig) async throws -> Void) async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serve("a.pdf", EncryptedPDF.file))
      #expect(try await rig.imgdl("add", list).code == 1)
      try await body(rig)
    }
  }

  /// A shell with job control in a terminal, in which `imgdl-cli` is our program.
  private func shell(_ rig: Rig, _ line: String) throws -> RunningProgram {
    let program = try HelperLocator().path(of: "imgdl-cli")
    let path = FileSystem.parentFolder(of: program) + ":/usr/bin:/bin"
    return try rig.start(
      ["--norc", "-c", "set -m; " + line],
      // Swift's runtime takes SIGQUIT for a crash, and prints every thread for half a minute.
      environment: ["PATH": path, "SWIFT_BACKTRACE": "enable=no"], terminal: (80, 24),
      program: "/bin/bash")
  }

  /// What `stty` says of the echo, behind a word of ours.
  private static let echo = #"echo "modes:$(stty -a | grep -o -- '-\?\becho ')""#

  @Test(
    "Ctrl-C ends every question with the code of an interruption and an echo",
    arguments: [
      "view 1", "export 1 --format dir -o out", "contact-sheet 1 -o sheet.jpg",
      "add --user me http://localhost:1/a.png",
    ])
  func interrupting(_ command: String) async throws {
    try await withEncrypted { rig in
      let program = try shell(rig, "imgdl-cli \(command); echo \"code:$?\"; \(Self.echo)")
      #expect(await program.waits { $0.contains("Password of ") }, "\(program.output)")
      try program.type("half\u{3}")
      let ending = await program.ending()
      #expect(ending.output.contains("code:7"), "\(ending)")
      #expect(ending.output.contains("modes:echo"), "\(ending.output)")
      #expect(!ending.output.contains("half"), "\(ending.output)")
    }
  }

  @Test("Ctrl-Z gives the terminal to the shell, and fg asks again without an echo")
  func suspending() async throws {
    try await withEncrypted { rig in
      let program = try shell(
        rig, "imgdl-cli export 1 --format dir -o out; \(Self.echo); fg; echo \"code:$?\"")
      #expect(await program.waits { $0.contains(Self.question) }, "\(program.output)")
      try program.type("half\u{1a}")
      #expect(
        await program.waits {
          $0.contains("modes:echo") && $0.components(separatedBy: Self.question).count == 3
        }, "\(program.output)")
      try program.type(EncryptedPDF.password + "\n")
      let ending = await program.ending()
      #expect(ending.output.contains("code:0"), "\(ending.output)")
      #expect(!ending.output.contains(EncryptedPDF.password), "\(ending.output)")
      #expect(try await rig.shell("ls out | wc -l").output.contains("2"))
    }
  }

  @Test("Ctrl-D enters no password: the encrypted files are skipped")
  func endOfInput() async throws {
    try await withEncrypted { rig in
      let program = try rig.start(
        ["export", "1", "--format", "dir", "-o", "out"], terminal: (80, 24))
      #expect(await program.waits { $0.contains(Self.question) }, "\(program.output)")
      try program.type("\u{4}")
      let ending = await program.ending()
      #expect(!ending.isTimedOut && ending.signal == nil && ending.code != 7, "\(ending.output)")
      #expect(ending.output.components(separatedBy: Self.question).count == 2)
      let user = try rig.start(["add", "--user", "me", rig.url("x.png")], terminal: (80, 24))
      #expect(await user.waits { $0.contains("Password of me") }, "\(user.output)")
      try user.type("\u{4}")
      let refused = await user.ending()
      #expect(refused.code == 2)
      #expect(refused.output.contains("no password was entered for me"), "\(refused.output)")
    }
  }

  @Test(
    "a signal that ends the program gives the echo back", arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func ending(_ signal: Int32) async throws {
    try await withEncrypted { rig in
      let program = try shell(
        rig,
        "bash -c 'echo pid:$$:; exec imgdl-cli view 1'; echo \"code:$?\"; \(Self.echo)")
      #expect(await program.waits { $0.contains(Self.question) }, "\(program.output)")
      let number = program.output.components(separatedBy: "pid:").last?.prefix { $0.isNumber }
      let process = try #require(number.flatMap { pid_t($0) })
      kill(process, signal)
      let ending = await program.ending()
      let code = signal == SIGQUIT ? 128 + SIGQUIT : 7
      #expect(ending.output.contains("code:\(code)"), "\(ending.output)")
      #expect(ending.output.contains("modes:echo"), "\(ending.output)")
    }
  }

  @Test("in the background the question waits until the program is in the foreground")
  func background() async throws {
    try await withEncrypted { rig in
      let program = try shell(
        rig,
        """
        imgdl-cli export 1 --format dir -o out & 
        until jobs | grep -q Stopped; do read -t 0.05 <> <(:); done
        \(Self.echo); fg; echo "code:$?"
        """)
      #expect(
        await program.waits { $0.contains("modes:echo") && $0.contains(Self.question) },
        "\(program.output)")
      try program.type(EncryptedPDF.password + "\n")
      #expect(await program.ending().output.contains("code:0"), "\(program.output)")
    }
  }
}
