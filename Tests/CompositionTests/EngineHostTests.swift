import Engine
import LibraryAPI
import Models
import Synchronization
import Testing
import TestSupport
@testable import Composition

/// A library whose engine is replaced while others ask it.
@Suite struct HeldLibraryTests {
  /// Opens engines with a store that lives in memory; those of the given numbers cannot be opened.
  private static func opener(
    _ folder: TemporaryFolder, failing: Set<Int> = []
  ) -> @Sendable (Settings) async throws -> Engine {
    let count = Mutex(0)
    let next: @Sendable () -> Int = {
      count.withLock { count in
        count += 1
        return count
      }
    }
    return { settings in
      guard !failing.contains(next()) else { throw LibraryError(.diskFull, "the disk is full") }
      var settings = settings
      settings.adapters.store = "memory"
      return try await LibraryOpener.openEngine(at: folder.path + "/library", settings: settings)
    }
  }

  @Test("a new engine has new settings; numbers of events and listeners continue")
  func replacing() async throws {
    let folder = try TemporaryFolder()
    let held = try await EngineHost(
      Settings(), onEvent: { _ in }, opening: Self.opener(folder))
    var events = await held.eventStream().makeAsyncIterator()
    try await held.start()
    try await held.setConcurrency(3)
    let first = try #require(await events.next())
    var settings = Settings()
    settings.network.maxConcurrentDownloads = 9
    try await held.replace(with: settings)
    #expect(try await held.status().concurrency == 9, "a new store: nothing was changed in it")
    try await held.setConcurrency(4)
    let second = try #require(await events.next())
    #expect(second.kind == .concurrencyChanged(4) && second.seq == first.seq + 1)
    await held.close()
    #expect(await events.next() == nil)
    await #expect(throws: LibraryError.self) { try await held.status() }
  }

  @Test(
    "an engine that cannot be opened is tried again automatically; meanwhile calls report the reason"
  )
  func recovering() async throws {
    let folder = try TemporaryFolder()
    let (news, tell) = AsyncStream.makeStream(of: EngineHost.Event.self)
    let held = try await EngineHost(
      Settings(), recovery: (0.05, 0.1), onEvent: { tell.yield($0) },
      opening: Self.opener(folder, failing: [2, 3, 4]))
    try await held.start()
    let failure = LibraryError(.diskFull, "the disk is full")
    await #expect(throws: failure) { try await held.replace(with: Settings()) }
    var failures: [LibraryError] = []
    var begun = 0
    for await one in news {
      if case .failed(let error, _) = one { failures.append(error) }
      if case .began = one { begun += 1 }
      if begun == 2 { break }
    }
    #expect(failures == [failure, failure, failure])
    #expect(try await held.status().active == 0)
    await held.close()
  }

  @Test("an engine that the full disk has ended is not replaced before there is room")
  func fullDisk() async throws {
    let folder = try TemporaryFolder()
    let free = Watched<Int64>(100)
    let looks = Watched(0)
    let opened = Mutex(0)
    let open = Self.opener(folder, failing: [2])
    let (news, tell) = AsyncStream.makeStream(of: EngineHost.Event.self)
    let held = try await EngineHost(
      Settings(), recovery: (0.001, 0.002), onEvent: { tell.yield($0) },
      freeBytes: {
        looks.update { $0 += 1 }
        return free.value
      },
      opening: { settings in
        opened.withLock { $0 += 1 }
        return try await open(settings)
      })
    try await held.start()
    await #expect(throws: LibraryError.self) { try await held.replace(with: Settings()) }
    // The replacement had 100 free bytes at its start, and no more are free.
    try await looks.until { $0 > 20 }
    #expect(opened.withLock { $0 } == 2)
    free.update { $0 = 1 << 40 }
    var begun = 0
    for await one in news {
      if case .began = one { begun += 1 }
      if begun == 2 { break }
    }
    #expect(try await held.status().active == 0)
    await held.close()
  }

  @Test("calls during the replacement of the engine wait for the next one")
  func waiting() async throws {
    let folder = try TemporaryFolder()
    let held = try await EngineHost(
      Settings(), onEvent: { _ in }, opening: Self.opener(folder))
    try await held.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<5 { group.addTask { try await held.replace(with: Settings()) } }
      for _ in 0..<50 { group.addTask { _ = try? await held.pause(nil) } }
      try await group.waitForAll()
    }
    try await held.setPerHost(5)
    #expect(try await held.status().perHost == 5)
    await held.close()
  }
}
