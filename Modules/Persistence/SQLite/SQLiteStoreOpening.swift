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
  public func open(folder: String) async throws(StoreError) -> sending any LibraryStore {
    try await reader(folder).openStore()
  }

  @concurrent
  public func openForReading(folder: String) async throws(StoreError) -> any LibraryReader {
    let reader = reader(folder)
    try await reader.open()
    return reader
  }

  private func reader(_ folder: String) -> SQLiteReader {
    SQLiteReader(of: LibraryFile(folder: folder, busyTimeout: busyTimeout))
  }
}
