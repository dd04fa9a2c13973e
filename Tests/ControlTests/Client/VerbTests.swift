import Control
import LibraryAPI
import Manifests
import Models
import Testing
import TestSupport

@Suite("Verbs through the socket")
struct VerbTests {
  private static func options() throws -> RequestOptions {
    var options = RequestOptions()
    try options.set("network.headers", to: .list(["A: b", "C: d"]))
    try options.set("network.idleTimeout", to: .text("1.5"))
    options.cookies = "h\tFALSE\t/\tFALSE\t0\ta\tb\n"
    options.netrc = "machine h"
    options.expectations = [.init("network.insecure", .flag(true), option: "-k")]
    return options
  }

  @Test("add accepts URLs, files and standard input, with every option, and returns the result")
  func add() async throws {
    let options = try Self.options()
    var first = SourceRequest(location: .url(try Samples.url()))
    first.options = options
    let requests = [
      first,
      SourceRequest(location: .file("/a b/\u{e9}.json"), format: .jsonLines, again: true),
      SourceRequest(
        location: .standardInput(spool: #filePath), format: .text, isLazy: true,
        since: ResourceID(5), displayName: "http://h/[1-3].png"),
    ]
    try await withClient { (stage, client) async throws in
      for (request, change) in zip(requests, AddResult.FileChange.allCases) {
        let result = try await client.add(request)
        #expect(result.fileChange == change && result.isUnderWay == !request.again)
        #expect(result.outcome == (request.again ? .appended : .continued))
        #expect(result.entryCount == 3)
        #expect(result.problems == ["line 4: \"\u{1b}[31m\" is no URL"])
        #expect(result.problemCount == 7)
        #expect(result.began == ResourceID(41))
      }
      #expect(await stage.library.requests == requests)
      #expect(await stage.library.records.count == 3)
      try await client.setOptions(options, of: RecordID(1))
      #expect(await stage.library.options == options)
      #expect(await stage.library.recordOfOptions == RecordID(1))
      try await client.setOptions(RequestOptions(), of: nil)
      #expect(await stage.library.options.isEmpty)
      _ = try? await client.resource(at: try Samples.url(), .cached, options)
      #expect(await stage.library.options == options)
    }
  }

  @Test("refresh and more return the new records")
  func sources() async throws {
    try await withClient { (stage, client) async throws in
      let record = await stage.library.insert("a", queued: 1)
      let result = try await client.refresh(record)
      #expect(
        result
          == RefreshResult(
            isUnchanged: false, newRecords: [RecordID(77)], newEntries: 2,
            problems: ["a \u{1f600}"]))
      #expect(try await client.loadMore(record) == 20)
      #expect(await stage.library.records[record]?.counts.queued == 21)
    }
  }

  @Test("pause and resume accept one record or the library")
  func pausing() async throws {
    try await withClient { (stage, client) async throws in
      let a = await stage.library.insert("a", queued: 5)
      await stage.library.insert("b", queued: 6)
      #expect(try await client.pause(a) == 5)
      #expect(await stage.library.records[a]?.isPaused == true)
      #expect(try await client.resume(a) == 5)
      #expect(await stage.library.records[a]?.isPaused == false)
      #expect(try await client.pause(nil) == 11)
      #expect(try await client.status().isPaused)
      #expect(try await client.resume(nil) == 11)
      #expect(try await client.status().isPaused == false)
    }
  }

  @Test("cancel, retry, reload, remove and reset have their effects")
  func changes() async throws {
    try await withClient { (stage, client) async throws in
      let a = await stage.library.insert("a", queued: 5, finished: 2)
      let b = await stage.library.insert("b", failed: 3)
      #expect(try await client.cancel(a) == 5)
      #expect(await stage.library.records[a]?.counts.failed == 5)
      #expect(try await client.retry(b) == 3)
      #expect(try await client.retry(nil) == 5)
      #expect(try await client.reload(a) == 7)
      let bad = [ResourceID(7), ResourceID(8)]
      #expect(try await client.requeue(bad, reason: "the file is \"gone\"") == 2)
      #expect(await stage.library.requeued[bad[1]] == "the file is \"gone\"")
      try await client.remove(a)
      #expect(await stage.library.records.keys.map(\.self) == [b])
      try await client.reset()
      #expect(await stage.library.records.isEmpty)
    }
  }

