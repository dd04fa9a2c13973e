import CommandLine
import Foundation
import SystemCalls
import Testing
import WorkerProcess

@Suite("Completion scripts and the manual page")
struct GeneratedFilesTests {
  /// Runs `program` if the machine has it; nil if not.
  private func run(_ program: String, _ arguments: [String], input: String) throws -> String? {
    let folders = ["/bin", "/usr/bin", "/usr/local/bin"]
    let candidates = folders.map { "\($0)/\(program)" }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
      return nil
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let pipe = try Channels.pipe()
    let child = try ChildProcess(
      ProcessLaunch(
        path: path, arguments: arguments.map { $0 == "FILE" ? file.path : $0 },
        streams: [.none, .existing(pipe.writing), .existing(pipe.writing)]))
    pipe.writing.close()
    let data = try pipe.reading.remainingBytes(limit: 1 << 20)
    _ = child.wait(before: .after(seconds: 600))
    return String(decoding: data, as: UTF8.self)
  }

  @Test("each shell reads its script without complaint", arguments: Completion.Shell.allCases)
  func syntax(shell: Completion.Shell) throws {
    let script = Completion.script(for: ExampleProgram.root, shell: shell)
    #expect(script.contains("daemon") && !script.contains("selftest"))
    let complaints = try run(shell.rawValue, ["-n", "FILE"], input: script)
    #expect(complaints ?? "" == "")
  }

  @Test(
    "bash completes commands, options and values",
    arguments: [
      (["pixel", "sh"], "show"), (["pixel", "daemon", "st"], "start stop"),
      (["pixel", "daemon", "stop", "--n"], "--now"),
      (["pixel", "-d", "lib", "add", "--li"], "--limit-rate --library"),
      (["pixel", "add", "--format", "c"], "csv"),
      (["pixel", "add", "--format", "=", "t"], "table"),
      (["pixel", "add", "-j", ""], ""),
      (["pixel", "mo"], "move"),
      (["pixel", "sort", "n"], "name"),
    ])
  func bash(words: [String], expected: String) throws {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      Completion.script(for: ExampleProgram.root, shell: .bash) + """

        compopt() { :; }
        COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
        _pixel; echo "${COMPREPLY[*]}"
        """
    let output = try run("bash", ["FILE"], input: script)
    #expect((output ?? expected).trimmingCharacters(in: .newlines) == expected)
  }

  @Test("the manual page holds every command, and the sections it is given")
  func manualContent() {
    let page = ManualPage(
      ExampleProgram.root, sections: [.init("EXIT STATUS", [("0", ".all is well")])]
    ).render()
    for part in [
      ".TH \"PIXEL\" \"1\" \"\" \"pixel 1.2\"", ".SS \"add [OPTIONS] SOURCE...\"",
      ".SS \"daemon stop [OPTIONS]\"", "\\fB\\-j, \\-\\-jobs N\\fR", ".SH \"EXIT STATUS\"",
      "\\&.all is well", ".SH \"EXAMPLES\"", "By what. [age, name, size]",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("trace"))
  }

  @Test("groff formats the manual page without a warning")
  func manualSyntax() throws {
    let page = ManualPage(ExampleProgram.root).render()
    let output = try run("groff", ["-man", "-Tascii", "-ww", "-z", "FILE"], input: page)
    #expect(output ?? "" == "")
  }
}
