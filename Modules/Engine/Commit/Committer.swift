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
  let store: any LibraryStore
  let disk: BlockingQueue
  let durability: Settings.Durability
  let placement: Placement

  init(
    layout: LibraryLayout, store: any LibraryStore, disk: BlockingQueue,
    durability: Settings.Durability, placement: Placement? = nil
  ) {
    self.layout = layout
    self.store = store
    self.disk = disk
    self.durability = durability
    self.placement = placement ?? Placement(layout)
  }

  /// - Returns: arrivals whose twin was not there any more. Their rows are as before: queued.
  @concurrent
  func commit(_ batch: [CommitWork]) async throws -> [CommitWork.Arrival] {
    let parts = Parts(batch, layout)
    let twins = try await twins(of: parts.arrivals)
    let mustLast = durability == .full
    try await makeRoom(parts.arrivals, mustLast)
    try await store.apply(
      parts.changes + parts.arrivals.map { .stored($0.resource.id, $0.file) },
      durable: mustLast && parts.forgetsPartials)
    let lost = try await settle(parts, twins, mustLast)
    if parts.arrivals.isEmpty, parts.pages.isEmpty { return [] }
    let followUps = parts.arrivals.map { arrival in
      lost.contains(arrival.resource.id)
        ? .requeued(arrival.resource.id, reason: nil) : arrival.followUp
    }
    try await store.apply(parts.pages + followUps, durable: mustLast)
    return parts.arrivals.filter { lost.contains($0.resource.id) }
  }

  /// A batch by what is to be done with it, each in order.
  private struct Parts {
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
        case .confirmed(let id, let answer): changes.append(.confirmed(id, answer))
        case .answered, .dropped: break
        case .removed(let resource): changes.append(.removed(resource.id))
        }
      }
    }
  }

  /// What replaces a file is on the disk before the old one's row is given up, and the old one,
  /// where it has another name, is gone before: its name would be forgotten with the row.
  private func makeRoom(_ arrivals: [CommitWork.Arrival], _ mustLast: Bool) async throws {
    let replacing = arrivals.filter { $0.resource.file != nil }
    guard !replacing.isEmpty else { return }
    let old = replacing.compactMap { arrival in
      arrival.replacedName.map { "\(layout.folder(of: arrival.record))/\($0)" }
    }
    try await disk.run { [layout] in
      if mustLast { try layout.folder.root().syncFileSystem() }
      for path in old { try layout.folder.removeIfThere(path) }
    }
  }

  /// Files into place, litter away, everything on the disk.
  /// - Returns: whose twin is not there.
  private func settle(
    _ parts: Parts, _ twins: Twins, _ mustLast: Bool
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
  private func twins(of arrivals: [CommitWork.Arrival]) async throws -> Twins {
    let digests = arrivals.filter(\.seeksTwin).map(\.file.digest)
    let contents = Set(digests)
    guard !contents.isEmpty else { return Twins() }
    var twins = Twins()
    twins.isSought = contents.count < digests.count || arrivals.contains(where: \.isTwin)
    for (digest, holders) in try await store.holders(of: Array(contents), limit: 2) {
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
