import Testing
@testable import Aria2

@Suite struct QueueTests {
  static let pages: [(Int, Int, [Int])] = [
    (0, 2, [1, 2]), (1, 2, [2, 3]), (3, 9, [4, 5]), (4, 1, [5]), (5, 1, []), (0, 0, []),
    (.max, .max, []), (0, .max, [1, 2, 3, 4, 5]),
    // A negative offset counts from the end, and the page is in reverse order.
    (-1, 1, [5]), (-1, 2, [5, 4]), (-1, 9, [5, 4, 3, 2, 1]), (-2, 2, [4, 3]), (-5, 2, [1]),
    (-6, 2, []),
    (.min, 2, []), (-1, .max, [5, 4, 3, 2, 1]), (-1, 1_000, [5, 4, 3, 2, 1]),
  ]

  @Test("pages are those of aria2", arguments: pages)
  func paging(offset: Int, count: Int, expected: [Int]) {
    let list = (1...5).compactMap { GID(rawValue: $0) }
    let page = DownloadQueue.page(list, offset: offset, count: count)
    #expect(page.map { Int($0.rawValue) } == expected)
  }

  @Test("the first download that is not paused is found after every change of the queue")
  func startable() throws {
    var queue = DownloadQueue()
    var random = SystemRandomNumberGenerator()
    let gids = (1...12).compactMap { GID(rawValue: $0) }
    for gid in gids {
      queue.add(Download(gid, uris: ["u"], options: OptionValues(), status: .paused))
    }
    for _ in 0..<3_000 {
      let gid = try #require(gids.randomElement(using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: queue.setStatus(.paused, of: gid)
      case 1: queue.setStatus(.waiting, of: gid)
      case 2: queue.setStatus(.active, of: gid)
      case 3, 4:
        let index = Int.random(in: 0..<12, using: &random)
        _ = queue.move(gid) { _, _ in index }
      default:
        queue.setStatus(.removed, of: gid)
        queue.removeResult(gid)
        let status: Download.Status = Bool.random(using: &random) ? .paused : .waiting
        queue.add(
          Download(gid, uris: ["u"], options: OptionValues(), status: status),
          at: Int.random(in: 0..<12, using: &random))
      }
      let first = queue.waiting.first { queue[$0]?.status == .waiting }
      #expect(queue.firstStartable() == first)
    }
  }

  @Test(
    "the time for a removal does not depend on the paused downloads", .timeLimit(.minutes(60)))
  func manyPaused() throws {
    var fixture = try Fixture()
    for number in 1...36_000 as ClosedRange<UInt64> {
      let gid = try #require(GID(rawValue: number))
      fixture.machine.queue.add(
        Download(gid, uris: ["u"], options: OptionValues(), status: .paused))
    }
    for number in 1...4_000 {
      let result = try fixture.call("aria2.remove", "[\"\(fixture.gid(number))\"]")
      guard result.hasSuffix("\(fixture.gid(number))\"") else {
        Issue.record("\(result)")
        return
      }
    }
    #expect(fixture.machine.unfinishedCount == 32_000)
  }

  @Test(
    "a GID is 1 to 16 hexadecimal digits, not all of them 0",
    arguments: [
      ("1", "0000000000000001"), ("00000000000000ff", "00000000000000ff"),
      ("ABC", "0000000000000abc"),
      ("ffffffffffffffff", "ffffffffffffffff"), ("0", nil), ("", nil), ("10000000000000000", nil),
      ("g", nil), ("-1", nil), ("+1", nil), ("0x1", nil), ("\u{ff11}", nil),
    ] as [(String, String?)])
  func gids(text: String, expected: String?) {
    #expect(GID(text)?.description == expected)
  }
}
