import Hashing
import LibraryAPI
import Models
import Persistence
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// The invariants that must hold after every run.
extension Lab {
  /// Counted right, no file without a row, no row without its file, the right bytes in each, equal
  /// bytes once on the disk, nothing left over.
  /// - Parameters:
  ///   - isIdle: nothing was interrupted.
  ///   - sharesContent: files of equal content are one file of several names.
  func checkLibrary(
    isIdle: Bool = true, sharesContent: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await disk.integrityProblems() == [], sourceLocation: sourceLocation)
    var files: [String: Resource] = [:]
    for (record, resource) in try await rowsWithFiles(isIdle: isIdle) {
      guard let file = resource.file else { continue }
      files[layout.original(file, in: record)] = resource
    }
    for (path, resource) in files { check(resource, path, sourceLocation) }
    guard isIdle else { return }
    #expect(try originals() == Set(files.keys), "files and rows", sourceLocation: sourceLocation)
    if sharesContent { try checkContents(files, sourceLocation) }
    try await checkLitter(sourceLocation)
    try await checkCaches(sourceLocation)
  }

  private func rowsWithFiles(isIdle: Bool) async throws -> [(Record, Resource)] {
    var rows: [(Record, Resource)] = []
    var records = try await records()
    if let standalone = try await disk.standaloneRecord() { records.append(standalone) }
    for record in records {
      for resource in try await resources(record) where resource.state != .stored {
        // What is to be replaced is there until it is.
        if resource.file != nil, isIdle || resource.state != .queued {
          rows.append((record, resource))
        }
      }
    }
    return rows
  }

  private func check(_ resource: Resource, _ path: String, _ sourceLocation: SourceLocation) {
    let digest = (try? FileSystem.contents(of: path, limit: 1 << 26)).map {
      SHA256Hasher.hash(of: $0)
    }
    #expect(
      digest == resource.file?.digest, "\(path), \(resource.state)",
      sourceLocation: sourceLocation)
    let parts = resource.url.split(separator: "/")
    guard resource.url.contains("/p/"), let number = Int(parts.last?.dropLast(4) ?? "") else {
      return
    }
    #expect(
      digest == SHA256Hasher.hash(of: Self.image(number)), "\(resource.url)",
      sourceLocation: sourceLocation)
  }

  private func checkContents(
    _ files: [String: Resource], _ sourceLocation: SourceLocation
  ) throws {
    var inodes: [Digest: Set<UInt64>] = [:]
    for (path, resource) in files {
      guard let file = resource.file, file.byteCount > 0 else { continue }
      inodes[file.digest, default: []].insert(try FileSystem.status(path).inode)
    }
    #expect(
      inodes.filter { $0.value.count > 1 }.isEmpty, "kept twice", sourceLocation: sourceLocation)
  }

  private func checkLitter(_ sourceLocation: SourceLocation) async throws {
    let partials = Set(try await disk.partials().map { "\($0).part" })
    #expect(incomingFiles.filter { !partials.contains($0) } == [], sourceLocation: sourceLocation)
    #expect(partials.isSubset(of: incomingFiles), "rows of nothing", sourceLocation: sourceLocation)
  }

  /// Every rendition and every resource of callers is in the book, so that it will be evicted.
  private func checkCaches(_ sourceLocation: SourceLocation) async throws {
    let book = try await names(in: .renditions)
    let found = try files(below: layout.renditions).map {
      String($0.dropFirst(layout.renditions.utf8.count + 1))
    }
    #expect(Set(found).isSubset(of: book), "renditions", sourceLocation: sourceLocation)
    guard let standalone = try await disk.standaloneRecord() else { return }
    let ids = try await resources(standalone).map(\.id.description)
    #expect(
      try await Set(ids).isSubset(of: names(in: .standalone)), "standalone resources",
      sourceLocation: sourceLocation)
  }

  /// What a cache holds, the least recently used first.
  func names(in cache: CacheName) async throws -> [String] {
    try await disk.overflow(of: cache, count: 0, bytes: 0, limit: .max).map(\.name)
  }

  // MARK: - Files

  static func digest(of bytes: [UInt8]) -> Digest { SHA256Hasher.hash(of: bytes) }

  /// All files that are resources.
  func originals() throws -> Set<String> {
    var found = Set(try files(below: folder.path, but: ".imgdl"))
    if FileSystem.exists(layout.standalone) { found.formUnion(try files(below: layout.standalone)) }
    return found
  }

  private func files(below path: String, but left: String? = nil) throws -> [String] {
    var found: [String] = []
    for entry in try FileSystem.list(path) where entry.name != left {
      let child = path + "/" + entry.name
      if entry.kind == .folder { found += try files(below: child) } else { found.append(child) }
    }
    return found
  }

  /// The files of a record by the place of their resources; nil where there is none.
  func inodes(_ record: Record) async throws -> [UInt64?] {
    try await resources(record).map { resource in
      try resource.file.map { try FileSystem.status(layout.original($0, in: record)).inode }
    }
  }
}
