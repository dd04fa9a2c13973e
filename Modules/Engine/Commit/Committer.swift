import Models
import Persistence
import SystemCalls

/// Makes a batch durable: row `stored` → rename → one `syncfs` → row `fetched` or `finished`.
///
/// A killed process loses nothing that was committed; a power cut never leaves a finished row that
/// points to a short file.
struct Committer: Sendable {
  let layout: LibraryLayout
  let store: any LibraryStore
  let disk: BlockingQueue
  let durability: Settings.Durability

  @concurrent
  func commit(_ batch: [CommitWork]) async throws {
    var arrivals: [CommitWork.Arrival] = []
    var changes: [ResourceChange] = []
    var litter: [String] = []
    var mustLast = false
    for work in batch {
      switch work {
      case .arrival(let arrival): arrivals.append(arrival)
      case .pages(_, let change): changes.append(change)
      case .givenUp(let resource, let reason, let partial?):
        changes.append(.partial(resource.id, partial))
        changes.append(.failed(resource.id, reason: reason, pages: []))
      case .givenUp(let resource, let reason, nil):
        changes.append(.partialGone(resource.id))
        changes.append(.failed(resource.id, reason: reason, pages: []))
        litter.append(layout.partial(of: resource.id))
      case .partial(let resource, let partial): changes.append(.partial(resource.id, partial))
      case .partialGone(let resource):
        // Other bytes come into the file: not even a power cut may bring the row back.
        changes.append(.partialGone(resource.id))
        mustLast = true
      }
    }
    // What was said of a download before it was whole comes before its `stored`.
    changes += arrivals.map { .stored($0.resource.id, $0.file) }
    try await store.apply(changes, durable: mustLast && durability == .full)
    try await settle(arrivals, litter)
    if arrivals.isEmpty { return }
    try await store.apply(arrivals.map(\.followUp), durable: durability == .full)
  }

  /// Files into place, litter away, everything on the disk.
  private func settle(_ arrivals: [CommitWork.Arrival], _ litter: [String]) async throws {
    guard !arrivals.isEmpty || !litter.isEmpty else { return }
    let layout = layout
    let mustSync = durability == .full && !arrivals.isEmpty
    try await disk.run {
      for path in litter { try FileSystem.removeIfThere(path) }
      for arrival in arrivals { try Self.move(arrival, layout) }
      if mustSync { try FileSystem.openFolder(layout.root).syncFileSystem() }
    }
  }

  private static func move(
    _ arrival: CommitWork.Arrival, _ layout: LibraryLayout
  ) throws(SystemError) {
    try FileSystem.moveIntoFolders(
      layout.partial(of: arrival.resource.id),
      to: layout.original(arrival.file, in: arrival.record))
  }
}
