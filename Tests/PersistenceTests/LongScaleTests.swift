import Foundation
import Models
import Persistence
import PersistenceSQLite
import TestSupport
import StoreContracts
import Testing

/// A million resources. Prints figures; only what may never be is a failure, because a shared
/// machine makes no promise about time.
///
/// `IMGDL_LONG=1 swift test -c release --filter LongScale`
@Suite(
  "A million resources",
  .enabled(if: ProcessInfo.processInfo.environment["IMGDL_LONG"] != nil, "set IMGDL_LONG"))
struct LongScaleTests {
  private let count = 1_000_000

  @Test("A million resources are appended, listed, walked, changed and removed in bounded memory")
  func million() async throws {
    let folder = try TemporaryFolder()
    let opening = SQLiteStoreOpening()
    var store = try await opening.open(folder: folder.path)
    let before = peakMemory()

    let source = try store.beginSource(SourceDraft(key: "k", location: "list"))
    let record = try store.appendRecord(
      RecordDraft(source: source, title: "t", folder: "f"))
    try measure("append \(count) in batches of 2,000") {
      for batch in 0..<(count / 2_000) {
        try store.appendResources(drafts(2_000, from: batch * 2_000), to: record)
      }
    }
    try measure("complete") { try store.completeSource(source) }
    for offset in [0, count / 2, count - 100] {
      try measure("resources(of:offset: \(offset), limit: 100)") {
        let window = try store.resources(of: record, offset: offset, limit: 100)
        #expect(window.first?.index == offset + 1)
      }
    }
    try measure("records, totals and recordCount") {
      let totals = try store.totals()
      let records = try store.recordCount()
      let list = try store.records(offset: 0, limit: 100)
      #expect(totals.queued == count && records == 1 && list.count == 1)
    }
    try settle(store)
    try look(store)
    print("peak memory of the test: \(before) kB before, \(peakMemory()) kB after")
    #expect(peakMemory() - before < 64_000)
    await store.reader.close()
    try measure("close") { store.close() }
    store = try await opening.open(folder: folder.path)
    try measure("open again and totals") {
      let totals = try store.totals()
      #expect(totals.finished == count)
    }
    let reader = store.reader
    let check = try await ContinuousClock().measure {
      let problems = try await reader.integrityProblems()
      #expect(problems == [])
    }
    print("integrityProblems: \(check)")
    try measure("insert 1,000 at the top and read across") {
      _ = try store.insertResources(drafts(1_000, from: count), into: record, at: .top)
      let window = try store.resources(of: record, offset: 950, limit: 100)
      #expect(window.map(\.index) == Array(count + 951...count + 1_000) + Array(1...50))
    }
    try measure("requeueAll") {
      let queued = try store.perform(.reload, on: record)
      #expect(queued == count + 1_000)
    }
    try measure("giveUpQueued") {
      let settled = try store.perform(.cancel(reason: "cancelled"), on: record)
      #expect(settled == count + 1_000)
    }
    try measure("removeRecord") { try store.removeRecord(record) }
    await store.closeWithReader()
  }

  /// The whole queue in windows of 256, each through two changes as the engine makes them.
  private func settle(_ store: any LibraryStore) throws {
    var windows: [Duration] = []
    var writes: [Duration] = []
    let clock = ContinuousClock()
    let start = clock.now
    while true {
      var window: [Resource] = []
      windows.append(
        try clock.measure {
          window = try store.resources(in: .queued, after: nil, limit: 256)
        })
      if window.isEmpty { break }
      let stored = window.map { resource in
        ResourceChange.stored(
          resource.id,
          StoredFile(
            name: "\(resource.index)-a-name.jpg", byteCount: 26_000,
            digest: digest(of: resource.id), format: .jpeg,
            validator: Validator(entityTag: EntityTag("\"5f3e-1a2b\"")), mediaType: "image/jpeg",
            answer: StoredFile.Answer(request: request(of: resource.id), asOf: resource.id)))
      }
      let page = Page(number: 1, width: 480, height: 360, thumbnail: "ab/abcdef-p1-256.jpg")
      let finished = window.map { ResourceChange.finished($0.id, pages: [page], reason: nil) }
      writes.append(try clock.measure { try store.apply(stored) })
      writes.append(try clock.measure { try store.apply(finished) })
    }
    print("settled all in \(start.duration(to: clock.now))")
    print("window of 256: median \(median(windows)), worst \(windows.max() ?? .zero)")
    print("apply of 256: median \(median(writes)), worst \(writes.max() ?? .zero)")
  }

  /// Finds 512 of a million files by request and by content.
  private func look(_ store: any LibraryStore) throws {
    var generator = SeededGenerator(seed: 1)
    var answers: [Duration] = []
    var holders: [Duration] = []
    for _ in 0..<20 {
      let ids = (0..<512).map { _ in
        ResourceID(.random(in: 1...Int64(count), using: &generator))
      }
      answers.append(
        try ContinuousClock().measure {
          let found = try store.answers(to: ids.map(request(of:)))
          #expect(found.count == Set(ids).count)
        })
      holders.append(
        try ContinuousClock().measure {
          let found = try store.holders(of: ids.map(digest(of:)), limit: 4)
          #expect(found.count == Set(ids).count)
        })
    }
    print("answers to 512 requests: median \(median(answers)), worst \(answers.max() ?? .zero)")
    print("holders of 512 contents: median \(median(holders)), worst \(holders.max() ?? .zero)")
  }

  /// As scattered as hashes are.
  private func digest(of id: ResourceID) -> Digest {
    var generator = SeededGenerator(seed: UInt64(id.rawValue))
    return Digest(
      words: (generator.next(), generator.next(), generator.next(), generator.next()))
  }

  private func request(of id: ResourceID) -> RequestKey {
    var generator = SeededGenerator(seed: ~UInt64(id.rawValue))
    return RequestKey(high: generator.next(), low: generator.next())
  }

  private func drafts(_ count: Int, from first: Int) -> [ResourceDraft] {
    (first..<first + count).map {
      ResourceDraft(url: "https://images.example.com/collection/\($0 / 1_000)/\($0).jpg")
    }
  }

  private func median(_ values: [Duration]) -> Duration {
    values.isEmpty ? .zero : values.sorted()[values.count / 2]
  }

  private func measure(_ what: String, _ body: () throws -> Void) throws {
    let time = try ContinuousClock().measure(body)
    print("\(what): \(time)")
  }

  /// Peak resident memory of the process in kB.
  private func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
