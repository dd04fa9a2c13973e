import LibraryAPI
import Models
import Persistence
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// A name that the file system refuses concerns one resource. Everything else goes on, and the library opens.
@Suite(.timeLimit(.minutes(60))) struct RefusedNameTests {
  enum Obstacle: CaseIterable, Sendable { case folder, fullFolder, fileAsRecordFolder }

  private let lab: Lab

  init() throws {
    lab = try Lab()
    lab.settings.network.retries = 0
    lab.serveImages(1...3)
  }

  private var target: String { lab.folder.path + "/list/0002-2.png" }

  private func obstruct(_ obstacle: Obstacle) throws {
    switch obstacle {
    case .folder: try FileSystem.makeFolders(target)
    case .fullFolder: try FileSystem.makeFolders(target + "/mine")
    case .fileAsRecordFolder:
      try FileSystem.removeTree(lab.folder.path + "/list")
      try FileSystem.replace(lab.folder.path + "/list", with: "mine")
    }
  }

  /// Downloads two of three resources; the second one can then be retried.
  private func addWithoutSecond() async throws {
    lab.web.serve(Lab.url(2), FakeAnswer(status: 404), .file(Lab.image(2)))
    try await lab.run()
  }

  @Test(
    "A resource whose name is taken fails with the reason, and the others are stored",
    arguments: Obstacle.allCases)
  func fails(obstacle: Obstacle) async throws {
    try await addWithoutSecond()
    lab.newProcess()
    try obstruct(obstacle)
    let engine = try await lab.started()
    #expect(try await engine.retry() == 1)
    try await engine.waitUntilIdle()
    let second = try #require(try await lab.allResources().dropFirst().first)
    #expect(second.state == .failed && second.file == nil)
    #expect(second.reason?.hasPrefix("its file cannot be stored: ") == true)
    #expect(lab.incomingFiles.isEmpty)
    lab.serveImages(7...8, at: "http://h/other.txt")
    let other = try await engine.add(Lab.request("http://h/other.txt")).records[0]
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.record(other)?.counts.finished == 2)
    for record in try await lab.records() { try await engine.remove(record.id) }
    #expect(try await lab.records().isEmpty)
    await engine.stop()
  }

  @Test(
    "A commit that a killed process has left and that cannot be done does not keep the library from opening",
    arguments: Obstacle.allCases)
  func recovers(obstacle: Obstacle) async throws {
    try await addWithoutSecond()
    lab.newProcess()
    let dying = try await lab.open { _, changes, _ in
      changes.contains { if case .stored = $0 { true } else { false } } ? .dieAfter : .pass
    }
    try await dying.start()
    _ = try? await dying.retry()
    _ = try? await dying.waitUntilIdle()
    await dying.stop()
    #expect(try await lab.disk.totals().stored == 1)
    try obstruct(obstacle)
    lab.newProcess()
    let engine = try await lab.started()
    try await engine.waitUntilIdle()
    let second = try #require(try await lab.allResources().dropFirst().first)
    #expect(second.state == .failed && second.file == nil)
    #expect(second.reason?.hasPrefix("its file cannot be stored: ") == true)
    #expect(lab.web.requests.isEmpty && lab.incomingFiles.isEmpty)
    try await engine.reset()
    #expect(try await lab.records().isEmpty)
    await engine.stop()
  }

  @Test("A commit whose name is too long for the file system is completed with a shorter name")
  func recoversLongName() async throws {
    try await addWithoutSecond()
    lab.newProcess()
    let record = try #require(try await lab.records().first)
    var first = try #require(try await lab.allResources().first)
    var file = try #require(first.file)
    let old = lab.layout.original(file, in: record)
    try FileSystem.rename(old, to: lab.layout.partial(of: Lab.request(of: first)))
    file.name = "0001-" + String(repeating: "n", count: 300) + ".png"
    try lab.disk.apply([.stored(first.id, file)])
    let engine = try await lab.started()
    try await engine.waitUntilIdle()
    await engine.stop()
    first = try #require(try await lab.allResources().first)
    let name = try #require(first.file?.name)
    #expect(first.state == .finished && name.utf8.count == 200)
    #expect(name.hasPrefix("0001-nnn") && name.hasSuffix("n.png"))
    #expect(try lab.bytes(first, record) == Lab.image(1))
  }

  @Test("An error of the whole library ends the engine, and fails no resource")
  func wholeLibrary() async throws {
    let probe = LibraryProbe(layout: lab.layout)
    try lab.layout.prepareFolders()
    let refused = SystemError(errno: 1, call: "rename")
    #expect(probe.concernsName(refused, in: lab.folder.path + "/list"))
    for code: Int32 in [5, 12, 23, 24, 28, 116, 122] {
      // EIO, ENOMEM, ENFILE, EMFILE, ENOSPC, ESTALE and EDQUOT never concern a name.
      #expect(!probe.concernsName(SystemError(errno: code, call: "rename"), in: lab.folder.path))
    }
    try FileSystem.removeTree(lab.layout.incoming)
    #expect(!probe.concernsName(refused, in: lab.folder.path + "/list"))
    #expect(try lab.names("") == [".imgdl"])
  }

  @Test("The longest accepted name is found by trying")
  func longestName() throws {
    try lab.layout.prepareFolders()
    let probe = LibraryProbe(layout: lab.layout)
    #expect(probe.longestName(upTo: 200) == 200)
    let limit = try #require(probe.longestName(upTo: 400))
    #expect((200...255).contains(limit))
    #expect(probe.acceptsFolder(String(repeating: "n", count: limit)))
    #expect(!probe.acceptsFolder(String(repeating: "n", count: limit + 1)))
    #expect(lab.incomingFiles.isEmpty)
  }
}
