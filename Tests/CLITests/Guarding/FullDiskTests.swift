import SystemCalls
import Testing

/// A disk without one free block, and the library on it.
@Suite struct FullDiskTests {
  @Test(
    "a library on a disk without a free block can be read and emptied with imgdl",
    .enabled(if: DiskTests.canMount, "mounting needs root"),
    arguments: ["remove 1 --yes", "reset --yes"])
  func emptied(by removal: String) async throws {
    try await Rig.run { rig in
      let big = try (1...6).map { try rig.serve("big-\($0).bin", Sample.bytes(200_000 + $0)) }
      let first = try rig.write("first.txt", big.joined(separator: "\n"))
      let second = try rig.write(
        "second.txt", try rig.serveImages("b", 2).joined(separator: "\n"))
      try FileSystem.makeFolders(rig.library)
      let ending = try await rig.shell(
        """
        cat >fill <<'END'
        cat /dev/zero >>"$IMGDL_LIBRARY/filler" 2>/dev/null
        echo "free $(stat -f -c %a "$IMGDL_LIBRARY")"
        END
        cat >on-full-disk <<'END'
        mount -t tmpfs -o size=12m none "$IMGDL_LIBRARY" || exit 99
        imgdl-cli -q add \(first) \(second); echo "add: $?"
        for words in list "show 1" "details 1" "verify --dry-run" verify "verify --read-data"; do
          sh ./fill; imgdl-cli $words; echo "$words: $?"
        done
        sh ./fill; imgdl-cli retry; echo "retry: $?"
        sh ./fill; imgdl-cli \(removal); echo "\(removal): $?"
        ls "$IMGDL_LIBRARY"
        sh ./fill; imgdl-cli reset --yes; echo "second reset: $?"
        rm "$IMGDL_LIBRARY/filler"
        imgdl-cli -q add \(first); echo "add again: $?"
        imgdl-cli verify --read-data; echo "verify again: $?"
        END
        unshare -m sh ./on-full-disk
        """)
      let lines = ending.output.split(separator: "\n").map { String($0) }
      #expect(lines.count { $0 == "free 0" } == 9, "\(ending.output)\(ending.errors)")
      for words in [
        "add", "list", "show 1", "details 1", "verify --dry-run", "verify", "verify --read-data",
        removal, "second reset", "add again", "verify again",
      ] {
        #expect(lines.contains("\(words): 0"), "\(ending.output)\(ending.errors)")
      }
      #expect(!lines.contains("first"), "the record's folder is still there")
    }
  }

  @Test(
    "an import for which the disk is too small is undone, and the library can be emptied",
    .enabled(if: DiskTests.canMount, "mounting needs root"),
    arguments: [8, 12, 16, 24, 30])
  func largeImport(megabytes: Int) async throws {
    try await Rig.run { rig in
      let pictures = try rig.serveImages("small", 3)
      let small = try rig.write("small.txt", pictures.joined(separator: "\n"))
      let lines = (1...400_000).map { "http://127.0.0.1:1/pictures/of/a/long/list/\($0).jpg" }
      let large = try rig.write("large.txt", lines.joined(separator: "\n"))
      try FileSystem.makeFolders(rig.library)
      let ending = try await rig.shell(
        """
        unshare -m sh -c 'mount -t tmpfs -o size=\(megabytes)m none "$IMGDL_LIBRARY" || exit 99
          imgdl-cli -q add \(small); echo "add: $?"
          imgdl-cli -q add --lazy \(large); echo "import: $?"
          imgdl-cli -q add --lazy \(large); echo "second import: $?"
          imgdl-cli list; echo "list: $?"
          cat /dev/zero >>"$IMGDL_LIBRARY/filler" 2>/dev/null
          imgdl-cli remove 1 --yes; echo "remove: $?"
          cat /dev/zero >>"$IMGDL_LIBRARY/filler" 2>/dev/null
          imgdl-cli reset --yes; echo "reset: $?"
          rm "$IMGDL_LIBRARY/filler"
          imgdl-cli -q add \(small); echo "add again: $?"
          imgdl-cli verify --read-data; echo "verify: $?"'
        """)
      let codes = ending.output.split(separator: "\n").map { String($0) }
      for expected in [
        "add: 0", "import: 6", "second import: 6", "list: 0", "remove: 0", "reset: 0",
        "add again: 0", "verify: 0",
      ] {
        #expect(codes.contains(expected), "\(ending.output)\(ending.errors)")
      }
    }
  }

  @Test(
    "a record of many resources is removed from a full disk",
    .enabled(if: DiskTests.canMount, "mounting needs root"))
  func manyResources() async throws {
    try await Rig.run { rig in
      let urls = try (1...3_000).map { try rig.serve("\($0).bin", Sample.bytes(100 + $0)) }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      try FileSystem.makeFolders(rig.library)
      let ending = try await rig.shell(
        """
        unshare -m sh -c 'mount -t tmpfs -o size=48m none "$IMGDL_LIBRARY" || exit 99
          imgdl-cli -q add \(list); echo "add: $?"
          cat /dev/zero >"$IMGDL_LIBRARY/filler" 2>/dev/null
          imgdl-cli remove 1 --yes; echo "remove: $?"
          ls "$IMGDL_LIBRARY"; ls "$IMGDL_LIBRARY/.imgdl"'
        """)
      let lines = ending.output.split(separator: "\n").map { String($0) }
      #expect(
        lines.contains("add: 0") && lines.contains("remove: 0"), "\(ending.output)\(ending.errors)")
      #expect(!lines.contains("list"))
      #expect(lines.contains("reserve"), "the blocks are kept again")
    }
  }
}
