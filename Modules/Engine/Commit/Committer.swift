import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Makes a batch durable: row `stored` → into place → one `syncfs` → row `fetched` or `finished`.
///
/// A killed process loses nothing that was committed; a power cut never leaves a finished row that
/// points to a short file.
struct Committer: Sendable {
  let layout: LibraryLayout
  let disk: BlockingQueue
  let durability: Settings.Durability
  let placement: Placement

  init(
    layout: LibraryLayout, disk: BlockingQueue, durability: Settings.Durability,
    placement: Placement? = nil
  ) {
    self.layout = layout
    self.disk = disk
    self.durability = durability
    self.placement = placement ?? Placement(layout)
  }

  private var mustLast: Bool { durability == .full }

  /// One batch on its way. The steps come one after the other: `begin`, `makeRoom`, `note`, `settle`,
  /// `finish`. Those that write rows are turns, the others wait for the disk.
  struct Batch: Sendable {
    fileprivate let parts: Parts
    fileprivate let twins: Twins
    fileprivate var lost: Set<ResourceID> = []
  }

  /// Finds out what the batch needs.
  func begin(_ work: [CommitWork], in store: any LibraryStore) throws(StoreError) -> Batch {
    let parts = Parts(work, layout)
    return Batch(parts: parts, twins: try twins(of: parts.arrivals, in: store))
  }

  /// What replaces a file is on the disk before the old one's row is given up, and the old one,
  /// where it has another name, is gone before: its name would be forgotten with the row.
  func makeRoom(for batch: Batch) async throws {
    let replacing = batch.parts.arrivals.filter { $0.resource.file != nil }
    guard !replacing.isEmpty else { return }
    let old = replacing.compactMap { arrival in
      arrival.replacedName.map { "\(layout.folder(of: arrival.record))/\($0)" }
    }
    try await disk.run { [layout, mustLast] in
      if mustLast { try layout.folder.root().syncFileSystem() }
      for path in old { try layout.folder.removeIfThere(path) }
    }
  }

  /// The rows say `stored`: from now on a start finishes what is left of the batch.
  /// - Parameter body: changes that belong into the same transaction.
  func note(
    _ batch: Batch, in store: any LibraryStore, with body: () throws(StoreError) -> Void = {}
  ) throws(StoreError) {
    let parts = batch.parts
    try store.transaction(durable: mustLast && parts.forgetsPartials) { () throws(StoreError) in
      try body()
      try store.apply(parts.changes + parts.arrivals.map { .stored($0.resource.id, $0.file) })
    }
  }

  /// Files into place, litter away, everything on the disk.
  func settle(_ batch: inout Batch) async throws {
    batch.lost = try await settle(batch.parts, batch.twins)
  }

  /// The rows say what became of the files.
  /// - Returns: arrivals whose twin was not there any more. Their rows are as before: queued.
  func finish(
    _ batch: Batch, in store: any LibraryStore
  ) throws(StoreError) -> [CommitWork.Arrival] {
    let (parts, lost) = (batch.parts, batch.lost)
    if parts.arrivals.isEmpty, parts.pages.isEmpty { return [] }
    let followUps = parts.arrivals.map { arrival in
      lost.contains(arrival.resource.id)
        ? .requeued(arrival.resource.id, reason: nil) : arrival.followUp
    }
    try store.apply(parts.pages + followUps, durable: mustLast)
    return parts.arrivals.filter { lost.contains($0.resource.id) }
  }

  /// A batch by what is to be done with it, each in order.
  fileprivate struct Parts: Sendable {
    var arrivals: [CommitWork.Arrival] = []
    /// Said before any `stored`.
    var changes: [ResourceChange] = []
    /// Said when what they name is on the disk.
    var pages: [ResourceChange] = []
    var litter: [String] = []
    /// Other bytes come into a partial file: not even a power cut may bring its row back.
    var forgetsPartials = false

    init(_ batch: [CommitWork], _ layout: LibraryLayout) {
      for work in batch {
        switch work {
        case .arrival(let arrival):
          arrivals.append(arrival)
          if case .partial(let request) = arrival.origin, arrival.mayHaveRow {
            changes.append(.partialGone(request))
          }
        case .pages(_, let change):
          if change.namesFiles { pages.append(change) } else { changes.append(change) }
        case .givenUp(let resource, let reason):
          changes.append(.failed(resource.id, reason: reason, pages: []))
        case .partial(let request, let partial): changes.append(.partial(request, partial))
        case .partialGone(let request):
          changes.append(.partialGone(request))
          forgetsPartials = true
        case .litter(let request):
          changes.append(.partialGone(request))
          litter.append(layout.partial(of: request))
        case .confirmed(let id, let answer): changes.append(.answering(id, answer))
        case .answered, .dropped: break
        case .removed(let resource): changes.append(.removed(resource.id))
        }
      }
    }
  }

  /// Files into place, litter away, everything on the disk.
  /// - Returns: whose twin is not there.
  private func settle(
    _ parts: Parts, _ twins: Twins
  ) async throws -> Set<ResourceID> {
    let (arrivals, litter) = (parts.arrivals, parts.litter)
    let mustSync = mustLast && !(arrivals.isEmpty && parts.pages.isEmpty)
    guard mustSync || !arrivals.isEmpty || !litter.isEmpty else { return [] }
    return try await disk.run { [layout, placement] in
      var lost: Set<ResourceID> = []
      for path in litter { try layout.folder.removeIfThere(path) }
      var twins = twins
      let folders = OpenFolders(layout)
      for arrival in arrivals {
        let digest = arrival.file.digest
        let paths = arrival.seeksTwin ? twins.paths(of: digest) : []
        if try placement.place(arrival, twins: paths, through: folders) {
          if twins.isSought {
            twins.note(layout.original(arrival.file, in: arrival.record), digest)
          }
        } else {
          lost.insert(arrival.resource.id)
          // Its row forgets what it was to replace.
          try layout.folder.removeIfThere(layout.original(arrival.file, in: arrival.record))
        }
      }
      if mustSync { try layout.folder.root().syncFileSystem() }
      return lost
    }
  }

  /// Content that is there already is not kept twice: where originals of the same content are.
  private func twins(
    of arrivals: [CommitWork.Arrival], in store: any LibraryStore
  ) throws(StoreError) -> Twins {
    let digests = arrivals.filter(\.seeksTwin).map(\.file.digest)
    let contents = Set(digests)
    guard !contents.isEmpty else { return Twins() }
    var twins = Twins()
    twins.isSought = contents.count < digests.count || arrivals.contains(where: \.isTwin)
    for (digest, holders) in try store.holders(of: Array(contents), limit: 2) {
      for holder in holders {
        twins.note("\(layout.root)/\(holder.folder)/\(holder.file.name)", digest)
      }
    }
    return twins
  }
}

extension CommitWork.Arrival {
  /// Whether files of the same content matter. There is nothing to share in empty ones.
  fileprivate var seeksTwin: Bool {
    isTwin || file.byteCount > 0
  }

  fileprivate var isTwin: Bool {
    if case .twin = origin { true } else { false }
  }
}

extension ResourceChange {
  /// Whether it names renditions, which have to be on the disk before it is.
  fileprivate var namesFiles: Bool {
    switch self {
    case .finished(_, let pages, _), .failed(_, _, let pages):
      pages.contains { $0.file != nil || $0.thumbnail != nil }
    default: false
    }
  }
}
