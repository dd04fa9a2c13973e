import Glibc
import LibraryAPI
import Models
import Persistence
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// Files that stay on the disk after their record was removed: since the user wants them, or since nobody can delete them.
@Suite(.timeLimit(.minutes(60))) struct KeptFileTests {
  private let lab: Lab

  init() throws {
    lab = try Lab()
    lab.serveImages(1...3)
    lab.serveImages(7...8, at: "http://h/other.txt")
  }

  private static let names = ["0001-1.png", "0002-2.png", "0003-3.png"]

  /// Downloads two records, and returns the first one.
  private func download(_ engine: Engine) async throws -> RecordID {
    let record = try #require(try await engine.add(Lab.request()).records.first)
    _ = try await engine.add(Lab.request("http://h/other.txt"))
    try await engine.waitUntilIdle()
    return record
  }

  @Test("A record is removed without its files, and a later record of the list has its own folder")
  func keeps() async throws {
    let engine = try await lab.started()
    let record = try await download(engine)
    #expect(try await engine.remove(record, keepingFiles: true).isEmpty)
    #expect(try await lab.records().map(\.title) == ["other"])
    #expect(try lab.names("list").sorted() == Self.names)
    lab.serveImages(1...3)
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    #expect(try lab.names("list (2)").sorted() == Self.names)
    try await engine.reset()
    #expect(try lab.names("list").sorted() == Self.names, "they are the user's own now")
    await engine.stop()
  }

  @Test("A kill during the removal of a record whose files stay deletes none of them")
  func killed() async throws {
    let engine = try await lab.open { name, _, _ in name == "removeRows" ? .dieBefore : .pass }
    try await engine.start()
    let record = try await download(engine)
    await #expect(throws: LibraryError.self) {
      try await engine.remove(record, keepingFiles: true)
    }
    await engine.stop()
    #expect(try await lab.disk.removedRecords().map(\.id) == [record])
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(try await lab.disk.removedRecords().isEmpty)
    #expect(try lab.names("list").sorted() == Self.names)
  }

  @Test(
    "A record whose files cannot be deleted is removed, and the files are named",
    .enabled(if: LockedFolder.isPossible), arguments: [false, true])
  func undeletable(isReset: Bool) async throws {
    let engine = try await lab.started()
    let record = try await download(engine)
    let folder = try LockedFolder(lab.folder.path + "/list")
    defer { folder.unlock() }
    let left = isReset ? try await engine.reset() : try await engine.remove(record)
    #expect(left.count == 3)
    #expect(left.descriptions.allSatisfy { $0.contains("/list/000") })
    #expect(try await lab.records().map(\.title) == (isReset ? [] : ["other"]))
    #expect(try lab.names("list").sorted() == Self.names)
    #expect(FileSystem.exists(lab.folder.path + "/other") != isReset)
    await engine.stop()
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    #expect(try await lab.disk.removedRecords().isEmpty)
    await next.stop()
  }

  @Test(
    "A removal that a kill interrupted is completed, and reports the files that cannot be deleted",
    .enabled(if: LockedFolder.isPossible))
  func undeletableLater() async throws {
    let engine = try await lab.open { name, _, _ in name == "removeRows" ? .dieBefore : .pass }
    try await engine.start()
    let record = try await download(engine)
    let folder = try LockedFolder(lab.folder.path + "/list")
    defer { folder.unlock() }
    await #expect(throws: LibraryError.self) { try await engine.remove(record) }
    await engine.stop()
    lab.newProcess()
    let next = try await lab.open()
    let events = await EventRecorder(next)
    try await next.start()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(try await lab.disk.removedRecords().isEmpty)
    let problems = events.kinds.filter {
      if case .problem(let text) = $0 { text.contains("/list/000") } else { false }
    }
    #expect(problems.count == 3)
  }

  @Test("A folder of the user in the place of a file neither keeps its record nor is named")
  func occupied() async throws {
    let engine = try await lab.started()
    let record = try await download(engine)
    let path = lab.folder.path + "/list/0002-2.png"
    try FileSystem.remove(path)
    try FileSystem.makeFolders(path + "/mine")
    #expect(try await engine.remove(record).isEmpty)
    #expect(try lab.names("list") == ["0002-2.png"])
    #expect(try await lab.records().map(\.title) == ["other"])
    await engine.stop()
  }
}

/// A folder in which nothing can be created or deleted: without write permission or, for root, immutable.
private struct LockedFolder {
  private let path: String

  init(_ path: String) throws {
    self.path = path
    chmod(path, 0o500)
    Self.setImmutable(path, true)
    try #require(access(path, W_OK) != 0 || Self.isImmutable(path))
  }

  func unlock() {
    Self.setImmutable(path, false)
    chmod(path, 0o700)
  }

  /// Whether this user can lock a folder on the file system of the tests.
  static var isPossible: Bool {
    guard let folder = try? TemporaryFolder(), let locked = try? LockedFolder(folder.path) else {
      return false
    }
    defer { locked.unlock() }
    return (try? FileSystem.replace(folder.path + "/file", with: "")) == nil
  }

  private static let getFlags: UInt = 0x8008_6601
  private static let setFlags: UInt = 0x4008_6602
  private static let immutable: CInt = 0x10

  private static func flags(_ path: String) -> CInt? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    var flags: CInt = 0
    return ioctl(folder, getFlags, &flags) == 0 ? flags : nil
  }

  private static func isImmutable(_ path: String) -> Bool {
    flags(path).map { $0 & immutable != 0 } ?? false
  }

  private static func setImmutable(_ path: String, _ isImmutable: Bool) {
    guard let old = flags(path) else { return }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    var flags = isImmutable ? old | immutable : old & ~immutable
    _ = ioctl(folder, setFlags, &flags)
  }
}
