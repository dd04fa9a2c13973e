import Archive
import ImageHeaders
import LibraryAPI
import Models
import RemoteArchive
import SystemCalls
import Threading
import Transport

/// Fetches one entry of a remote archive into a zip archive of its own, which the confined reader unpacks.
struct EntryExtraction {
  let folder: String
  /// The beginning of the names of the files.
  var prefix = "entry-"
  let password: DocumentPassword?
  let archive: GuardedArchiveReader
  let policy: ArchivePolicy
  let reading: BlockingQueue
  /// The maximum size of an entry in bytes.
  let byteLimit: Int64

  enum Outcome: Sendable {
    /// The file of the entry, with the dimensions that its first bytes state; nil if they state none.
    case file(path: String, ResourceFormat, ImageDimensions?)
    /// The entry cannot be read; the others may be.
    case failed(ArchiveError)
    /// The server does not send parts of the archive any more; the size of the archive is nil if it is unknown.
    case wholeOnly(byteCount: Int64?)
    /// The archive has changed since its directory was read.
    case changed
  }

  /// - Throws: `LibraryError` for an error of the network or the disk.
  mutating func run(
    _ entry: RemoteEntry, in directory: RemoteDirectory, _ fetcher: inout RangeFetcher
  ) async throws(LibraryError) -> Outcome {
    let plan: EntryRange
    do throws(ArchiveError) {
      plan = try EntryRange(entry, in: directory, byteLimit: byteLimit)
      // The password is checked before the data is fetched.
      if entry.isEncrypted, password == nil {
        throw ArchiveError(.encrypted, "", entryName: entry.name)
      }
      guard [0, 8].contains(entry.method) || entry.isEncrypted else {
        throw ArchiveError(
          .unsupported,
          "the entry is compressed by method \(entry.method), which is not supported",
          entryName: entry.name)
      }
    } catch {
      return .failed(error)
    }
    let path = "\(folder)/\(prefix)\(entry.index)"
    do throws(LibraryError) {
      let outcome = try await run(plan, directory, path, &fetcher)
      if case .file = outcome { return outcome }
      await removeFiles(path)
      return outcome
    } catch {
      await removeFiles(path)
      throw error
    }
  }

  private func run(
    _ plan: EntryRange, _ directory: RemoteDirectory, _ path: String,
    _ fetcher: inout RangeFetcher
  ) async throws(LibraryError) -> Outcome {
    let single = Self.archive(path)
    let file = try await Self.onDisk(reading) { () throws(SystemError) in
      try FileSystem.open(single, .readingAndWriting, create: .replacing, mode: 0o600)
    }
    let outcome = try await run(plan, directory, file, single, path, &fetcher)
    file.close()
    try await Self.onDisk(reading) { () throws(SystemError) in try FileSystem.remove(single) }
    return outcome
  }

  /// The path of the archive that contains only the entry at a path.
  private static func archive(_ path: String) -> String { path + ".zip" }

  /// Deletes the files of an entry that is not delivered.
  private func removeFiles(_ path: String) async {
    try? await Self.onDisk(reading) { () throws(SystemError) in
      for path in [path, Self.archive(path)] { try? FileSystem.remove(path) }
    }
  }

  private func run(
    _ plan: EntryRange, _ directory: RemoteDirectory, _ file: OwnedDescriptor, _ single: String,
    _ path: String, _ fetcher: inout RangeFetcher
  ) async throws(LibraryError) -> Outcome {
    if let end = try await fetch(plan.range, directory, file, at: 0, &fetcher) { return end }
    let headerBytes = plan.headerBytes
    let header = try await Self.onDisk(reading) { () throws(SystemError) in
      try file.bytes(count: headerBytes, at: 0)
    }
    let dataEnd: Int64
    do throws(ArchiveError) {
      dataEnd = try plan.dataEnd(header)
    } catch {
      return .failed(error)
    }
    if let rest = plan.rest(dataEnd: dataEnd) {
      let offset = Int64(plan.range.count)
      if let end = try await fetch(rest, directory, file, at: offset, &fetcher) { return end }
    }
    let trailer = SingleEntryArchive.trailer(plan.entry, dataEnd: dataEnd)
    try await Self.onDisk(reading) { () throws(SystemError) in
      try file.truncate(to: dataEnd)
      try file.write(all: trailer.span.bytes, at: dataEnd)
    }
    return try await unpack(single, of: directory, to: path)
  }

