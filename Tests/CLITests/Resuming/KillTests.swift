import Origin
import SystemCalls
import TestSupport
import Testing

/// The program dies at any moment; the same command again finishes the job.
@Suite struct KillTests {
  @Test(
    "killed six times in the middle of transfers, then run once more: nothing is lost or fetched twice"
  )
  func killed() async throws {
    try await Rig.run {
      $0.latency = .milliseconds(20)
      // A whole run takes long enough to be killed in it, also on a busy machine.
      $0.rate = 12 << 10
    } _: { rig in
      let urls = try (1...40).map { number in
        try rig.serve("\(number).bin", Sample.bytes(size(of: number)))
      }
      let source = try rig.serve("list.json", Sample.json(urls))
      var random = SeededGenerator(seed: 7)
      var finished: Set<String> = []
      var kills = 0
      for _ in 0..<12 where kills < 6 {
        let before = rig.origin.log.entries.count
        let program = try rig.start(["add", "-j", "4", source])
        // Some responses later, so that it is never the same moment.
        let wanted = before + Int.random(in: 1...4, using: &random)
        await rig.answers(wanted, to: program)
        program.signal(9)
        let ending = await program.ending()
        #expect(ending.signal == 9 || ending.code == 0, "\(ending.errors)")
        if ending.signal == 9, try hasUnfinishedParts(rig) { kills += 1 }
        #expect(Set(requested(rig, since: before)).isDisjoint(with: finished))
        for resource in try await rig.resources() where resource.status == "finished" {
          finished.insert(resource.url)
        }
      }
      #expect(kills == 6, "kills that hit active transfers")

      let before = rig.origin.log.entries.count
      let last = try await rig.imgdl("add", "-j", "4", source)
      #expect(last.code == 0, "\(last.errors)")
      #expect(Set(requested(rig, since: before)).isDisjoint(with: finished))
      let records = try await rig.records()
      #expect(records.map(\.total) == [40])
      #expect(records.map(\.status) == ["Finished"])
      #expect(try await rig.resources().map(\.url) == urls)
      try await rig.expectOriginals()
      #expect(try rig.files().count == 40)
      #expect(try rig.incoming() == [])
      #expect(rig.wholeLog().count { !$0.isComplete } >= 6, "the server saw them too")
    }
  }

  /// URLs of resources that were asked for since then.
  private func requested(_ rig: Rig, since count: Int) -> [String] {
    rig.origin.log.entries.dropFirst(count).map { rig.url(String($0.target.dropFirst())) }
      .filter { $0.hasSuffix(".bin") }
  }

  /// Whether a partial file is there that is shorter than its original: a transfer was active.
  private func hasUnfinishedParts(_ rig: Rig) throws -> Bool {
    let whole = Set((1...40).map { Int64(size(of: $0)) })
    return try rig.incoming().contains { name in
      guard name.hasSuffix(".part") else { return false }
      let part = try FileSystem.status(rig.library + "/.imgdl/incoming/" + name)
      return part.size > 0 && !whole.contains(part.size)
    }
  }

  /// So different that transfers never end together.
  private func size(of number: Int) -> Int { 6_000 + number * 7_919 % 16_000 }
}
