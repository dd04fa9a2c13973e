import Origin
import SystemCalls
import Testing

/// A disk that is full, a folder that cannot be written, a library that is in use.
@Suite struct DiskTests {
  /// Whether this user may mount in a namespace of its own.
  static let canMount: Bool = {
    guard Machine.userID == 0 else { return false }
    let command = RunningProgram.Command(
      path: "/usr/bin/unshare", arguments: ["-m", "true"], environment: [:])
    guard let program = try? RunningProgram(command) else { return false }
    while program.isRunning {}
    return program.exitCode == 0
  }()

  @Test(
    "a full disk is exit code 6; with free space the same command finishes",
    .enabled(if: canMount, "mounting needs root"))
  func fullDisk() async throws {
    try await Rig.run { rig in
      let urls = try (1...12).map { try rig.serve("\($0).bin", Sample.bytes(200_000 + $0)) }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      try FileSystem.makeFolders(rig.library)
      let ending = try await rig.shell(
        """
        unshare -m sh -c 'mount -t tmpfs -o size=1500k none "$IMGDL_LIBRARY" || exit 99
          imgdl-cli add -j 2 \(list); echo "first $?"
          imgdl-cli list
          mount -o remount,size=64m "$IMGDL_LIBRARY"
          imgdl-cli add \(list); echo "second $?"
          sha256sum "$IMGDL_LIBRARY"/list/* | cut -d" " -f1 | sort -u | wc -l; imgdl-cli list'
        """)
      #expect(ending.output.contains("first 6\n"), "\(ending.output)\(ending.errors)")
      // Either the files or the database meet the limit first.
      #expect(
        ending.errors.contains("No space left on device")
          || ending.errors.contains("library.sqlite: the disk is full"))
      #expect(ending.output.contains("second 0\n"), "\(ending.errors)")
      #expect(ending.output.contains("Finished"))
    }
  }

  @Test("a file that is larger than a file may be fails alone, and leaves nothing behind")
  func fileSizeLimit() async throws {
    try await Rig.run { rig in
      let big = try rig.serve("big.bin", [UInt8](repeating: 7, count: 9_000_000))
      let small = try (1...8).map { try rig.serve("\($0).bin", Sample.bytes(1_000 + $0)) }
      let list = try rig.write("list.txt", ([big] + small).joined(separator: "\n"))
      let ending = try await rig.shell(
        "ulimit -f 8192; imgdl-cli add --no-progress -j 2 \(list); echo \"add $?\"")
      #expect(ending.output.contains("add 1\n"), "\(ending.output)\(ending.errors)")
      #expect(ending.errors.contains("big.bin: larger than the file system or a limit"))
      #expect(ending.errors.contains("8 of 9 finished, 1 failed"), "\(ending.errors)")
      #expect(try rig.incoming() == [])
    }
  }

  @Test(
    "a folder that is not writable is exit code 6, and the error names it",
    .enabled(if: canMount, "mounting needs root"))
  func readOnly() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("a", 1)[0]
      try FileSystem.makeFolders(rig.library)
      let ending = try await rig.shell(
        """
        unshare -m sh -c 'mount --bind "$IMGDL_LIBRARY" "$IMGDL_LIBRARY" &&
          mount -o remount,ro,bind "$IMGDL_LIBRARY" || exit 99; imgdl-cli add \(url)'
        """)
      #expect(ending.code == 6, "\(ending.errors)")
      #expect(ending.errors.contains(rig.library))
      #expect(ending.errors.contains("Read-only file system"))
    }
  }

  @Test("a path that is a file is exit code 6, and the error names it")
  func notAFolder() async throws {
    try await Rig.run { rig in
      let file = try rig.write("library", "a file")
      let ending = try await rig.imgdl("add", try rig.serveImages("a", 1)[0])
      #expect(ending.code == 6, "\(ending.errors)")
      #expect(ending.errors.contains(file))
    }
  }

  @Test(
    "a settings file that is not readable is exit code 6, not a usage error, and the error names it"
  )
  func unreadableSettings() async throws {
    try await Rig.run { rig in
      let path = rig.library + "/.imgdl/config.json"
      try FileSystem.makeFolders(path)
      let ending = try await rig.imgdl("list")
      #expect(ending.code == 6, "\(ending.errors)")
      #expect(ending.errors.contains(path))
      #expect(ending.errors.contains("Is a directory"))
    }
  }

  @Test("a library held by a process that does not respond is exit code 9; reading is possible")
  func locked() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try rig.serveImages("a", 1)[0]).code == 0)
      let holder = try rig.start(
        ["-c", "flock library/.imgdl/lock sh -c 'echo held; read x'"], keepsInputOpen: true,
        program: "/bin/sh")
      #expect(await holder.waits { $0.contains("held") })
      let programs = try [
        ["add", rig.url("a-1.png")], ["retry"], ["reset", "--yes"], ["remove", "1", "--yes"],
        ["pause"], ["fetch", rig.url("a-1.png")], ["verify"],
      ].map { try rig.start($0) }
      for program in programs {
        let ending = await program.ending()
        #expect(ending.code == 9, "\(ending.errors)")
        #expect(ending.errors.contains("is in use by"))
      }
      #expect(try await rig.records().map(\.total) == [1])
      for words in [["show", "1"], ["watch"], ["verify", "--dry-run"], ["concurrency"]] {
        #expect(try await rig.imgdl(words).code == 0, "\(words)")
      }
      try holder.type("\n")
      _ = await holder.ending()
    }
  }

  @Test("an output that cannot be written is exit code 6")
  func fullOutput() async throws {
    try await Rig.run { rig in
      let ending = try await rig.shell("imgdl-cli config > /dev/full")
      #expect(ending.code == 6)
      #expect(ending.errors.contains("No space left on device"))
    }
  }
}
