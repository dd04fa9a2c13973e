import Engine
import Composition
import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import Wiring

/// The wired library, with every combination of adapters.
@Suite struct LibraryTests {
  struct Combination: Sendable, CustomTestStringConvertible {
    var transport: String
    var archive: String
    var store: String
    var progress: String

    var testDescription: String { "\(transport), \(archive), \(store), \(progress)" }

    static let all = ["socket", "url-session"].flatMap { transport in
      ["minizip", "libarchive"].flatMap { archive in
        ["sqlite", "memory"].flatMap { store in
          ["foundation", "counters"].map { progress in
            Combination(transport: transport, archive: archive, store: store, progress: progress)
          }
        }
      }
    }

    var settings: Settings {
      var settings = Settings()
      settings.adapters.transport = transport
      settings.adapters.archive = archive
      settings.adapters.store = store
      settings.adapters.progress = progress
      settings.rendering.workers = 1
      return settings
    }
  }

  @Test(
    "a collection is downloaded completely by every combination of adapters",
    arguments: Combination.all)
  func combination(_ combination: Combination) async throws {
    let bench = try Bench()
    try bench.serveCollection()
    let engine = try await LibraryOpener.openEngine(
      at: bench.library, settings: combination.settings)
    let result = try await bench.add(to: engine)
    #expect(result.outcome == .appended)
    let records = try await engine.reader.records(offset: 0, limit: 10)
    #expect(records.map(\.title) == ["one", "two"])
    #expect(records.map(\.counts.finished) == [2, 2])
    #expect(records.map(\.counts.failed) == [1, 0])
    let two = try await engine.reader.resources(of: records[1].id, offset: 0, limit: 10)
    #expect(two.map(\.pageCount) == [2, 1])
    let pages = try await engine.reader.pages(of: two[0].id)
    #expect(pages.map(\.label) == ["a.png", "b.png"])
    #expect(pages.map(\.width) == [6, 5])
    let progress = engine.snapshot()
    #expect(progress.settled == 5 && progress.failed == 1 && progress.fraction == 1)
    await engine.stop()
    #expect(FileSystem.exists(bench.library + "/one/0001-1.png"))
    #expect(FileSystem.exists(bench.library + "/two/0001-pages.zip"))
  }

  @Test("a closed library can be read without an engine")
  func looking() async throws {
    let bench = try Bench()
    #expect(try await LibraryOpener.openStore(at: bench.library, settings: Settings()) == nil)
    #expect(!FileSystem.exists(bench.library), "looking makes nothing")
    try bench.serveCollection()
    let engine = try await LibraryOpener.openEngine(at: bench.library, settings: Settings())
    _ = try await bench.add(to: engine)
    let beside = try #require(
      try await LibraryOpener.openStore(at: bench.library, settings: Settings()), "beside an engine"
    )
    #expect(try await beside.recordCount() == 2)
    await beside.close()
    await engine.stop()
    let after = try #require(
      try await LibraryOpener.openStore(at: bench.library, settings: Settings()))
    #expect(try await after.recordCount() == 2)
    await after.close()
  }

  @Test("reading a library needs only the store")
  func lookingAlone() async throws {
    let bench = try Bench()
    try FileSystem.makeFolders(bench.library + "/.imgdl")
    var settings = Settings()
    settings.adapters.transport = "unknown"
    let store = try #require(
      try await LibraryOpener.openStore(at: bench.library, settings: settings))
    #expect(try await store.recordCount() == 0)
    await store.close()
  }

  @Test("a library has one engine; a second one is refused with the process of the first")
  func locking() async throws {
    let bench = try Bench()
    let engine = try await LibraryOpener.openEngine(at: bench.library, settings: Settings())
    let error = await #expect(throws: LibraryError.self) {
      _ = try await LibraryOpener.openEngine(at: bench.library, settings: Settings())
    }
    #expect(error?.code == .locked)
    #expect(error?.detail.contains("\(Machine.processID)") == true)
    await engine.stop()
  }

  @Test("an adapter can be replaced for an experiment")
  func replacing() async throws {
    let bench = try Bench()
    try bench.serveCollection()
    let counters = LockedProgressTree(.counters)
    let engine = try await LibraryOpener.openEngine(at: bench.library, settings: Settings()) {
      $0.register("foundation", for: .progress) { _ in counters }
    }
    _ = try await bench.add(to: engine)
    await engine.stop()
    #expect(counters.snapshot().settled == 5)
  }

  @Test("a preview reports the contents of a source, and creates nothing")
  func preview() async throws {
    let bench = try Bench()
    try bench.serveCollection()
    let folder = bench.library + "-preview"
    try FileSystem.makeFolders(folder)
    let preview = try LibraryOpener.preview(folder: folder, settings: Settings())
    let told = Told()
    let result = try await preview.run(
      SourceRequest(location: .url(try bench.url("all.zip")))
    ) { told.add("\($0.record.title) \($0.url.split(separator: "/").last ?? "")") }
    await preview.close()
    #expect(result == PreviewResult(format: .zip, problems: []))
    #expect(told.all == ["one 1.png", "one none.png", "one 2.png", "two pages.zip", "two 3.png"])
    #expect(try FileSystem.list(folder) == [])
    #expect(!FileSystem.exists(bench.library))
  }
}
