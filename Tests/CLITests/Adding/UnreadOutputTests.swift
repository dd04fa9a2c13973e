import SystemCalls
import Testing

/// Programs whose output is closed by its reader.
@Suite struct UnreadOutputTests {
  /// Runs a command whose reader has gone before it begins, and says how it ended.
  private func unread(_ command: String, _ rig: Rig) async throws -> Int32? {
    let ending = try await rig.shell(
      """
      cd '\(rig.root)' && rm -f gone && mkfifo gone
      { cat gone; \(command); echo $? > code; } | { exec <&-; echo > gone; }
      cat code
      """)
    return ending.output.split(separator: "\n").last.flatMap { Int32($0) }
  }

  @Test("an add whose reader closes the pipe is interrupted and says so; downloaded data is kept")
  func add() async throws {
    try await Rig.run { rig in
      for number in 0..<40 { try rig.serve("\(number).png", Sample.image(number)) }
      let list = try rig.write(
        "list.txt", (0..<40).map { rig.url("\($0).png") }.joined(separator: "\n"))
      let code = try await unread("imgdl-cli add --json --no-thumbnails '\(list)'", rig)
      #expect(code == 7)
      let again = try await rig.imgdl("add", "--no-thumbnails", list)
      #expect(again.code == 0, "\(again.errors)")
      #expect(try await rig.resources().count == 40)
    }
  }

  @Test(
    "failures determine the exit code even if the list of them is not read; a dry run leaves no files"
  )
  func verdicts() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", rig.url("none.png") + "\nno URL\n")
      #expect(try await unread("imgdl-cli add --failed-to - '\(list)'", rig) == 1)
      let temporary = rig.root + "/tmp"
      #expect(
        try await unread("TMPDIR='\(temporary)' imgdl-cli add --dry-run '\(list)'", rig) == 1)
      #expect(try FileSystem.list(temporary).isEmpty)
    }
  }

  @Test("a check whose findings cannot be written does not exit with success")
  func verify() async throws {
    try await Rig.run { rig in
      try rig.serve("1.png", Sample.image(1))
      let list = try rig.write("list.txt", rig.url("1.png"))
      #expect(try await rig.imgdl("add", "--no-thumbnails", list).code == 0)
      let file = try #require(try await rig.resources().first?.file)
      try FileSystem.remove("\(rig.library)/\(file)")
      #expect(try await unread("imgdl-cli verify --dry-run --json", rig) == 7)
      // The reader of a list has had all that it wanted.
      #expect(try await unread("imgdl-cli show 1 --json", rig) == 0)
    }
  }

  @Test("output that cannot be written is reported, and a dry run leaves no files")
  func fullOutput() async throws {
    try await Rig.run { rig in
      try rig.serve("1.png", Sample.image(1))
      let list = try rig.write("list.txt", rig.url("1.png"))
      let temporary = rig.root + "/tmp"
      for (place, cause) in [
        ("/dev/full", "No space left on device"), ("&-", "Bad file descriptor"),
      ] {
        for command in ["add --json", "add --dry-run"] {
          let ending = try await rig.shell(
            """
            cd '\(rig.root)' && rm -rf library
            TMPDIR='\(temporary)' imgdl-cli \(command) '\(list)' >\(place) 2> errors
            echo $? > code; cat code errors
            """)
          #expect(ending.output.hasPrefix("6\n"), "\(command) >\(place): \(ending.output)")
          #expect(
            ending.output.contains("cannot write to standard output: \(cause)"),
            "\(command) >\(place): \(ending.output)")
          #expect(!ending.output.contains("Interrupted"))
        }
      }
      #expect(try FileSystem.list(temporary).isEmpty)
    }
  }

  @Test("a dry run reports the invalid entries that it knows of, and names standard input")
  func manyProblems() async throws {
    try await Rig.run { rig in
      let list =
        (0..<1_500).map { "bad line \($0)\n" }.joined() + "http://h/1\n"
      let long = try await rig.imgdl("add", "--dry-run", "-", input: list)
      #expect(
        long.errors.contains("standard input: at least 980 more invalid entries"), "\(long.errors)")
      #expect(long.errors.contains("standard input: read as text"), "\(long.errors)")
      let short = try await rig.imgdl(
        "add", "--dry-run", "-",
        input: (0..<30).map { "bad line \($0)\n" }.joined() + "http://h/1\n")
      #expect(
        short.errors.contains("standard input: 10 more invalid entries"), "\(short.errors)")
    }
  }
}
