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
