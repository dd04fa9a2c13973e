import Glibc
import Origin
import SystemCalls
import Testing

/// A large source is interrupted; the same command again goes on with its bytes.
@Suite struct SourceKillTests {
  @Test("an add that is killed or interrupted continues with Range", arguments: [SIGKILL, SIGINT])
  func resumed(_ signal: Int32) async throws {
    try await Rig.run {
      // Seconds long, so that it is killed in the middle, also on a busy machine; and its row was
      // written long before.
      $0.rate = 400 << 10
    } _: { rig in
      let url = try rig.serve("scan.raw", Sample.bytes(3_000_000))
      let program = try rig.start(["add", url])
      #expect(await program.waits(for: { partBytes(rig) >= 300_000 }), "\(program.errors)")
      program.signal(signal)
      let ending = await program.ending()
      #expect(ending.signal == 9 || ending.code == 7, "\(ending.errors)")

      let again = try await rig.imgdl("add", "--json", url)
      #expect(again.code == 0, "\(again.errors)")
      #expect(again.output.contains("\"event\":\"reading\""))
      #expect(again.output.contains("\"total\":3000000"))
      #expect(try await rig.records().map(\.status) == ["Finished"])
      try await rig.expectOriginals()
      #expect(try rig.incoming() == [])
      let log = rig.wholeLog()
      #expect(log.count == 2 && log.first?.range == nil)
      let first = log.last?.range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
      #expect(try #require(first) >= 300_000, "\(String(describing: log.last?.range))")
    }
  }

  private func partBytes(_ rig: Rig) -> Int64 {
    let folder = rig.library + "/.imgdl/incoming"
    let names = ((try? FileSystem.list(folder)) ?? []).map(\.name)
    return names.compactMap { try? FileSystem.status(folder + "/" + $0).size }.max() ?? 0
  }
}
