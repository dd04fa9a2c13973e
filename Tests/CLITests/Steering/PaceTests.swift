import Glibc
import Origin
import Synchronization
import SystemCalls
import Testing

/// What the servers see of limits: when they are asked, and by how many at the same time.
@Suite struct PaceTests {
  @Test(
    "a host that answers 429 is not asked again for now, and nineteen others do not wait for it")
  func busyHost() async throws {
    let addresses = (2...20).map { "127.0.0.\($0)" }
    try await Rig.run({
      $0.addresses = addresses
      $0.latency = .milliseconds(20)
    }) { rig in
      let busy = try ScriptedServer { _, _, _ in
        [.send(Reply.bytes((429, []), fields: ["Retry-After: 86400"]))]
      }
      defer { busy.stop() }
      var urls: [String] = []
      for number in 1...8 {
        urls.append(busy.url + "\(number).png")
        for address in addresses {
          let name = "\(address)-\(number).png"
          try rig.serve(name, Sample.image(urls.count))
          urls.append("http://\(address):\(rig.origin.port)/\(name)")
        }
      }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let program = try rig.start([
        "add", "-j", "40", "--max-per-host", "2", "--set", "network.retryCeiling=86400", list,
      ])
      await rig.answers(8 * 19, to: program)
      #expect(program.isRunning && rig.wholeLog().count == 8 * 19)
      // Two may have been on their way at the same time.
      #expect((1...2).contains(busy.requests.count))
      program.signal(SIGINT)
      await expect(program, endsWith: 7)
    }
  }

  @Test("a host that answers 429 waits as long as it says")
  func waiting() async throws {
    try await Rig.run { rig in
      let asked = Mutex<[Double]>([])
      let busy = try ScriptedServer { _, _, request in
        let count = asked.withLock { times in
          times.append(Self.now)
          return times.count
        }
        guard count > 1 else {
          return [.send(Reply.bytes((429, []), fields: ["Retry-After: 2"]))]
        }
        return [.send(Reply.bytes((200, Sample.image(count))))]
      }
      defer { busy.stop() }
      let list = try rig.write("list.txt", busy.url + "1.png")
      let ending = try await rig.imgdl("add", list)
      #expect(ending.code == 0, "\(ending.errors)")
      let times = asked.withLock(\.self)
      try #require(times.count == 2)
      #expect(times[1] - times[0] >= 2_000, "asked again after \(times[1] - times[0]) ms")
    }
  }

  @Test("transfers at the server follow a limit that falls and rises")
  func changedLimit() async throws {
    try await Rig.run({ $0.rate = 128 << 10 }) { rig in
      let urls = try (0..<44).map { number in
        try rig.serve("\(number).png", Sample.image(number) + Sample.bytes(40_000 + number * 900))
      }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let program = try rig.start(["add", "-j", "8", "--max-per-host", "8", list])
      await rig.answers(8, to: program)
      #expect(try await rig.imgdl("concurrency", "2").code == 0)
      let fallen = Self.now
      // Those that were under way, and some that began under the limit alone.
      await rig.answers(rig.origin.log.entries.count + 18, to: program)
      let rising = Self.now
      #expect(try await rig.imgdl("concurrency", "6").code == 0)
      await expect(program, endsWith: 0)
      let log = rig.wholeLog()
      // Those that were under way when the limit fell have ended.
      let settled = log.filter { $0.start.monotonic < fallen }.map(\.end.monotonic).max() ?? 0
      func active(at time: Double) -> Int {
        log.count { $0.start.monotonic <= time && time < $0.end.monotonic }
      }
      let starts = log.map(\.start.monotonic)
      #expect(starts.filter { $0 < fallen }.map(active).max() == 8)
      let under = starts.filter { settled < $0 && $0 < rising }
      #expect(under.count > 2 && under.allSatisfy { active(at: $0) <= 2 })
      let after = starts.filter { $0 >= rising }
      #expect(after.map(active).max() == 6)
    }
  }

  /// The clock of the server's log, in milliseconds.
  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e6 }
}
