import SystemCalls
import Testing

/// A disk without one free block, and the library on it.
@Suite struct FullDiskTests {
  @Test(
    "a disk without a free block can be looked at and emptied with imgdl",
    .enabled(if: DiskTests.canMount, "mounting needs root"),
    arguments: ["remove 1 --yes", "reset --yes"])
  func emptied(by removal: String) async throws {
    try await Rig.run { rig in
      let big = try (1...6).map { try rig.serve("big-\($0).bin", Sample.bytes(200_000 + $0)) }
      let first = try rig.write("first.txt", big.joined(separator: "\n"))
      let second = try rig.write(
        "second.txt", try rig.servePictures("b", 2).joined(separator: "\n"))
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
