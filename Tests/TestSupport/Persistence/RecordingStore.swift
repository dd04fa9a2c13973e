import Models
public import Persistence
import Synchronization

/// A process's store: keeps what was asked of it, and fails or dies where a test says.
///
/// A dead store refuses every call, as if the process had ended: what comes after leaves no trace, and a
/// transaction in which it died is undone. The test keeps the `log`; the store goes to its owner.
public final class RecordingStore: LibraryStore, RecordingRows {
  public enum Verdict: Sendable {
    case pass
    case fail(StoreError)
    /// The process ends before the call, or as soon as what it did is committed.
    case dieBefore, dieAfter
  }

  public let log = Log()
  public let reader: any LibraryReader
  private let disk: LibraryDisk
  private let judge: @Sendable (String, [ResourceChange], Int) -> Verdict
  /// The store of the disk, as long as this one has it.
  private var held: (any LibraryStore)?
  /// Of the transaction that is open: how often `apply` was called in it, and whether the process ends with
  /// it.
  var applied = 0
  private var isLast = false
  private var isGroupOpen = false

  /// - Parameter judge: asked at each change: its name, its changes (if it is `apply`), and its number
  ///   from 1.
  /// - Parameter holding: asked for each query of the reader by its name; the reader's answer is kept
  ///   until the gate is open.
  public init(
    _ disk: LibraryDisk,
    judge: @escaping @Sendable (String, [ResourceChange], Int) -> Verdict = { _, _, _ in .pass },
    holding: @escaping @Sendable (String) -> Gate? = { _ in nil }
  ) {
    self.disk = disk
    self.judge = judge
    reader = RecordingReader(disk.reader, log: log, holding: holding)
  }

  public func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try holding { store throws(StoreError) in
      try store.transaction { () throws(StoreError) in
        let value = try body()
        try log.checkAlive()
        return value
      }
    }
  }

  /// Commits each change at once: any other transaction may do so.
  public func addToGroup<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    isGroupOpen = true
    return try transaction(body)
  }

  public func commitGroup() throws(StoreError) {
    guard isGroupOpen else { return }
    isGroupOpen = false
    log.note(.commitGroup)
    try log.checkAlive()
  }

  /// The disk has what was written so far.
  nonisolated(nonsending) public func sync() async throws(StoreError) {
    try write("sync") { _ in }
    log.noteSync()
  }

  public func checkUnlocked() throws(StoreError) {
    guard held == nil else { return }
    try log.checkAlive()
    try disk.write { store throws(StoreError) in try store.checkUnlocked() }
  }

  public func catchUp() async {}

  func write<Value>(
    _ name: String, _ changes: [ResourceChange] = [],
    _ body: (any LibraryStore) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try holding { store throws(StoreError) in
      log.noteWrite(name)
      switch judge(name, changes, log.countWrite()) {
      case .pass: break
      case .fail(let error): throw error
      case .dieBefore:
        log.die()
        try log.checkAlive()
      case .dieAfter: isLast = true
      }
      return try body(store)
    }
  }

  public func look<Value>(
    _ name: String, _ body: (any LibraryRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try log.checkAlive()
    if let held { return try body(held) }
    return try disk.write(body)
  }

  /// Has the disk for itself to the end of the outermost call.
  private func holding<Value>(
    _ body: (any LibraryStore) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try log.checkAlive()
    if let held { return try body(held) }
    defer {
      isLast = false
      applied = 0
    }
    let value = try disk.write { store throws(StoreError) in
      held = store
      defer { held = nil }
      return try body(store)
    }
    if isLast { log.die() }
    try log.checkAlive()
    log.count(applied)
    return value
  }

  /// The store on the disk stays open: it survives the process.
  public func close() { log.die() }
}

/// Gives away a store that is there already, once.
public final class GivenStoreOpening: StoreOpening {
  private let store: Mutex<(any LibraryStore)?>
  private let reader: any LibraryReader

  public init(_ store: sending any LibraryStore) {
    reader = store.reader
    self.store = Mutex(store)
  }

  @concurrent
  public func open(folder: String) async throws(StoreError) -> sending any LibraryStore {
    let given = store.withLock { store in
      let given = store
      store = nil
      return given
    }
    guard let given else { throw StoreError(.internal, "the store was given away already") }
    return given
  }

  @concurrent
  public func openForReading(folder: String) async throws(StoreError) -> any LibraryReader {
    reader
  }
}
