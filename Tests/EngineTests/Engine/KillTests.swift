import LibraryAPI
import Models
import Persistence
import PersistenceSQLite
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// The program dies; the same command again finishes the job. Nothing is lost, nothing is fetched
/// twice, nothing is left over.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
  enum Death: String, CaseIterable, Sendable { case before, after }

  /// Pictures, an archive, a failure, and one that breaks off once.
  private func serveJob(_ lab: Lab) {
    let zip = lab.archive.archive("z", [.init("1.png", Lab.image(501))])
    lab.web.serve("http://h/a.zip", .file(zip))
    lab.web.serve(
      Lab.url(7), FakeAnswer.file(Lab.image(7)).cut(after: 40), .file(Lab.image(7)))
    lab.serveList((1...8).map { Lab.url($0) } + ["http://h/a.zip", "http://h/gone.png"])
  }

  /// Runs until the store dies or everything is done.
  /// - Returns: whether it died.
  private func runUntilDeath(
    _ lab: Lab, at number: Int, _ death: Death, rows: Int? = nil
  ) async throws -> Bool {
    let engine: Engine
    do {
      engine = try await lab.open { _, _, count in
        guard count == number else { return .pass }
        return death == .before ? .dieBefore : .dieAfter
      }
    } catch {
      // In the middle of the recovery.
      guard lab.store.isDead else { throw error }
      return true
    }
    do {
      if let rows { await engine.writeParts(of: rows) }
      try await engine.start()
      _ = try await engine.add(Lab.request())
      try await engine.waitUntilIdle()
    } catch {
      guard lab.store.isDead else { throw error }
    }
    let died = lab.store.isDead
    await engine.stop()
    return died
  }

  private func checkEnd(_ lab: Lab, settled: Set<String>, _ what: String) async throws {
    let records = try await lab.records()
    #expect(records.map(\.title) == ["list"], "\(what)")
    #expect(records.first?.counts.finished == 9, "\(what)")
    #expect(records.first?.counts.failed == 1, "\(what)")
    let again = settled.intersection(lab.web.requests.map(\.url))
    #expect(again.isEmpty, "fetched again: \(again), \(what)")
    try await lab.checkLibrary()
  }

  /// What needs no request any more.
  private func settled(_ lab: Lab) async throws -> Set<String> {
    Set(
      try await lab.allResources().filter { $0.state != .queued && $0.state != .stored }
        .map(\.url))
  }

  /// - Parameter rows: of each part of a batch, for deaths between the parts.
  @Test(
    "A run that is killed at each write in turn, before or after its effect, is continued",
    arguments: Death.allCases,
    [nil, 1])
  func eachWrite(death: Death, rows: Int?) async throws {
    var number = 1
    while true {
      let lab = try Lab()
      lab.settings.network.maxConcurrentDownloads = 2
      serveJob(lab)
      guard try await runUntilDeath(lab, at: number, death, rows: rows) else { break }
      let settled = try await settled(lab)
      lab.newProcess()
      serveJob(lab)
      // A complete file is not requested again, so the interrupted one is complete at once.
      try await lab.run()
      try await checkEnd(lab, settled: settled, "write \(number), \(death)")
      number += 1
    }
    #expect(number > 8)
  }

  @Test("A run that is killed again during the recovery is continued", arguments: Death.allCases)
  func duringRecovery(death: Death) async throws {
    for first in [4, 6, 8, 10] {
      let lab = try Lab()
      serveJob(lab)
      guard try await runUntilDeath(lab, at: first, death) else { continue }
      for second in 1...4 {
        lab.newProcess()
        serveJob(lab)
        _ = try await runUntilDeath(lab, at: second, death)
      }
      lab.newProcess()
      serveJob(lab)
      let settled = try await settled(lab)
      try await lab.run()
      let again = settled.intersection(lab.web.requests.map(\.url))
      #expect(again.isEmpty, "fetched again: \(again), write \(first), \(death)")
      try await checkEnd(lab, settled: settled, "write \(first), \(death)")
    }
  }

  private func bigFile() -> [UInt8] {
    var random = SeededGenerator(seed: 3)
    return [0, 1, 2, 3] + random.bytes(2 << 20)
  }

  /// Plays a kill after the first MiB of a big file.
  private func killInBigFile(_ lab: Lab, tag: String = "\"v1\"") async throws {
    let gate = Gate()
    lab.web.serve(
      "http://h/big.bin", FakeAnswer.file(bigFile(), tag: tag).held(by: gate, after: 1 << 20))
    lab.serveList(["http://h/big.bin"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    let memory = lab.disk
    try await lab.untilApplied { try await !memory.partials().isEmpty }
    lab.store.die()
    await engine.stop()
    lab.newProcess()
    lab.serveList(["http://h/big.bin"])
  }

  private func checkBigFile(_ lab: Lab, ranges: [String?]) async throws {
    try await lab.run()
    #expect(lab.web.requests(for: "http://h/big.bin").map(\.range) == ranges)
    let record = try #require(try await lab.records().first)
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished)
    #expect(try lab.bytes(resource, record) == bigFile())
    try await lab.checkLibrary()
  }

  @Test("A large file is continued at its end, if it has not changed")
  func bigFileGoesOn() async throws {
    let lab = try Lab()
    try await killInBigFile(lab)
    lab.web.serve("http://h/big.bin", .file(bigFile()))
    try await checkBigFile(lab, ranges: ["bytes=\(1 << 20)-"])
    #expect(lab.web.requests(for: "http://h/big.bin").map(\.ifRange) == ["\"v1\""])
  }

  @Test("A large file that has changed begins again")
  func bigFileChanged() async throws {
    let lab = try Lab()
    try await killInBigFile(lab)
    lab.web.serve("http://h/big.bin", .file(bigFile(), tag: "\"v2\""))
    try await checkBigFile(lab, ranges: ["bytes=\(1 << 20)-", nil])
  }

  @Test("After a crash of the machine unsynced bytes are not used")
  func otherBoot() async throws {
    let lab = try Lab()
    try await killInBigFile(lab)
    lab.bootID = "boot-2"
    lab.web.serve("http://h/big.bin", .file(bigFile()))
    try await checkBigFile(lab, ranges: [nil])
  }

  @Test(
    "A download whose partial file is missing, or a folder, begins again", arguments: [false, true])
  func partialFileGone(folder: Bool) async throws {
    let lab = try Lab()
    try await killInBigFile(lab)
    let id = try #require(try await lab.disk.partials().first)
    try FileSystem.removeTree(lab.layout.partial(of: id))
    if folder { try FileSystem.makeFolders(lab.layout.partial(of: id) + "/x") }
    lab.web.serve("http://h/big.bin", .file(bigFile()))
    try await checkBigFile(lab, ranges: [nil])
  }

  @Test(
    "A row is removed before other bytes are written to its file, so that versions are never mixed")
  func versionsNeverMeet() async throws {
    // v1 is killed in the middle; v2 is killed in the middle; then v1 is back.
    let lab = try Lab()
    try await killInBigFile(lab)
    let gate = Gate()
    var other = bigFile()
    other[100] ^= 1
    lab.web.serve(
      "http://h/big.bin", FakeAnswer.file(other, tag: "\"v2\"").held(by: gate, after: 100_000))
    let engine = try await lab.started()
    try await gate.untilWaiting()
    let memory = lab.disk
    try await lab.untilApplied { try await !memory.partials().isEmpty }
    lab.store.die()
    await engine.stop()
    lab.newProcess()
    lab.serveList(["http://h/big.bin"])
    lab.web.serve("http://h/big.bin", .file(bigFile()))
    // What is left of v2 is not continued by v1.
    try await checkBigFile(lab, ranges: ["bytes=100000-", nil])
  }

  @Test("Interrupted commits are completed without a request, or downloaded again")
  func storedRows() async throws {
    let lab = try Lab()
    lab.serveImages(1...4)
    // It dies after the rows say stored, before a file moves.
    let engine = try await lab.open { _, changes, _ in
      changes.contains { if case .stored = $0 { true } else { false } } ? .dieAfter : .pass
    }
    try await engine.start()
    _ = try await engine.add(Lab.request())
    _ = try? await engine.waitUntilIdle()
    await engine.stop()
    let stored = try await lab.allResources().filter { $0.state == .stored }
    let damaged = try #require(stored.first)
    // One of them was cut by the power failure, after it had moved.
    let record = try #require(try await lab.records().first)
    let path = lab.layout.original(try #require(damaged.file), in: record)
    try FileSystem.makeFolders(FileSystem.parentFolder(of: path))
    try FileSystem.replace(path, with: "")
    try lab.layout.folder.removeIfExists(lab.layout.partial(of: Lab.request(of: damaged)))
    lab.newProcess()
    lab.serveImages(1...4)
    try await lab.run()
    let asked = Set(lab.web.requests.map(\.url))
    #expect(asked.contains(damaged.url))
    #expect(asked.isDisjoint(with: stored.dropFirst().map(\.url)))
    #expect(try await lab.disk.totals().finished == 4)
    try await lab.checkLibrary()
  }

  @Test("The records and files of an interrupted add are removed")
  func interruptedAdd() async throws {
    let lab = try Lab()
    lab.serveImages(1...2_500)
    let engine = try await lab.open { name, _, number in
      name == "insertResources" && number == 4 ? .dieAfter : .pass
    }
    try await engine.start()
    _ = try? await engine.add(Lab.request())
    await engine.stop()
    #expect(try await lab.disk.incompleteSources().count == 1)
    _ = try lab.folder.write(".imgdl/incoming/source-1-2.part", [1])
    _ = try lab.folder.write(".imgdl/incoming/77.part", [1])
    _ = try lab.folder.write(".imgdl/incoming/3-entry-1", [1])
    lab.newProcess()
    let next = try await lab.open()
    #expect(lab.incomingFiles.isEmpty)
    #expect(try await lab.disk.incompleteSources().isEmpty)
    await next.stop()
    lab.newProcess()
    lab.serveImages(1...3)
    #expect(try await lab.run().outcome == .appended)
    #expect(try await lab.records().map(\.folder) == ["list"])
  }

  @Test("A second engine is refused with the process that holds the library, until it is stopped")
  func lock() async throws {
    let lab = try Lab()
    let engine = try await lab.open()
    do throws(any Error) {
      _ = try await lab.open()
      Issue.record("two engines")
    } catch let error as LibraryError {
      #expect(error.code == .locked)
      #expect(error.detail.contains("process \(Machine.processID)"))
    }
    await engine.stop()
    let next = try await lab.open()
    await next.stop()
  }

  @Test("With the real database, too, a killed run is continued")
  func sqlite() async throws {
    let lab = try Lab()
    lab.settings.durability = .full
    func open(_ store: any StoreOpening) async throws -> Engine {
      try await Engine.open(
        root: lab.folder.path, settings: lab.settings,
        ports: EnginePorts(
          transport: lab.web, archive: lab.archive, markup: lab.markup, renderer: lab.renderer,
          progress: lab.progress, clock: lab.clock),
        opening: store, bootID: "b")
    }
    lab.serveImages(1...40)
    let database = LibraryDisk(
      try await SQLiteStoreOpening().open(folder: lab.makeInternals()))
    let applied = Watched(0)
    let dying = RecordingStore(database) { name, _, _ in
      guard name == "apply" else { return .pass }
      let count = applied.update { count in
        count += 1
        return count
      }
      return count == 2 ? .dieAfter : .pass
    }
    let first = try await open(GivenStoreOpening(dying))
    try await first.start()
    _ = try await first.add(Lab.request())
    _ = try? await first.waitUntilIdle()
    await first.stop()
    let settled =
      try await database.resources(in: .finished, of: nil, after: nil, limit: 100)
      + database.resources(in: .fetched, of: nil, after: nil, limit: 100)
    await database.close()
    lab.newProcess()
    lab.serveImages(1...40)
    let second = try await open(SQLiteStoreOpening())
    try await second.start()
    #expect(try await second.add(Lab.request()).outcome == .continued)
    try await second.waitUntilIdle()
    #expect(try await second.reader.totals().finished == 40)
    #expect(try await second.reader.integrityProblems().isEmpty)
    await second.stop()
    #expect(Set(settled.map(\.url)).isDisjoint(with: lab.web.requests.map(\.url)))
    #expect(try lab.names("list").count == 40)
    #expect(lab.incomingFiles.isEmpty)
  }
}
