public import Persistence

/// Opens `library.sqlite`, makes it where there is none and brings an older schema forward.
///
/// What is there but is not an intact library of ours, or is newer than this program, is refused
/// and left as it is.
public struct SQLiteStoreOpening: StoreOpening {
  /// How long a write waits for another process that has the database locked, in milliseconds.
  private let busyTimeout: Int32

  /// - Parameter busyTimeout: milliseconds before a lock of another process becomes `.busy`.
  public init(busyTimeout: Int32 = 5_000) { self.busyTimeout = busyTimeout }

  @concurrent
  public func open(folder: String) async throws(StoreError) -> any LibraryStore {
    let file = LibraryFile(folder: folder, busyTimeout: busyTimeout)
    let writer = DatabaseThread(label: "store.writer")
    let reader = DatabaseThread(label: "store.reader")
    try await writer.open { () throws(StoreError) in try file.writer() }
    try await reader.open { () throws(StoreError) in try file.reader() }
    return SQLiteStore(file: file, writer: writer, reader: reader)
  }

  @concurrent
  public func openForReading(folder: String) async throws(StoreError) -> any LibraryStore {
    let file = LibraryFile(folder: folder, busyTimeout: busyTimeout)
    let thread = DatabaseThread(label: "imgdl.store.reader")
    let scratch = ScratchFolder()
    try await thread.open { () throws(StoreError) in try file.look(copyingTo: scratch) }
    return SQLiteStore(file: file, onlyReader: thread, scratch: scratch)
  }
}
