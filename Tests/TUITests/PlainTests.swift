import Models
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("Lines instead of a screen") struct PlainTests {
  @Test("--plain answers in whole lines, without one control character")
  func lines() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      let program = try rig.start(
        ["--plain", "--set", "background=off"], input: Array("add \(source)\n".utf8),
        keepsInputOpen: true, program: try HelperLocator().path(of: "imgdl-tui"))
      #expect(await program.waits(until: { $0.contains("The library is empty.") }))
      #expect(await program.waits(until: { $0.contains("birds: Finished") }))
      try program.type("list\nshow 1\ndetails 1\nreset\nno\nfoo\nquit\n")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.errors)")
      for text in [
        "Added 1 record, 2 resources", "1. birds: Finished; 2 of 2", "1. b-1.png: Finished",
        "Image Details of birds", "Type yes or no", "Nothing was done.", "foo is not a command",
      ] {
        #expect(ending.output.contains(text), "\(text) in \(ending.output)")
      }
      #expect(!ending.output.contains { $0 == "\u{1b}" || $0 == "\r" })
    }
  }

  /// - Parameter body: gets a library with an encrypted PDF file, and the path of `imgdl-tui`.
  private func withEncrypted(_ body: (Rig, String) async throws -> Void) async throws {
    try await Rig.run { rig in
      let list = try rig.write("papers.txt", try rig.serve("a.pdf", EncryptedPDF.file))
      #expect(try await rig.imgdl("add", list).code == 1)
      try await body(rig, try HelperLocator().path(of: "imgdl-tui"))
    }
  }

  @Test("unlock takes the password from the next line, where there is no terminal")
  func unlocking() async throws {
    try await withEncrypted { rig, program in
      let lines = [
        "show 1", "unlock 1 7", "unlock 1", "guess", "unlock 1 1", "", "unlock 1 1",
        EncryptedPDF.password, "unlock 1", "list", "quit",
      ]
      let ending = try await rig.start(
        ["--plain", "--set", "background=off"],
        input: Array((lines + [""]).joined(separator: "\n").utf8),
        program: program
      ).ending()
      #expect(ending.code == 0, "\(ending.errors)")
      for text in [
        "encrypted and needs a password; unlock 1 1 asks for the password",
        "Image 7 of papers needs no password", "Password of the encrypted files of papers:",
        "Error: papers, resource 1: the PDF file is encrypted, and the password is wrong",
        "Nothing was done.", "papers, resource 1: unlocked", "Nothing in papers needs a password",
        "1. papers: Finished; 1 of 1",
      ] {
        #expect(ending.output.contains(text), "\(text) in \(ending.output)")
      }
      #expect(!ending.output.contains(EncryptedPDF.password))
      let traces = try await rig.shell(
        "grep -rla '\(EncryptedPDF.password)' \"$IMGDL_LIBRARY\" \"$TMPDIR\" \"$HOME\" || true")
      #expect(traces.output.isEmpty, "\(traces.output)")
    }
  }

  @Test("unlock asks without an echo on a terminal, after which commands have one again")
  func asking() async throws {
    try await withEncrypted { rig, path in
      let program = try rig.start(
        ["--plain", "--set", "background=off"], terminal: (80, 24), program: path)
      #expect(await program.waits { $0.contains("papers: Finished, 1 failed") })
      try program.type("unlock 1\n")
      #expect(await program.waits { $0.contains("Password of the encrypted files of papers: ") })
      try program.type(EncryptedPDF.password + "\n")
      #expect(await program.waits { $0.contains("papers, resource 1: unlocked") })
      try program.type("list\n")
      #expect(await program.waits { $0.contains("papers: Finished; 1 of 1") })
      try program.type("quit\n")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.output)")
      #expect(!ending.output.contains(EncryptedPDF.password), "\(ending.output)")
      #expect(ending.output.contains("list\r\n"), "\(ending.output)")
    }
  }

  @Test("what lacks a password is told with the command that takes it")
  func hint() async throws {
    try await Rig.run { rig in
      let list = try rig.write("papers.txt", try rig.serve("a.pdf", EncryptedPDF.file))
      let program = try rig.start(
        ["--plain", "--set", "background=off"], input: Array("add \(list)\n".utf8),
        keepsInputOpen: true, program: try HelperLocator().path(of: "imgdl-tui"))
      #expect(
        await program.waits { $0.contains("needs a password; use unlock to enter the password") })
      #expect(await program.waits { $0.contains("Added 1 record") })
      try program.type("quit\n")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(!ending.output.contains("--password-file"), "\(ending.output)")
    }
  }

  @Test("Ctrl-C at the question for a password ends the program")
  func interrupting() async throws {
    try await withEncrypted { rig, path in
      let program = try rig.start(
        ["--plain", "--set", "background=off"], terminal: (80, 24), program: path)
      #expect(await program.waits { $0.contains("papers: Finished, 1 failed") })
      try program.type("unlock 1\n")
      #expect(await program.waits { $0.contains("Password of the encrypted files of papers: ") })
      try program.type("half\u{3}")
      let ending = await program.ending()
      #expect(ending.code == 7, "\(ending.output)")
      #expect(!ending.output.contains("half"), "\(ending.output)")
    }
  }

  @Test("without a terminal it says so, and names --plain")
  func noTerminal() async throws {
    try await Rig.run { rig in
      let program = try rig.start([], program: try HelperLocator().path(of: "imgdl-tui"))
      let ending = await program.ending()
      #expect(ending.code == 2)
      #expect(ending.errors.contains("--plain"))
    }
  }

  @Test("an idle window writes nothing and uses no processor")
  func idle() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      try await rig.withWindow(adding: source, showing: "2/2") { window in
        // The notice goes away by itself; after that nothing is due.
        await window.hides("Added")
        let (bytes, time) = (window.bytes, Self.processorTime(window.process))
        #expect(time > 0)
        let start = Machine.monotonicNanoseconds
        #expect(
          await window.waits(for: { Machine.monotonicNanoseconds - start > 2_000_000_000 }))
        #expect(window.bytes == bytes)
        #expect(Self.processorTime(window.process) - time < 20_000_000)
      }
    }
  }

  /// Nanoseconds that the threads of a process have run. The hundredths of a second in `stat` are rounded
  /// apart for user and kernel, and differ by two after a single one.
  private static func processorTime(_ process: Int32) -> Int {
    let threads = (try? FileSystem.list("/proc/\(process)/task")) ?? []
    return threads.reduce(0) { sum, thread in
      let path = "/proc/\(process)/task/\(thread.name)/schedstat"
      let fields = (try? FileSystem.contents(of: path)).map {
        String(decoding: $0, as: UTF8.self).split(separator: " ")
      }
      return sum + (fields?.first.flatMap { Int($0) } ?? 0)
    }
  }
}
