public import Persistence

/// Opens `library.sqlite`, creates it if it is missing, and migrates an older schema.
///
/// A file that is not an intact imgdl library, or that a newer program wrote, is refused and left unchanged.
public struct SQLiteStoreOpening: StoreOpening {
  /// The time that a transaction waits for a lock of another process, in milliseconds.
  private let busyTimeout: Int32

  /// - Parameter busyTimeout: The time in milliseconds to wait for a lock of another process before throwing
  ///   `.busy`.
  public init(busyTimeout: Int32 = 5_000) { self.busyTimeout = busyTimeout }

  @concurrent
  public func open(folder: String) async throws(StoreError) -> sending any LibraryStore {
    try await reader(folder).openStore()
  }

  @concurrent
  public func openForReading(folder: String) async throws(StoreError) -> any LibraryReader {
    let reader = reader(folder)
    try await reader.open()
    return reader
  }

  public func exists(folder: String) -> Bool {
    // A file that cannot be looked at is not a missing one.
    (try? file(folder).size() != nil) ?? true
  }

  @concurrent
  public func discard(folder: String) async throws(StoreError) { try file(folder).remove() }

  private func file(_ folder: String) -> LibraryFile {
    LibraryFile(folder: folder, busyTimeout: busyTimeout)
  }

  private func reader(_ folder: String) -> SQLiteReader {
    SQLiteReader(of: file(folder))
  }
}
