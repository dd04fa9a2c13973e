import Models
import Persistence
import SystemCalls

/// Makes downloads durable, in batches: row `stored` → rename → one `syncfs` → row `fetched`.
///
/// While one batch is on its way to the disk the next one gathers, so a slow disk makes larger
/// batches and a single file does not wait. A killed process loses nothing that was committed; a
/// power cut never leaves a finished row that points to a short file.
actor Committer {
  /// A whole partial file with its destination.
  struct Arrival: Sendable {
    let resource: Resource
    let file: StoredFile
    let record: Record
    /// What comes after `stored`.
    let followUp: ResourceChange
  }

  enum Work: Sendable {
    case arrival(Arrival)
    case change(ResourceChange)
  }

  /// What became of a batch, told to the engine after the disk has it.
  typealias Report = @Sendable ([Work], EngineError?) async -> Void

  static let batchSize = 256

  private let layout: LibraryLayout
  private let store: any LibraryStore
  private let disk: BlockingQueue
  private let durability: Settings.Durability
  private let report: Report
  private var pending: [Work] = []
  private var isRunning = false
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []
  private var root: OwnedDescriptor?

  init(
    layout: LibraryLayout, store: any LibraryStore, disk: BlockingQueue,
    durability: Settings.Durability, report: @escaping Report
  ) {
    self.layout = layout
    self.store = store
    self.disk = disk
    self.durability = durability
    self.report = report
  }

  func add(_ work: Work) {
    pending.append(work)
    guard !isRunning else { return }
    isRunning = true
    Task { await drain() }
  }

  /// Returns when everything added so far is durable.
  func flush() async {
    guard isRunning else { return }
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  private func drain() async {
    while !pending.isEmpty {
      let batch = Array(pending.prefix(Self.batchSize))
      pending.removeFirst(batch.count)
      do {
        try await commit(batch)
        await report(batch, nil)
      } catch {
        await report(batch, EngineError.wrapping(error))
      }
    }
    isRunning = false
    for waiter in idleWaiters { waiter.resume() }
    idleWaiters = []
  }

  private func commit(_ batch: [Work]) async throws {
    var arrivals: [Arrival] = []
    var changes: [ResourceChange] = []
    for work in batch {
      switch work {
      case .arrival(let arrival): arrivals.append(arrival)
      case .change(let change): changes.append(change)
      }
    }
    guard !arrivals.isEmpty else { return try await store.apply(changes, durable: false) }
    // What was said of a download before it was whole comes before its `stored`.
    changes += arrivals.map { .stored($0.resource.id, $0.file) }
    try await store.apply(changes, durable: false)
    let moved = arrivals
    let layout = layout
    let root = durability == .full ? try rootFolder() : nil
    try await disk.run {
      for arrival in moved { try Self.move(arrival, layout) }
      try root?.syncFileSystem()
    }
    try await store.apply(arrivals.map(\.followUp), durable: durability == .full)
  }

  private static func move(_ arrival: Arrival, _ layout: LibraryLayout) throws(SystemError) {
    let source = layout.partial(of: arrival.resource.id)
    let target = layout.original(arrival.file, in: arrival.record)
    do {
      try FileSystem.rename(source, to: target)
    } catch {
      guard error.isMissing else { throw error }
      try FileSystem.makeFolders(FileSystem.parentFolder(of: target))
      try FileSystem.rename(source, to: target)
    }
  }

  private func rootFolder() throws -> OwnedDescriptor {
    if let root { return root }
    let opened = try FileSystem.openFolder(layout.root)
    root = opened
    return opened
  }
}
