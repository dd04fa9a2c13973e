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
    return true
  }()

  @Test(
    "a full disk is exit code 6; with room again the same command finishes",
    .enabled(if: canMount, "mounting needs root"))
  func fullDisk() async throws {
    try await Rig.run { rig in
      let urls = try (1...12).map { try rig.serve("\($0).bin", Sample.bytes(200_000)) }
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
      #expect(ending.errors.contains("No space left on device"))
      #expect(ending.output.contains("second 0\n"), "\(ending.errors)")
      #expect(ending.output.contains("Finished"))
    }
  }

  @Test(
    "a folder that cannot be written is exit code 6 and named",
    .enabled(if: canMount, "mounting needs root"))
  func readOnly() async throws {
    try await Rig.run { rig in
      let url = try rig.servePictures("a", 1)[0]
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

  @Test("a path that is a file is exit code 6 and named")
  func notAFolder() async throws {
    try await Rig.run { rig in
      let file = try rig.write("library", "a file")
      let ending = try await rig.imgdl("add", try rig.servePictures("a", 1)[0])
      #expect(ending.code == 6, "\(ending.errors)")
      #expect(ending.errors.contains(file))
    }
  }

  @Test("a library that another engine holds is exit code 9 with its process; looking is allowed")
  func locked() async throws {
    try await Rig.run {
      $0.latency = .milliseconds(400)
    } _: { rig in
      let list = try rig.write("list.txt", rig.servePictures("a", 60).joined(separator: "\n"))
      let first = try rig.start(["add", "-j", "1", list])
      await rig.answers(1, to: first)
      for arguments in [["add", list], ["retry"], ["reset", "--yes"], ["remove", "1", "--yes"]] {
        let second = try await rig.imgdl(arguments)
        #expect(second.code == 9, "\(arguments): \(second.errors)")
        #expect(second.errors.contains("process \(first.process)"))
      }
      #expect(try await rig.records().map(\.total) == [60])
      #expect(try await rig.imgdl("show", "1").code == 0)
      first.signal(2)
      #expect(await first.ending(atMost: 5).code == 7)
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
