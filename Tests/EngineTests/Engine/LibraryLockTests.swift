import Glibc
import LibraryAPI
import Models
import Persistence
import PersistenceSQLite
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// The lock of a library whose file is deleted or replaced while it is held.
@Suite struct LibraryLockTests {
  private let folder: TemporaryFolder
  private let layout: LibraryLayout

  init() throws {
    folder = try TemporaryFolder()
    layout = LibraryLayout(root: folder.path)
    try layout.prepareFolders()
  }

  /// Makes another lock file and locks it, as a second program does on a file system that locks no folders.
  private func takeFile() throws -> OwnedDescriptor {
    try FileSystem.remove(layout.lock)
    let other = try FileSystem.open(layout.lock, .readingAndWriting, create: .mustNotExist)
    #expect(try other.tryLock())
    return other
  }

  @Test("A lock whose file was deleted keeps out a second engine, and is found again")
  func deletedFile() throws {
    let lock = try LibraryLock(layout, socket: "/s")
    try FileSystem.remove(layout.lock)
    #expect(throws: LibraryError.self) { try LibraryLock(layout, socket: nil) }
    try lock.renew(socket: "/s")
    let holder = try #require(LibraryHolder.current(layout))
    #expect(holder.isThisProcess && holder.socket == "/s")
    lock.release()
    try FileSystem.remove(layout.lock)
    try lock.renew(socket: "/s")
    #expect(!FileSystem.exists(layout.lock), "a lock that was released is not taken again")
    _ = try LibraryLock(layout, socket: nil)
  }

  @Test("The lock file names the socket that its holder has now")
  func newSocket() throws {
    let lock = try LibraryLock(layout, socket: "/a/long/path")
    try lock.renew(socket: "/b")
    #expect(LibraryHolder.current(layout)?.socket == "/b")
    try lock.renew(socket: nil)
    #expect(LibraryHolder.current(layout)?.socket == nil)
    lock.release()
    #expect(LibraryHolder.current(layout) == nil)
  }

  @Test("A lock file that another program has made and locked is not taken away from it")
  func takenFile() throws {
    let lock = try LibraryLock(layout, socket: "/s")
    let other = try takeFile()
    let error = #expect(throws: LibraryError.self) { try lock.renew(socket: "/s") }
    #expect(error?.code == .locked)
    other.close()
    try lock.renew(socket: "/s")
    #expect(LibraryHolder.current(layout)?.isThisProcess == true)
  }

  @Test("An engine ends as locked if another program has taken the lock of its library")
  func takenLibrary() async throws {
    let lab = try await Lab.withDatabase()
    let engine = try await lab.started()
    try await engine.renewLock(socket: nil)
    try FileSystem.remove(lab.layout.lock)
    let other = try FileSystem.open(lab.layout.lock, .readingAndWriting, create: .mustNotExist)
    #expect(try other.tryLock())
    let error = await #expect(throws: LibraryError.self) { try await engine.renewLock(socket: nil) }
    #expect(error?.code == .locked)
    #expect(await engine.run { $0.lifecycle.failure }?.code == .locked)
    await engine.stop()
    await lab.disk.close()
  }

  @Test("A damaged library is reset only without an engine, and keeps what is outside of .imgdl")
  func damagedLibrary() async throws {
    let opening = SQLiteStoreOpening()
    let database = layout.internals + "/library.sqlite"
    try FileSystem.replace(database, with: "no database")
    try FileSystem.makeFolders(layout.root + "/birds")
    try FileSystem.replace(layout.renditions + "/1.jpg", with: "x")
    let lock = try LibraryLock(layout, socket: nil)
    let error = await #expect(throws: LibraryError.self) {
      try await Engine.resetDamaged(root: layout.root, opening: opening)
    }
    #expect(error?.code == .locked)
    lock.release()
    #expect(try await Engine.resetDamaged(root: layout.root, opening: opening) == ["birds"])
    #expect(try FileSystem.list(layout.renditions).isEmpty)
    let store = try await opening.open(folder: layout.internals)
    #expect(try await store.reader.records(offset: 0, limit: 1).isEmpty)
    await store.reader.close()
    store.close()
  }

  @Test("A holder of another container or machine is told from one here")
  func otherSpace() throws {
    let lock = try LibraryLock(layout, socket: "/s")
    let file = try FileSystem.open(layout.lock, .readingAndWriting)
    let text = Array("99999999\n/s\nother-boot pid:[1]\n".utf8)
    try file.write(all: text.span.bytes, at: 0)
    try file.truncate(to: Int64(text.count))
    let holder = try #require(LibraryHolder.current(layout))
    #expect(!holder.isHere && !holder.isThisProcess)
    #expect(
      holder.name == "a process of another container or machine, where it is process 99999999")
    let error = #expect(throws: LibraryError.self) { try LibraryLock(layout, socket: nil) }
    #expect(error?.detail.contains(holder.name) == true)
    lock.release()
    #expect(LibraryHolder.current(layout) == nil)
  }
}
