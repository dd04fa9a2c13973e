import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Caches on disk: what was used longest ago goes first, originals of records never (RM4).
@Suite(.timeLimit(.minutes(60))) struct EvictionTests {
  private func ask(
    _ engine: Engine, _ number: Int, _ policy: CachePolicy = .cached
  ) async throws -> CachedResource {
    let found = try await engine.resource(at: HTTPURL(Lab.url(number)), policy)
    try await engine.waitUntilIdle()
    return found
  }

  /// The pictures that are kept for callers, those used longest ago first.
  private func kept(_ lab: Lab) async throws -> [Int] {
    let record = try #require(try await lab.disk.standaloneRecord())
    var numbers: [String: Int] = [:]
    for resource in try await lab.resources(record) {
      numbers[resource.id.description] = Int(resource.url.dropFirst(11).dropLast(4))
    }
    return try await lab.names(in: .standalone).compactMap { numbers[$0] }
  }

  @Test(
    "Beyond the maximum count the least recently used file is evicted; a hit makes a file recent")
  func count() async throws {
    let lab = try Lab()
    lab.settings.cache.count = 3
    let engine = try await lab.started()
    for number in 1...3 { _ = try await ask(engine, number) }
    #expect(try await ask(engine, 1).isFromLibrary)
    _ = try await ask(engine, 4)
    #expect(try await kept(lab) == [3, 1, 4])
    #expect(try await !ask(engine, 2).isFromLibrary)
    #expect(try await kept(lab) == [1, 4, 2])
    // Asking the server is a use, too.
    _ = try await ask(engine, 1, .validated)
    _ = try await ask(engine, 5)
    #expect(try await kept(lab) == [2, 1, 5])
    await engine.stop()
    #expect(try FileSystem.list(lab.layout.standalone).count == 3)
    try await lab.checkLibrary()
  }

  @Test("Beyond the maximum size the least recently used files are evicted, as many as needed")
  func bytes() async throws {
    let lab = try Lab()
    lab.settings.cache.bytes = 1_000
    let engine = try await lab.started()
    func fetch(_ name: String, _ size: Int) async throws {
      lab.web.serve("http://h/\(name)", .file([UInt8](repeating: UInt8(size & 255), count: size)))
      _ = try await engine.resource(at: HTTPURL("http://h/\(name)"), .cached)
      try await engine.waitUntilIdle()
    }
    try await fetch("a", 400)
    try await fetch("b", 300)
    try await fetch("c", 200)
    #expect(try await lab.disk.size(of: .standalone) == CacheSize(count: 3, bytes: 900))
    try await fetch("d", 550)
    let record = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(record).map(\.url) == ["http://h/c", "http://h/d"])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "A file that is larger than the cache is not kept, and its caller gets an error with the reason"
  )
  func tooLarge() async throws {
    let lab = try Lab()
    lab.settings.cache.bytes = 100
    let engine = try await lab.started()
    lab.web.serve("http://h/a", .file([UInt8](repeating: 1, count: 500)))
    _ = try? await engine.resource(at: HTTPURL("http://h/a"), .cached)
    try await engine.waitUntilIdle()
    await engine.stop()
    let record = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(record).isEmpty)
    try await lab.checkLibrary()
  }

  @Test("Originals of records are never evicted, also if callers have requested the same files")
  func originals() async throws {
    let lab = try Lab()
    lab.settings.cache.count = 1
    lab.settings.rendering.thumbnails = false
    lab.serveImages(1...5, at: "http://192.168.0.1/list.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request("http://192.168.0.1/list.txt"))
    try await engine.waitUntilIdle()
    _ = try await ask(engine, 1, .validated)
    _ = try await ask(engine, 2, .validated)
    _ = try await ask(engine, 9)
    #expect(try await kept(lab) == [9])
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 5)
    try await lab.checkLibrary()
  }

  @Test("Thumbnails keep within the count, and the newest stay")
  func renditions() async throws {
    let lab = try Lab()
    lab.settings.cache.count = 4
    lab.settings.network.maxConcurrentDownloads = 1
    lab.settings.rendering.workers = 1
    lab.serveImages(1...12)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    await engine.stop()
    let names = try await lab.names(in: .renditions)
    #expect(names.count == 4)
    #expect(try await lab.disk.totals().finished == 12)
    try await lab.checkLibrary()
  }

  @Test(
    "Evicted pages of an archive are rendered again when they are viewed, without a request"
  )
  func renewal() async throws {
    let lab = try Lab()
    lab.settings.cache.count = 8
    let zip = lab.archive.archive(
      "pages", [.init("1.png", Lab.image(1)), .init("2.png", Lab.image(2))])
    lab.web.serve("http://h/a.zip", .file(zip))
    lab.serveList(["http://h/a.zip"], at: "http://h/a.txt")
    lab.serveImages(10...20, at: "http://h/b.txt")
    let engine = try await lab.started()
    let id = try await engine.add(Lab.request("http://h/a.txt")).records[0]
    try await engine.waitUntilIdle()
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await engine.waitUntilIdle()
    let resource = try #require(try await lab.disk.resources(of: id, offset: 0, limit: 1).first)
    let names = try await lab.disk.pages(of: resource.id).compactMap(\.file)
    let paths = names.map { lab.layout.rendition($0) }
    #expect(paths.count == 2 && !paths.contains { FileSystem.exists($0) })
    let events = await EventRecorder(engine)
    await engine.setVisibleRange(0..<1, of: id, for: ViewerID(1))
    try await events.until(.finished(resource.id, record: id))
    try await engine.waitUntilIdle()
    #expect(paths.allSatisfy { FileSystem.exists($0) })
    #expect(engine.snapshot().records.first { $0.id == id }?.finished == 1)
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 12)
    #expect(lab.web.requests(for: "http://h/a.zip").count == 1)
    try await lab.checkLibrary()
  }

  @Test("Pages that cannot be cached together are not rendered again and again")
  func noRenewal() async throws {
    let lab = try Lab()
    lab.settings.cache.count = 3
    let zip = lab.archive.archive(
      "pages", [.init("1.png", Lab.image(1)), .init("2.png", Lab.image(2))])
    lab.web.serve("http://h/a.zip", .file(zip))
    lab.serveList(["http://h/a.zip", Lab.url(1)])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let writes = lab.store.writeCount
    let resources = try await lab.allResources()
    await engine.run { $0.renewals.renewPages(of: resources) }
    try await engine.waitUntilIdle()
    #expect(lab.store.writeCount == writes)
    await engine.stop()
  }

  @Test("A smaller cache.count takes effect at the next start")
  func smallerCount() async throws {
    let lab = try Lab()
    lab.serveImages(1...10)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    for number in 21...26 { _ = try await ask(engine, number) }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.names(in: .renditions).count == 10)
    lab.newProcess()
    lab.settings.cache.count = 2
    let next = try await lab.started()
    try await next.waitUntilIdle()
    #expect(try await kept(lab) == [25, 26])
    #expect(try await lab.names(in: .renditions).count == 2)
    await next.stop()
    #expect(try FileSystem.list(lab.layout.standalone).count == 2)
    try await lab.checkLibrary()
  }

  @Test("Files are evicted in the order of their last use, for any requests", arguments: 0..<4)
  func randomOrder(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let lab = try Lab()
    lab.settings.cache.count = 5
    let engine = try await lab.started()
    var expected: [Int] = []
    for _ in 0..<60 {
      let number = Int.random(in: 1...9, using: &random)
      let found = try await ask(engine, number)
      #expect(found.isFromLibrary == expected.contains(number))
      expected.removeAll { $0 == number }
      expected = (expected + [number]).suffix(5)
      #expect(try await kept(lab) == expected)
    }
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Many simultaneous callers keep the cache within its bounds, and each gets its file")
  func atOnce() async throws {
    let lab = try Lab()
    lab.settings.cache.count = 4
    let engine = try await lab.started()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        let number = index * 7 % 23
        group.addTask {
          // One that was evicted at once, or while it was read, is told so or asks again.
          guard let found = try? await engine.resource(at: HTTPURL(Lab.url(number)), .cached),
            let bytes = try? FileSystem.contents(of: found.path)
          else { return }
          #expect(bytes == Lab.image(number))
        }
      }
      try await group.waitForAll()
    }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.names(in: .standalone).count <= 4)
    try await lab.checkLibrary()
  }
}
