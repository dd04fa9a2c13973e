import Persistence
import Synchronization

/// The reader of a process: its queries are kept in the log of the store, and its answers until a gate is
/// open.
final class RecordingReader: LibraryReader {
  private let reader: any LibraryReader
  private let log: RecordingStore.Log
  private let holding: @Sendable (String) -> Gate?
  private let isClosed = Atomic(false)

  init(
    _ reader: any LibraryReader, log: RecordingStore.Log,
    holding: @escaping @Sendable (String) -> Gate?
  ) {
    self.reader = reader
    self.log = log
    self.holding = holding
  }

  @concurrent
  func read<Value: Sendable>(
    _ body: @Sendable (any LibraryRows) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try checkOpen()
    let asked = Asked()
    let value = try await reader.read { [log] rows throws(StoreError) in
      try body(Rows(rows: rows, log: log, asked: asked))
    }
    for name in asked.names { try? await holding(name)?.pass() }
    try checkOpen()
    return value
  }

  @concurrent
  func integrityProblems() async throws(StoreError) -> [String] {
    try checkOpen()
    return try await reader.integrityProblems()
  }

  /// The reader of the disk stays open.
  func close() async { isClosed.store(true, ordering: .relaxed) }

  private func checkOpen() throws(StoreError) {
    try log.checkAlive()
    if isClosed.load(ordering: .relaxed) { throw StoreError(.closed, "the library is closed") }
  }

  /// The names of the queries of one read.
  private final class Asked: Sendable {
    private let state = Mutex<[String]>([])

    var names: [String] { state.withLock { $0 } }

    func append(_ name: String) { state.withLock { $0.append(name) } }
  }

  private struct Rows: RecordingRows {
    let rows: any LibraryRows
    let log: RecordingStore.Log
    let asked: Asked

    func look<Value>(
      _ name: String, _ body: (any LibraryRows) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
      try log.checkAlive()
      asked.append(name)
      return try body(rows)
    }
  }
}
