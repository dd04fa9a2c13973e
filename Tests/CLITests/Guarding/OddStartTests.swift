import SystemCalls
import Testing

/// Programs that are started in ways that nobody has in mind.
@Suite struct OddStartTests {
  @Test(
    "closed standard streams are no files of the library",
    arguments: ["<&- >&- 2>&-", "<&-", ">&-", "2>&-"])
  func closedStreams(closing: String) async throws {
    try await Rig.run { rig in
      let list = try rig.write(
        "l.txt", try rig.servePictures("p", 3).joined(separator: "\n"))
      let ending = try await rig.shell(
        """
        imgdl-cli add \(list) \(closing); imgdl-cli add none.json \(closing)
        imgdl-cli verify --read-data; echo "verify: $?"
        """)
      #expect(ending.output.contains("verify: 0"), "\(ending.output)\(ending.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
    }
  }

  @Test("a file in place of the library is told, not taken for an empty library")
  func fileAsLibrary() async throws {
    try await Rig.run { rig in
      let file = try rig.write("file", "text")
      for verb in ["list", "show"] {
        let words = verb == "show" ? ["show", "1"] : ["list"]
        let ending = try await rig.imgdl(words + ["-d", file])
        #expect(ending.code == 6 && ending.errors.contains("is not a folder"), "\(ending)")
      }
    }
  }
}
