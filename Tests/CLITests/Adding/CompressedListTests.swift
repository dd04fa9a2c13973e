import TestSupport
import Testing

/// `add` of lists that are compressed as files, from standard input.
@Suite struct CompressedListTests {
  @Test("a compressed list from standard input is added, and --dry-run tells how it is read")
  func standardInput() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 2)
      let json = Array("[\"\(urls[0])\"]".utf8)
      let table = Array("url,name\n\(urls[1]),b\n".utf8)
      for (list, format) in [(GzipMember.of(json), "json"), (ZstdFrame.of(table), "csv")] {
        let preview = try await rig.imgdl(["add", "--dry-run", "-"], input: list)
        #expect(preview.code == 0, "\(preview.errors)")
        #expect(preview.errors.contains("read as \(format): 1 record, 1 resource"))
        let ending = try await rig.imgdl(["add", "-"], input: list)
        #expect(ending.code == 0, "\(ending.errors)")
      }
      #expect(try await (rig.resources() + rig.resources(2)).map(\.url) == urls)
    }
  }
}
