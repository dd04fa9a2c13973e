import Models
import Persistence
import Testing

@testable import Engine

@Suite struct QueueScanTests {
  private static func ids(_ numbers: Int64...) -> [ResourceID] { numbers.map { ResourceID($0) } }

  @Test("The queue is read by priorities, each behind the last resource that was loaded")
  func order() {
    var scan = QueueScan()
    #expect(scan.isComplete && scan.beginLoad(count: 2) == nil)
    scan.restart()
    let results: [(last: Int64?, isEnd: Bool)] = [
      (2, false), (4, true), (nil, true), (9, false), (nil, true),
    ]
    var loads: [Scheduler.Load] = []
    for result in results {
      guard let load = scan.beginLoad(count: 2) else { break }
      loads.append(load)
      #expect(scan.isLoading && !scan.isComplete)
      #expect(scan.endLoad(last: result.last.map { ResourceID($0) }, isEnd: result.isEnd) != nil)
      #expect(!scan.isLoading)
    }
    #expect(loads.map(\.priority) == [.high, .high, .normal, .low, .low])
    #expect(loads.map { $0.after?.rawValue } == [nil, 2, nil, nil, 9])
    #expect(scan.isComplete)
  }

  @Test("A result does not count if the queue changed during its query")
  func stale() {
    var scan = QueueScan()
    scan.restart()
    _ = scan.beginLoad(count: 2)
    scan.restart()
    #expect(scan.endLoad(last: ResourceID(2), isEnd: true) == nil)
    let load = scan.beginLoad(count: 2)
    #expect(load?.priority == .high && load?.after == nil)
    #expect(scan.endLoad(last: nil, isEnd: true) != nil)
  }

  @Test("Rows that are written during a query are told with its result, and only with that")
  func commits() {
    var scan = QueueScan()
    scan.restart()
    scan.recordCommits(of: Self.ids(1))
    for written in [Self.ids(2, 3), []] {
      _ = scan.beginLoad(count: 2)
      scan.recordCommits(of: written)
      let committed = scan.endLoad(last: ResourceID(5), isEnd: false)
      let all = Self.ids(1, 2, 3, 4, 5)
      #expect(all.filter { committed?.contains($0) ?? false } == written)
    }
  }
}
