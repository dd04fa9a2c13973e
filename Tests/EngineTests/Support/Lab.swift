import Archive
import LibraryAPI
import Markup
import MarkupDocuments
import MarkupGumbo
import MarkupLibxml
import Models
import Persistence
import PersistenceMemory
import PersistenceSQLite
import ProgressTree
import Synchronization
import SystemCalls
import TestSupport
import Transport
@testable import Engine

/// A library in a temporary folder, with fakes on every side of the engine.
///
/// The web has pictures: `http://HOST/p/N.png` is picture N, always the same. What a test wants
/// otherwise it writes down in `web`. Everything but the engine outlives `open`: that is how a
/// second run of the program is played.
final class Lab {
  let folder: TemporaryFolder
  /// What is on the database's disk.
  let disk: LibraryDisk
  var archive = ScriptedArchiveReader()
  /// What reads archives, if not the scripted ones.
  var archiveReader: (any ArchiveReader)?
  /// Reads markup in this process.
  var markup: any MarkupReader = DocumentReader(html: GumboParser(), xml: LibxmlParser())
  var settings = Settings()
  var bootID = "boot-1"
  let clock: ManualClock
  /// What the engines go through to `web`; nil: it is their transport.
  var transport: (any Transport)?
  var random: any RandomSource = SystemRandomSource()
  /// What the disk refuses to add to the library's folder; nil: nothing.
  var refusal: ConfinedFolder.Refusal?
  /// How engines wait for the disk.
  var sync = LibrarySync.syncFileSystem
  private(set) var web = FakeTransport(fallback: Lab.answer)
  private(set) var renderer = FakeRenderer()
  private(set) var progress = LockedProgressTree(.counters)
  /// What the store of the process was asked.
  private(set) var store: RecordingStore.Log

  static let list = "http://h/list.txt"

  init(
    clock: ManualClock = ManualClock(turnsByItself: true),
    folder: TemporaryFolder? = nil, disk: sending any LibraryStore = MemoryStore()
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.disk = LibraryDisk(disk)
    store = RecordingStore.Log()
    self.clock = clock
    settings.durability = .relaxed
  }

  /// With the real database, for much: the one in memory goes through all of it for each question.
  /// To be closed by `lab.disk.close()`.
  static func withDatabase(
    clock: ManualClock = ManualClock(turnsByItself: true)
  ) async throws -> Lab {
    let folder = try TemporaryFolder()
    let internals = LibraryLayout(root: folder.path).internals
    try FileSystem.makeFolders(internals)
    return try Lab(
      clock: clock, folder: folder, disk: try await SQLiteStoreOpening().open(folder: internals))
  }

  var layout: LibraryLayout { LibraryLayout(root: folder.path) }

  static func url(_ number: Int, host: String = "h") -> String { "http://\(host)/p/\(number).png" }

  /// Picture N; no two are alike.
  static func image(_ number: Int) -> [UInt8] {
    TestPicture.png(
      width: 3, height: 2, red: UInt8(truncatingIfNeeded: number),
      green: UInt8(truncatingIfNeeded: number >> 8), blue: UInt8(truncatingIfNeeded: number >> 16))
  }

  private static func answer(_ url: String, _ count: Int) -> FakeAnswer {
    let parts = url.split(separator: "/")
    guard parts.count == 4, parts[2] == "p", let number = Int(parts[3].dropLast(4)) else {
      return FakeAnswer(status: 404)
    }
    return .file(image(number))
  }

  /// Makes the fakes of a process anew; call it before `web` and `renderer` are set up for a
  /// second run.
  func newProcess() {
    web = FakeTransport(fallback: Lab.answer)
    renderer = FakeRenderer()
    progress = LockedProgressTree(.counters)
    store = RecordingStore.Log()
  }

