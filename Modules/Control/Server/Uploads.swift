import LibraryAPI
import Models
import Synchronization
import SystemCalls
import Threading

/// The files that clients upload. They are stored in the library's folder for incoming files, which the
/// engine empties when it starts.
final class Uploads: Sendable {
  /// The maximum number of uploaded files that have not been added as a source yet.
  static let countLimit = 4

  private let layout: LibraryLayout
  private let table = Mutex(RecentTable<UploadedFile>(count: countLimit))
  private let clock: any MonotonicClock
  private let random: any RandomSource
  private let queue = BlockingQueue("control.uploads")

  /// - Parameter root: The library's folder.
  init(root: String, clock: any MonotonicClock, random: any RandomSource = SystemRandomSource()) {
    layout = LibraryLayout(root: root)
    self.clock = clock
    self.random = random
  }

  /// Writes the body of a request to a file.
  /// - Returns: The file; nil if the client closed the connection.
  /// - Throws: A `ControlError` for a bad request, or a `LibraryError` if writing fails.
  func receive(_ stream: inout RequestStream) async throws -> UploadedFile? {
    let path = "\(layout.incoming)/upload-\(HexadecimalID.text(random.next())).spool"
    var byteCount: Int64 = 0
    do {
      let file = try await queue.run { [layout] in
        try layout.folder.makeFolders(layout.incoming, mode: LibraryLayout.privateFolder)
        return try layout.folder.open(
          path, .writing, create: .mustNotExist, mode: LibraryLayout.privateFile)
      }
      while let part = try await stream.part() {
        switch part {
        case .body(let bytes):
          try await queue.run { try file.write(all: bytes.span.bytes) }
          byteCount += Int64(bytes.count)
        case .end:
          return UploadedFile(path: path, byteCount: byteCount)
        case .head, .needsInput: break
        }
      }
      await discard(UploadedFile(path: path, byteCount: byteCount))
      return nil
    } catch {
      await discard(UploadedFile(path: path, byteCount: byteCount))
      throw error is ControlError ? error : LibraryError.wrapping(error)
    }
  }

  /// Keeps an uploaded file until it is added as a source or evicted.
  /// - Returns: The id of the upload.
  func insert(_ file: UploadedFile) -> UInt64 {
    let id = random.next()
    delete(table.withLock { $0.insert(file, id: id, now: clock.now()) })
    return id
  }

  /// Returns the uploaded file with an id.
  /// - Throws: `uploadGone` if the file is no longer kept.
  func file(_ id: UInt64) throws(ControlError) -> UploadedFile {
    try found(table.withLock { $0.value(id, now: clock.now()) })
  }

  /// Removes a file from the table; the caller deletes it.
  /// - Throws: `uploadGone` if the file is no longer kept.
  func remove(_ id: UInt64) throws(ControlError) -> UploadedFile {
    try found(
      table.withLock { table in
        let file = table.value(id, now: clock.now())
        if file != nil { table.remove(id) }
        return file
      })
  }

  private func found(_ file: UploadedFile?) throws(ControlError) -> UploadedFile {
    guard let file else {
      throw ControlError(.uploadGone, "the upload is no longer kept; upload the file again")
    }
    return file
  }

  /// Deletes an uploaded file that is not in the table.
  func discard(_ file: UploadedFile) async {
    try? await queue.run { [layout] in try layout.folder.removeIfExists(file.path) }
  }

  /// Deletes files asynchronously. A file that cannot be deleted now is deleted when the next engine starts.
  private func delete(_ files: [UploadedFile]) {
    guard !files.isEmpty else { return }
    queue.start { [layout] in
      for file in files { try? layout.folder.removeIfExists(file.path) }
    }
  }

  /// Deletes all uploaded files, and returns when they are deleted.
  func stop() async {
    delete(table.withLock { $0.removeAll() })
    try? await queue.run {}
  }
}
