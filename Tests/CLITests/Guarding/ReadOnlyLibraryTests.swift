import SystemCalls
import Testing

/// A library on a file system that is mounted read-only.
@Suite struct ReadOnlyLibraryTests {
  private static let looks = [
    "list", "show 1", "details 1", "show 2", "export 1 --format csv",
    "export 1 --format dir -o out", "export 2 --format cbz -o out.cbz",
    "contact-sheet 1 -o sheet.jpg",
    "verify --dry-run",
  ]
  private static let changes = [
    "add URL", "retry", "reload 1", "refresh 1", "remove 1 --yes", "reset --yes", "verify",
    "priority 1 high", "fetch --reload URL",
  ]

  /// Runs a script in which the library cannot be written.
  private static func onReadOnlyMount(_ rig: Rig, _ script: String) async throws
    -> RunningProgram.Ending
  {
    try rig.write("script", script)
    return try await rig.shell(
      """
      unshare -m sh -c 'mount --bind "$IMGDL_LIBRARY" "$IMGDL_LIBRARY" &&
        mount -o remount,ro,bind "$IMGDL_LIBRARY" || exit 99; sh ./script'
      """)
  }

  /// - Parameter hasLog: whether the store's last changes are only in its log, since the program that
  ///   wrote them was killed.
  @Test(
    "a library without write permission can be read; commands that write report an error",
    .enabled(if: DiskTests.canMount, "mounting needs root"), arguments: [false, true])
  func readOnly(hasLog: Bool) async throws {
    try await Rig.runWithDaemon { rig in
      let first = try rig.write("first.txt", try rig.serveImages("a", 2).joined(separator: "\n"))
      let second = try rig.write(
        "second.txt", try rig.serveImages("b", 3).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", first).code == 0)
      if hasLog {
        #expect(try await rig.imgdl("add", "--detach", second).code == 0)
        #expect(try await rig.untilDone().code == 0)
        rig.killDaemon()
        let log = try FileSystem.status(rig.library + "/.imgdl/library.sqlite-wal")
        #expect(log.size > 0)
      } else {
        #expect(try await rig.imgdl("add", second).code == 0)
      }
      let before = try FileSystem.list(rig.library + "/.imgdl").map(\.name).sorted()
      let url = try rig.serveImages("c", 1)[0]
      let script = (Self.looks + Self.changes).map { words in
        let command = words.replacing("URL", with: url)
        return "imgdl-cli \(command) >said 2>&1; echo \"\(words): $?: $(tr '\\n' ' ' <said)\""
      }
      let ending = try await Self.onReadOnlyMount(rig, script.joined(separator: "\n"))
      let lines = ending.output.split(separator: "\n").map { String($0) }
      for words in Self.looks {
        #expect(lines.contains { $0.hasPrefix("\(words): 0:") }, "\(words)\n\(ending.output)")
      }
      for words in Self.changes {
        #expect(
          lines.contains {
            $0.hasPrefix("\(words): 6:") && $0.contains("the library \(rig.library) is read-only")
          }, "\(words)\n\(ending.output)")
      }
      #expect(
        lines.contains { $0.hasPrefix("list:") && $0.contains("second") && $0.contains("3/3") })
      #expect(try FileSystem.list(rig.library + "/.imgdl").map(\.name).sorted() == before)
      #expect(try FileSystem.list(rig.root + "/tmp").map(\.name) == [], "a copy was left behind")
    }
  }

  @Test(
    "a picture of a library that cannot be written is seen on a terminal",
    .enabled(if: DiskTests.canMount, "mounting needs root"))
  func view() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serveImages("a", 3).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      let path = try await rig.shell("command -v imgdl-cli").output.dropLast()
      let program = try rig.start(
        [
          "-m", "sh", "-c",
          """
          mount --bind "$IMGDL_LIBRARY" "$IMGDL_LIBRARY" &&
            mount -o remount,ro,bind "$IMGDL_LIBRARY" && exec \(path) view 1:1
          """,
        ], terminal: (80, 24), program: "/usr/bin/unshare")
      #expect(await program.waits { $0.contains("q: end") })
      try program.type("q")
      #expect(await program.ending().code == 0)
    }
  }
}