  /// An engine that has not been started.
  func open(
    overriding: Set<String> = [],
    judge: @escaping @Sendable (String, [ResourceChange], Int) -> RecordingStore.Verdict = {
      _, _, _ in .pass
    },
    holding: @escaping @Sendable (String) -> Gate? = { _ in nil }
  ) async throws -> Engine {
    let store = RecordingStore(disk, judge: judge, holding: holding)
    self.store = store.log
    var ports = EnginePorts(
      transport: transport ?? web, archive: archiveReader ?? archive, markup: markup,
      renderer: renderer,
      progress: progress, clock: clock, random: random)
    ports.sync = sync
    ports.refusal = refusal
    return try await Engine.open(
      root: folder.path, settings: settings, ports: ports,
      opening: GivenStoreOpening(store), bootID: bootID, overriding: overriding)
  }

  func started() async throws -> Engine {
    let engine = try await open()
    try await engine.start()
    return engine
  }

  /// What a resource asks for whose list came from a host without a known address.
  static func request(of resource: Resource) -> RequestKey {
    var naming = RequestNaming(common: HTTPFields())
    return naming.name(resource.url, resource.fields, isPublic: true).request
  }

  func serveList(_ urls: [String], at url: String = Lab.list) {
    web.serve(url, FakeAnswer(body: Array(urls.joined(separator: "\n").utf8)))
  }

  /// - Parameter tag: of the list; a list without one is always new.
  func serveList(_ urls: [String], at url: String = Lab.list, tag: String) {
    web.serve(
      url, FakeAnswer(body: Array(urls.joined(separator: "\n").utf8)).with("ETag", "\"\(tag)\""))
  }

  func serveImages(_ numbers: ClosedRange<Int>, at url: String = Lab.list) {
    serveList(numbers.map { Lab.url($0) }, at: url)
  }

  static func request(
    _ url: String = Lab.list, again: Bool = false, isLazy: Bool = false
  ) throws -> SourceRequest {
    SourceRequest(location: .url(try HTTPURL(url)), again: again, isLazy: isLazy)
  }

  /// Adds, works until nothing is left, and stops.
  @discardableResult
  func run(_ url: String = Lab.list, again: Bool = false) async throws -> AddResult {
    let engine = try await started()
    let result = try await engine.add(Lab.request(url, again: again))
    try await engine.waitUntilIdle()
    await engine.stop()
    return result
  }

  /// Waits until the rows are such.
  func untilCommitted(_ isMet: (ResourceCounts) -> Bool) async throws {
    try await untilApplied { isMet(try await disk.totals()) }
  }

  /// Looks after each write.
  func untilApplied(_ isMet: () async throws -> Bool) async throws {
    while true {
      let count = store.appliedCount.value
      if try await isMet() { return }
      try await store.appliedCount.until { $0 > count }
    }
  }

  /// The folder of the database, which an engine makes otherwise.
  func makeInternals() throws -> String {
    try FileSystem.makeFolders(layout.internals)
    return layout.internals
  }

  // The state afterwards

  func records() async throws -> [Record] { try await disk.records(offset: 0, limit: 10_000) }

  func resources(_ record: Record) async throws -> [Resource] {
    try await disk.resources(of: record.id, offset: 0, limit: 100_000)
  }

  func allResources() async throws -> [Resource] {
    var all: [Resource] = []
    for record in try await records() { all += try await resources(record) }
    return all
  }

  func bytes(_ resource: Resource, _ record: Record) throws -> [UInt8]? {
    guard let file = resource.file else { return nil }
    return try FileSystem.contents(of: layout.original(file, in: record), limit: 1 << 26)
  }

  /// Names in a folder of the library, sorted.
  func names(_ path: String) throws -> [String] {
    try FileSystem.list(folder.path + "/" + path).map(\.name).sorted()
  }

  var incomingFiles: [String] { (try? names(".imgdl/incoming")) ?? ["no folder"] }
}

/// All waits between two attempts are as long as they can be.
struct LongestWaits: RandomSource {
  func next() -> UInt64 { .max }
}