  /// Fetches a part of the archive into the file, unless it was received with the directory.
  /// - Returns: The outcome if the part was not received.
  private func fetch(
    _ range: Range<Int64>, _ directory: RemoteDirectory, _ file: OwnedDescriptor,
    at offset: Int64, _ fetcher: inout RangeFetcher
  ) async throws(LibraryError) -> Outcome? {
    if let known = directory.knownBytes(range) {
      try await Self.onDisk(reading) { () throws(SystemError) in
        try file.write(all: known.span.bytes, at: offset)
      }
      return nil
    }
    let outcome = try await fetcher.fetch(
      .bytes(range), of: directory.version, into: (file, offset))
    switch outcome.answer {
    case .part: return nil
    case .changed: return .changed
    case .whole(let size): return .wholeOnly(byteCount: size)
    case .invalid(let reason): return .failed(ArchiveError(.io, reason))
    case .unsatisfiable, .status: return .changed
    }
  }

  private func unpack(
    _ single: String, of directory: RemoteDirectory, to path: String
  ) async throws(LibraryError) -> Outcome {
    let (archive, password, policy) = (archive, password, policy)
    // The ratio is that to the remote archive, as if it had been downloaded whole.
    let fileSize = directory.version.byteCount
    do {
      return try await reading.run {
        let visitor = EntryWriter(path)
        do {
          try archive.walk(
            single, password: password, visitor: visitor,
            within: ArchiveBudget(policy, fileSize: fileSize))
        } catch let error as ArchiveError {
          if let failure = visitor.storageFailure { throw failure }
          return .failed(error)
        }
        return .file(
          path: path, ResourceFormat(sniffing: visitor.head), visitor.dimensions)
      }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private static func onDisk<Value: Sendable>(
    _ queue: BlockingQueue, _ body: @escaping @Sendable () throws(SystemError) -> Value
  ) async throws(LibraryError) -> Value {
    do {
      return try await queue.run { try body() }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }
}

/// Writes the only entry of an archive to a file. Confined to the thread of the walk.
private final class EntryWriter: ArchiveVisitor {
  private let path: String
  private var file: OwnedDescriptor?
  /// The first bytes of the entry.
  private(set) var head: [UInt8] = []
  private var header = ImageHeader()
  /// The error of writing that ended the walk; nil if there was none.
  private(set) var storageFailure: SystemError?

  init(_ path: String) { self.path = path }

  /// The dimensions of the image that the entry is, as far as its first bytes state them.
  var dimensions: ImageDimensions? {
    if case .dimensions(let dimensions) = header.state { dimensions } else { nil }
  }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    try recordingFailure { () throws(SystemError) in
      file = try FileSystem.open(path, .writing, create: .replacing, mode: 0o600)
    }
    return .read
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    let missing = ResourceFormat.sniffLength - head.count
    if missing > 0 {
      bytes.extracting(first: missing).withUnsafeBytes { head.append(contentsOf: $0) }
    }
    header.append(bytes)
    try recordingFailure { () throws(SystemError) in try file?.write(all: bytes) }
  }

  func endEntry() throws(ArchiveError) {
    file?.close()
    file = nil
  }

  private func recordingFailure(
    _ body: () throws(SystemError) -> Void
  ) throws(ArchiveError) {
    do throws(SystemError) {
      try body()
    } catch {
      storageFailure = error
      throw ArchiveError(.visitor, error.description)
    }
  }
}
