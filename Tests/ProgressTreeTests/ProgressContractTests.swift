import Foundation
import Models
import ProgressTree
import TestSupport
import Testing
import Wiring

/// What both adapters of the progress port promise.
@Suite("Progress contract")
struct ProgressContractTests {
  typealias Adapter = LockedProgressTree.Adapter

  private let record = RecordID(1)
  private let other = RecordID(2)

  private func tree(_ adapter: Adapter, total: Int = 4) -> LockedProgressTree {
    let tree = LockedProgressTree(adapter, clock: HandClock())
    tree.addRecord(record, title: "flags", total: total, finished: 0, failed: 0)
    return tree
  }

  private func expectFraction(
    _ fraction: Double, _ expected: Double, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(abs(fraction - expected) < 1e-12, "\(fraction)", sourceLocation: location)
  }

  @Test("An empty library has no progress", arguments: Adapter.allCases)
  func empty(_ adapter: Adapter) {
    let tree = LockedProgressTree(adapter)
    #expect(tree.snapshot() == LibraryProgress())
    tree.addRecord(record, title: "nothing", total: 0, finished: 0, failed: 0)
    #expect(tree.snapshot().fraction == 0)
    #expect(tree.snapshot().records.map(\.fraction) == [0])
  }

  @Test("Download counts 90, unzip 5, render 5, and settling the rest", arguments: Adapter.allCases)
  func weights(_ adapter: Adapter) throws {
    let tree = tree(adapter)
    let counter = tree.activate(ResourceID(1), in: record, label: "a.zip")
    counter.expect(1_000)
    counter.set(received: 500)
    expectFraction(tree.snapshot().fraction, 0.45 / 4)
    counter.set(received: 1_000)
    expectFraction(tree.snapshot().fraction, 0.9 / 4)
    tree.setStage(.unzipping, of: ResourceID(1))
    expectFraction(tree.snapshot().fraction, 0.9 / 4)
    tree.setStage(.rendering, of: ResourceID(1))
    expectFraction(tree.snapshot().fraction, 0.95 / 4)
    tree.complete(ResourceID(1), failed: false)
    expectFraction(tree.snapshot().fraction, 1.0 / 4)
    expectFraction(try #require(tree.snapshot().records.first).fraction, 1.0 / 4)
  }

  @Test("Counts, activities and active resources are reported", arguments: Adapter.allCases)
  func counts(_ adapter: Adapter) {
    let tree = tree(adapter)
    tree.addRecord(other, title: "photos", total: 3, finished: 1, failed: 1)
    let counter = tree.activate(ResourceID(7), in: other, label: "b")
    counter.expect(nil)
    counter.set(received: 10)
    _ = tree.activate(ResourceID(2), in: record, label: "a")
    tree.setStage(.rendering, of: ResourceID(2))
    _ = tree.activate(ResourceID(1), in: record, label: "c")
    tree.complete(ResourceID(1), failed: true)
    let progress = tree.snapshot()
    #expect(progress.total == 7)
    #expect(progress.finished == 1)
    #expect(progress.failed == 2)
    #expect(progress.activity == ActivityCounts(downloading: 1, rendering: 1))
    #expect(progress.records.map(\.id) == [record, other])
    #expect(progress.records.map(\.title) == ["flags", "photos"])
    #expect(progress.records.map(\.failed) == [1, 1])
    #expect(
      progress.records.map(\.activity) == [
        ActivityCounts(rendering: 1), ActivityCounts(downloading: 1),
      ])
    #expect(
      progress.active == [
        ActiveResource(id: ResourceID(2), record: record, label: "a", activity: .rendering),
        ActiveResource(
          id: ResourceID(7), record: other, label: "b",
          activity: .downloading(received: 10, expected: nil), connections: 1),
      ])
    counter.set(connections: 8)
    #expect(tree.snapshot().active.map(\.connections) == [nil, 8])
  }

  @Test("Bytes of an earlier attempt do not count as moved, and are not taken back")
  func restartOfResumed() {
    let tree = tree(.allCases[0])
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(100, from: 50)
    counter.set(received: 60)
    counter.expect(100)
    #expect(tree.snapshot().bytes == 0)
    counter.set(received: 10)
    #expect(tree.snapshot().bytes == 10)
  }

  @Test("An unknown length that becomes known counts from then on", arguments: Adapter.allCases)
  func lateLength(_ adapter: Adapter) {
    let tree = tree(adapter, total: 1)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(nil)
    counter.set(received: 100)
    #expect(tree.snapshot().fraction == 0)
    counter.expect(200, from: 100)
    expectFraction(tree.snapshot().fraction, 0.45)
  }

  @Test("A fraction is below 1 as long as something runs", arguments: Adapter.allCases)
  func neverTooEarly(_ adapter: Adapter) throws {
    let tree = tree(adapter, total: 1)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(10)
    // More than was promised.
    counter.set(received: 1_000)
    for stage in ResourceStage.allCases {
      tree.setStage(stage, of: ResourceID(1))
      #expect(tree.snapshot().fraction < 1)
      #expect(try #require(tree.snapshot().records.first).fraction < 1)
    }
    tree.complete(ResourceID(1), failed: false)
    #expect(tree.snapshot().fraction == 1)
    // A record that says one resource and has two.
    tree.addRecord(other, title: "two", total: 1, finished: 1, failed: 0)
    _ = tree.activate(ResourceID(3), in: other, label: "b")
    #expect(tree.snapshot().fraction < 1)
    #expect(tree.snapshot().total == 3)
  }

  @Test(
    "Bytes of a suspended resource that are kept count in the fraction until it begins again",
    arguments: Adapter.allCases)
  func keptBytes(_ adapter: Adapter) throws {
    let tree = tree(adapter)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(100)
    counter.set(received: 60)
    tree.suspend(ResourceID(1), keepsBytes: true)
    #expect(tree.snapshot().active.isEmpty)
    expectFraction(tree.snapshot().fraction, 0.54 / 4)
    expectFraction(try #require(tree.snapshot().records.first).fraction, 0.54 / 4)
    _ = tree.activate(ResourceID(1), in: record, label: "a")
    #expect(tree.snapshot().fraction == 0)
    counter.set(received: 60)
    tree.suspend(ResourceID(1), keepsBytes: true)
    tree.addRecord(record, title: "flags", total: 4, finished: 4, failed: 0)
    #expect(tree.snapshot().fraction == 1)
  }

  @Test(
    "A suspended resource is neither active nor settled, and may begin again",
    arguments: Adapter.allCases)
  func suspending(_ adapter: Adapter) {
    let tree = tree(adapter)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(100)
    counter.set(received: 60)
    tree.suspend(ResourceID(1))
    #expect(tree.snapshot().active.isEmpty)
    #expect(tree.snapshot().fraction == 0)
    #expect(tree.snapshot().bytes == 60)
    let next = tree.activate(ResourceID(1), in: record, label: "a")
    next.expect(100, from: 60)
    expectFraction(tree.snapshot().fraction, 0.54 / 4)
    next.set(received: 100)
    #expect(tree.snapshot().bytes == 100)
    tree.complete(ResourceID(1), failed: false)
    tree.complete(ResourceID(1), failed: false)
    tree.suspend(ResourceID(1))
    expectFraction(tree.snapshot().fraction, 0.25)
  }

  @Test(
    "A transfer that starts over takes back the bytes that it discards", arguments: Adapter.allCases
  )
  func startingOver(_ adapter: Adapter) {
    let tree = tree(adapter, total: 1)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(100)
    counter.set(received: 80)
    #expect(tree.snapshot().bytes == 80)
    counter.expect(100)
    counter.set(received: 50)
    #expect(tree.snapshot().bytes == 50)
    expectFraction(tree.snapshot().fraction, 0.45)
  }

  @Test("Totals may grow and shrink while things run", arguments: Adapter.allCases)
  func changingTotals(_ adapter: Adapter) {
    let tree = tree(adapter)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(100)
    counter.set(received: 100)
    expectFraction(tree.snapshot().fraction, 0.9 / 4)
    tree.addRecord(record, title: "more", total: 10, finished: 5, failed: 0)
    expectFraction(tree.snapshot().fraction, 5.9 / 10)
    tree.addRecord(other, title: "other", total: 10, finished: 0, failed: 0)
    expectFraction(tree.snapshot().fraction, 5.9 / 20)
    tree.removeRecord(record)
    #expect(tree.snapshot().fraction == 0)
    #expect(tree.snapshot().total == 10)
    #expect(tree.snapshot().active.isEmpty)
    tree.complete(ResourceID(1), failed: false)
    #expect(tree.snapshot().finished == 0)
  }

  @Test("A resource of an unknown record is ignored", arguments: Adapter.allCases)
  func unknownRecord(_ adapter: Adapter) {
    let tree = tree(adapter)
    let counter = tree.activate(ResourceID(1), in: RecordID(99), label: "a")
    counter.set(received: 5)
    #expect(tree.snapshot().active.isEmpty)
    #expect(tree.snapshot().bytes == 0)
    tree.complete(ResourceID(1), failed: true)
    #expect(tree.snapshot().failed == 0)
  }

  @Test("A snapshot lists the requested records", arguments: Adapter.allCases)
  func selection(_ adapter: Adapter) {
    let tree = LockedProgressTree(adapter)
    for id in [5, 3, 9, 1] as [Int64] {
      tree.addRecord(RecordID(id), title: "\(id)", total: 2, finished: 0, failed: 0)
    }
    _ = tree.activate(ResourceID(1), in: RecordID(9), label: "a")
    _ = tree.activate(ResourceID(2), in: RecordID(3), label: "a")
    #expect(tree.snapshot().records.map(\.id.rawValue) == [1, 3, 5, 9])
    #expect(tree.snapshot(of: .active).records.map(\.id.rawValue) == [3, 9])
    let some: Set = [RecordID(5), RecordID(1), RecordID(77)]
    #expect(tree.snapshot(of: .only(some)).records.map(\.id.rawValue) == [1, 5])
    #expect(tree.snapshot(of: .only([])).total == 8)
  }

  @Test("Any sequence of changes gives the same numbers with both adapters")
  func sameNumbers() throws {
    var generator = SeededGenerator(seed: 7)
    let trees = Adapter.allCases.map { LockedProgressTree($0, clock: HandClock()) }
    var counters: [[TransferCounter]] = []
    for step in 0..<4_000 {
      let record = RecordID(Int64.random(in: 1...12, using: &generator))
      let resource = ResourceID(Int64.random(in: 1...40, using: &generator))
      let total = Int.random(in: 0...977, using: &generator)
      let finished = Int.random(in: 0...(total / 2), using: &generator)
      let number = Int64.random(in: 0...1_000_003, using: &generator)
      let action = Int.random(in: 0...9, using: &generator)
      let stage = ResourceStage.allCases.randomElement(using: &generator) ?? .rendering
      switch action {
      case 0:
        for tree in trees {
          tree.addRecord(record, title: "r", total: total, finished: finished, failed: 1)
        }
      case 1 where step % 10 == 0: for tree in trees { tree.removeRecord(record) }
      case 2...4: counters.append(trees.map { $0.activate(resource, in: record, label: "x") })
      case 5: for tree in trees { tree.complete(resource, failed: number % 2 == 0) }
      case 6: for tree in trees { tree.suspend(resource) }
      case 7: for tree in trees { tree.setStage(stage, of: resource) }
      default:
        for counter in counters.last ?? [] {
          counter.expect(number)
          counter.set(received: number / 3)
        }
      }
      let snapshots = trees.map { $0.snapshot() }
      try expectSame(snapshots[0], snapshots[1])
    }
  }

  private func expectSame(_ a: LibraryProgress, _ b: LibraryProgress) throws {
    func rounded(_ progress: LibraryProgress) -> LibraryProgress {
      var progress = progress
      progress.fraction = (progress.fraction * 1e11).rounded()
      for index in progress.records.indices {
        progress.records[index].fraction = (progress.records[index].fraction * 1e11).rounded()
      }
      return progress
    }
    try #require(rounded(a) == rounded(b))
    try #require((0...1).contains(a.fraction))
    try #require(a.fraction < 1 || a.active.isEmpty)
  }

  @Test("Changes of eight threads give exact counts", arguments: Adapter.allCases)
  func threads(_ adapter: Adapter) {
    let tree = LockedProgressTree(adapter)
    let threads = 8
    let each = 300
    for thread in 0..<threads {
      tree.addRecord(
        RecordID(Int64(thread)), title: "", total: each, finished: 0, failed: 0)
    }
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let record = RecordID(Int64((thread + 1) % threads))
      for number in 0..<each {
        let id = ResourceID(Int64(thread * each + number))
        let counter = tree.activate(id, in: record, label: "x")
        counter.expect(100)
        counter.set(received: 40)
        if number % 7 == 0 {
          tree.suspend(id)
          let again = tree.activate(id, in: record, label: "x")
          again.expect(100, from: 40)
          again.set(received: 100)
        } else {
          counter.set(received: 100)
        }
        tree.setStage(.rendering, of: id)
        if number % 16 == 0 { #expect(tree.snapshot().fraction < 1) }
        tree.complete(id, failed: number % 10 == 0)
      }
    }
    let progress = tree.snapshot()
    #expect(progress.fraction == 1)
    #expect(progress.failed == threads * each / 10)
    #expect(progress.finished == threads * each * 9 / 10)
    #expect(progress.bytes == Int64(threads * each * 100))
    #expect(progress.active.isEmpty)
    #expect(progress.activity == ActivityCounts())
    #expect(progress.records.allSatisfy { $0.fraction == 1 && $0.bytes == Int64(each * 100) })
  }

  @Test("The tree of Progress is accessed under its lock only")
  func root() {
    let tree = tree(.foundation)
    let counter = tree.activate(ResourceID(1), in: record, label: "a")
    counter.expect(100)
    counter.set(received: 50)
    let seen = tree.withRoot { ($0.totalUnitCount, $0.fractionCompleted) }
    #expect(seen?.0 == 4)
    expectFraction(seen?.1 ?? 0, 0.45 / 4)
    let none = self.tree(.counters).withRoot { $0.totalUnitCount }
    #expect(none == nil)
  }

  @Test("Both adapters are registered in the catalogue", arguments: ["foundation", "counters"])
  func plugin(_ name: String) throws {
    var catalogue = Catalogue()
    ProgressPlugin.register(in: &catalogue)
    var container = try Container(catalogue, choosing: ["progress": name])
    let tracking = try container.resolve(.progress)
    let tree = try #require(tracking as? LockedProgressTree)
    #expect((tree.withRoot { _ in true } ?? false) == (name == "foundation"))
  }
}
