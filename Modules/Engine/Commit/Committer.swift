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
  let sync: LibrarySync
  let placement: Placement

  init(
    layout: LibraryLayout, disk: BlockingQueue, sync: LibrarySync, placement: Placement? = nil
  ) {
    self.layout = layout
    self.disk = disk
    self.sync = sync
    self.placement = placement ?? Placement(layout)
  }

  private var mustLast: Bool { sync.isWanted }

  /// One batch on its way. The steps come one after the other: `lookUp`, `makeRoom`, `note`, `settle`,
  /// `finish`. Those that concern rows are done for a part of the batch in each turn, the others wait for
  /// the disk and are done once, for all of it.
  struct Batch: Sendable {
    private(set) var work: [CommitWork]
    fileprivate var twins = DuplicateFiles()
    fileprivate var lost: Set<ResourceID> = []

    init(_ work: [CommitWork]) {
      self.work = work
      let digests = arrivals.filter(\.mayHaveDuplicate).map(\.file.digest)
      twins.isSought =
        Set(digests).count < digests.count || arrivals.contains(where: \.isDuplicate)
    }

    /// The indices of what is written when files are in place.
    var ending: [Int] { work.indices.filter { work[$0].endsWithFiles } }

    fileprivate var arrivals: [CommitWork.Arrival] { work.compactMap(\.arrival) }

    /// Nothing more is done for it.
    mutating func drop(_ index: Int) { work[index] = .dropped }
  }

  /// Content that is there already is not kept twice: finds out where originals of the same content are.
  func lookUp(
    _ part: Range<Int>, of batch: inout Batch, in store: any LibraryStore
  ) throws(StoreError) {
    let arrivals = batch.work[part].compactMap(\.arrival).filter(\.mayHaveDuplicate)
    let contents = Set(arrivals.map(\.file.digest))
    guard !contents.isEmpty else { return }
    for (digest, holders) in try store.holders(of: Array(contents), limit: 2) {
      for holder in holders {
        batch.twins.note("\(layout.root)/\(holder.folder)/\(holder.file.name)", digest)
      }
    }
  }

  /// What replaces a file is on the disk before the old one's row is abandoned, and the old one,
  /// where it has another name, is gone before: its name would be forgotten with the row.
  func makeRoom(for batch: Batch) async throws {
    let replacing = batch.arrivals.filter { $0.resource.file != nil }
    guard !replacing.isEmpty else { return }
    let old = replacing.compactMap { arrival in
      arrival.replacedName.map { "\(layout.folder(of: arrival.record))/\($0)" }
    }
    try await disk.run { [layout, sync] in
      try sync()
      for path in old { try layout.folder.removeIfThere(path) }
    }
  }

  /// The rows say `stored`: once the group is committed, a start finishes what is left of this part.
  /// - Parameter body: changes that belong into the same transaction.
  func note(
    _ part: Range<Int>, of batch: Batch, in store: any LibraryStore,
    with body: () throws(StoreError) -> Void = {}
  ) throws(StoreError) {
    let notes = Notes(batch.work[part])
    let isDurable = mustLast && notes.forgetsPartials
    try store.addToGroup(durable: isDurable) { () throws(StoreError) in
      try body()
      try store.apply(notes.changes + notes.stored)
    }
  }

  /// The rows say what became of the files. Nothing of the batch is told before the group is committed and on
  /// the disk; a power cut before that leaves rows that say `stored`, and files that are whole.
  /// - Parameter part: indices of `ending`, in order.
  /// - Returns: arrivals whose duplicate was not there any more. Their rows are as before: queued.
  func finish(
    _ part: some Collection<Int>, of batch: Batch, in store: any LibraryStore
  ) throws(StoreError) -> [CommitWork.Arrival] {
    var pages: [ResourceChange] = []
    var followUps: [ResourceChange] = []
    var lost: [CommitWork.Arrival] = []
    for index in part {
      switch batch.work[index] {
      case .arrival(let arrival) where batch.lost.contains(arrival.resource.id):
        lost.append(arrival)
        followUps.append(.requeued(arrival.resource.id, reason: nil))
      case .arrival(let arrival): followUps.append(arrival.followUp)
      case .pages(_, let change): pages.append(change)
      default: break
      }
    }
    try store.addToGroup(durable: mustLast) { () throws(StoreError) in
      try store.apply(pages + followUps)
    }
    return lost
  }

  /// The changes of rows that a part of a batch writes before its files are in place.
  private struct Notes {
    /// Said before any `stored`.
    var changes: [ResourceChange] = []
    var stored: [ResourceChange] = []
    /// Other bytes come into a partial file: not even a power cut may bring its row back.
    var forgetsPartials = false

    init(_ part: ArraySlice<CommitWork>) {
      for work in part {
        switch work {
        case .arrival(let arrival):
          stored.append(.stored(arrival.resource.id, arrival.file))
          if case .partial(let request) = arrival.origin, arrival.mayHaveRow {
            changes.append(.partialGone(request))
          }
        case .pages(_, let change): if !change.namesFiles { changes.append(change) }
        case .givenUp(let resource, let reason):
          changes.append(.failed(resource.id, reason: reason, pages: []))
        case .partial(let request, let partial): changes.append(.partial(request, partial))
        case .partialGone(let request):
          changes.append(.partialGone(request))
          forgetsPartials = true
        case .litter(let request): changes.append(.partialGone(request))
        case .confirmed(let id, let answer): changes.append(.answering(id, answer))
        case .answered, .dropped: break
        case .removed(let resource): changes.append(.removed(resource.id))
        }
      }
    }
  }

  /// Files into place, litter away, everything on the disk.
  func settle(_ batch: inout Batch) async throws {
    let arrivals = batch.arrivals
    let litter = batch.work.compactMap { work in
      if case .litter(let request) = work { layout.partial(of: request) } else { nil }
    }
    let mustSync = mustLast && batch.work.contains(where: \.endsWithFiles)
    guard mustSync || !arrivals.isEmpty || !litter.isEmpty else { return }
    batch.lost = try await disk.run { [layout, placement, sync, twins = batch.twins] in
      var lost: Set<ResourceID> = []
      for path in litter { try layout.folder.removeIfThere(path) }
      var twins = twins
      let folders = OpenFolders(layout)
      for arrival in arrivals {
        let digest = arrival.file.digest
        let paths = arrival.mayHaveDuplicate ? twins.paths(of: digest) : []
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
      if mustSync { try sync() }
      return lost
    }
  }
}

extension CommitWork {
  fileprivate var arrival: Arrival? {
    if case .arrival(let arrival) = self { arrival } else { nil }
  }

  /// Whether its row comes to its end when files are in place.
  fileprivate var endsWithFiles: Bool {
    switch self {
    case .arrival: true
    case .pages(_, let change): change.namesFiles
    default: false
    }
  }
}

extension CommitWork.Arrival {
  /// Whether files of the same content matter. There is nothing to share in empty ones.
  fileprivate var mayHaveDuplicate: Bool {
    isDuplicate || file.byteCount > 0
  }

  fileprivate var isDuplicate: Bool {
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
