import LibraryAPI
import Models
import Persistence
import PersistenceMemory
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// A library with rows and files, which a server reads.
struct Shelf {
  let store: LibraryDisk
  let root: String
  var settings = Settings()

  init(_ root: String) async throws {
    store = LibraryDisk(MemoryStore())
    self.root = root
    try FileSystem.makeFolders(root + "/.imgdl/renditions/ab")
  }

  var reading: LibraryReading {
    let (store, settings) = (store, settings)
    return LibraryReading(root: root) { () throws(LibraryError) in
      store
    } settings: { () throws(LibraryError) in
      settings
    }
  }

  func addRecord(_ title: String, at place: InsertPosition = .end) async throws -> RecordID {
    try store.write { store throws(StoreError) in
      let source = try store.beginSource(SourceDraft(key: title, location: title))
      try store.completeSource(source)
      return try store.appendRecord(
        RecordDraft(source: source, title: title, folder: title), at: place)
    }
  }

  /// - Parameter suffix: of the last component of the URLs, if any.
  func addResources(
    _ count: Int, to record: RecordID, suffix: String? = nil
  ) async throws -> [ResourceID] {
    let end = suffix.map { ".\($0)" } ?? ""
    let drafts = (1...count).map { ResourceDraft(url: "http://example.org/\($0)\(end)") }
    let range = try store.write { store throws(StoreError) in
      try store.insertResources(drafts, into: record, at: .end)
    }
    return (range.first.rawValue...range.last.rawValue).map { ResourceID($0) }
  }

  /// Finishes a resource with a file of that name, and pages.
  func finish(
    _ id: ResourceID, _ name: String, _ format: ResourceFormat, digest: UInt8 = 0xab,
    pages: [Page] = []
  ) async throws {
    let hexadecimal = String(digest, radix: 16)
    let file = StoredFile(
      name: name, byteCount: 5,
      digest: try #require(
        Digest(
          hexadecimal: String(
            repeating: hexadecimal.count < 2 ? "0" + hexadecimal : hexadecimal, count: 32))),
      format: format)
    try store.write { store throws(StoreError) in
      try store.apply(
        [.stored(id, file), .fetched(id), .finished(id, pages: pages, reason: nil)])
    }
  }

  func write(_ path: String, _ text: String) throws {
    try FileSystem.makeFolders(FileSystem.parentFolder(of: root + "/" + path))
    try FileSystem.replace(root + "/" + path, with: text)
  }
}

/// A stage whose server reads a shelf; every answer is held against the description.
func withShelf(
  _ settings: Settings = Settings(), _ body: (Stage, Shelf) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  try FileSystem.makeFolders(folder.path + "/library")
  var shelf = try await Shelf(folder.path + "/library")
  shelf.settings = settings
  let stage = try await Stage(in: folder, reading: shelf.reading)
  do {
    try await body(stage, shelf)
  } catch {
    await stage.end()
    throw error
  }
  await stage.end()
}