  @Test("a removal keeps files if it is told to, and names the files that cannot be deleted")
  func leftovers() async throws {
    try await withClient { (stage, client) async throws in
      let (a, b) = (await stage.library.insert("a"), await stage.library.insert("b"))
      #expect(try await client.remove(a, keepingFiles: true).isEmpty)
      #expect(await stage.library.recordsWithKeptFiles == [a])
      var left = Leftovers()
      for number in 1...30 { left.append("cannot remove /l/\(number): Operation not permitted") }
      await stage.library.leave(left)
      #expect(try await client.remove(b) == left)
      #expect(left.count == 30 && left.descriptions.count == Leftovers.limit)
      #expect(await stage.library.recordsWithKeptFiles == [a])
      #expect(try await client.reset() == left)
    }
  }

  @Test("limits and priorities are received")
  func settings() async throws {
    try await withClient { (stage, client) async throws in
      let record = await stage.library.insert("a")
      try await client.setConcurrency(16)
      try await client.setPerHost(3)
      try await client.setRateLimit(500 << 10)
      let status = try await client.status()
      #expect(status.rateLimit == 500 << 10)
      #expect(status.concurrency == 16)
      #expect(status.perHost == 3)
      for priority in RecordPriority.allCases {
        try await client.setPriority(priority, of: record)
        #expect(await stage.library.records[record]?.priority == priority)
      }
    }
  }

  @Test(
    "a resource is returned with all of its properties", arguments: CachePolicy.allCases)
  func resource(_ policy: CachePolicy) async throws {
    let url = try Samples.url()
    let resource = try Samples.resource()
    try await withClient { (stage, client) async throws in
      await stage.library.put(resource, at: url, policy)
      #expect(try await client.resource(at: url, policy) == resource)
    }
  }

  @Test("the status is returned with all of its properties")
  func status() async throws {
    try await withClient { (stage, client) async throws in
      await stage.library.change { $0 = Samples.status() }
      #expect(try await client.status() == Samples.status())
    }
  }

  @Test("a viewer can set, change and clear its view, and leave")
  func viewers() async throws {
    try await withClient { (stage, client) async throws in
      let viewer = ViewerID(1)
      await client.setVisibleRange(0..<20, of: RecordID(1), for: viewer)
      await client.setVisibleRange(20..<40, of: RecordID(1), for: viewer)
      await client.setVisibleRange(5..<5, of: RecordID(2), for: viewer)
      let looks = await stage.library.looks
      #expect(looks.count == 1)
      #expect(looks.values.first == [RecordID(1): 20..<40, RecordID(2): 5..<5])
      await client.clearVisibleRange(of: RecordID(1), for: viewer)
      #expect(await stage.library.looks.values.first == [RecordID(2): 5..<5])
      await client.clearVisibleRange(of: nil, for: viewer)
      #expect(await stage.library.looks.isEmpty)
      await client.setVisibleRange(1..<2, of: RecordID(1), for: viewer)
      #expect(await stage.library.looks.count == 1)
    }
  }

  @Test("viewers of two programs are distinct even with equal names, and end with their program")
  func viewersOfPrograms() async throws {
    try await withClient { (stage, client) async throws in
      let other = try await stage.connect()
      await client.setVisibleRange(0..<1, of: RecordID(1), for: ViewerID(1))
      await other.setVisibleRange(1..<2, of: RecordID(1), for: ViewerID(1))
      await other.setVisibleRange(2..<3, of: RecordID(1), for: ViewerID(2))
      #expect(await stage.library.looks.count == 3)
      await other.close()
      try await stage.library.viewers.until { $0.count == 1 }
      #expect(await stage.library.looks.values.first == [RecordID(1): 0..<1])
    }
  }

  @Test("a long call does not delay others")
  func parallel() async throws {
    try await withClient(MemoryLibrary(isOpen: false)) { (stage, client) async throws in
      let request = SourceRequest(location: .file("/list"))
      async let long = client.add(request)
      try await stage.library.gate.untilWaiting()
      for _ in 0..<20 { _ = try await client.status() }
      stage.library.gate.open()
      let records = try await long.records
      #expect(records == [RecordID(1)])
    }
  }
}
