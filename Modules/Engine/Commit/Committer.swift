import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Makes a batch durable: row `stored` → file in place → one `syncfs` → row `fetched` or `finished` → sync
/// of the rows.
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

  private var mustBeDurable: Bool { sync.isEnabled }

  /// A batch being committed. The steps run in the order `lookUp`, `makeRoom`, `writeStoredRows`,
  /// `placeFiles`, `writeFinalRows`.
  /// The steps that concern rows handle one part of the batch per turn; the others wait for the disk and
  /// run once for the whole batch.
  struct Batch: Sendable {
    private(set) var work: [CommitWork]
    fileprivate var duplicates = DuplicateFiles()
    fileprivate var missingDuplicates: Set<ResourceID> = []
    /// The arrivals whose names the file system refuses.
    fileprivate(set) var refusals: [ResourceID: Refusal] = [:]
    /// The arrivals to be placed; nil means all of them.
    fileprivate var renamed: Set<ResourceID>?

    init(_ work: [CommitWork]) {
      self.work = work
      let digests = arrivals.filter(\.mayHaveDuplicate).map(\.file.digest)
      duplicates.isNeeded =
        Set(digests).count < digests.count || arrivals.contains(where: \.isDuplicate)
    }

    /// The indices of the work whose rows are written after the files are in place.
    var workWithFinalRows: [Int] { work.indices.filter { work[$0].endsWithFiles } }

    fileprivate var arrivals: [CommitWork.Arrival] { work.compactMap(\.arrival) }

    /// Whether names were refused because of their length.
    var hasLongNames: Bool { refusals.values.contains { $0.error.isNameTooLong } }

    /// Shortens the names that were refused because of their length. The rows of these arrivals must be written
    /// again, and then their files be placed.
    /// - Returns: The indices of the arrivals with new names.
    mutating func shortenNames(to limit: Int) -> [Int] {
      var changed: [Int] = []
      for index in work.indices {
        guard let arrival = work[index].arrival,
          refusals[arrival.resource.id]?.error.isNameTooLong ?? false
        else { continue }
        var file = arrival.file
        file.name = FileNaming.shortened(file.name, to: limit)
        guard file.name != arrival.file.name else { continue }
        refusals[arrival.resource.id] = nil
        work[index] = .arrival(arrival.withFile(file))
        changed.append(index)
      }
      renamed = Set(changed.compactMap { work[$0].arrival?.resource.id })
      return changed
    }

    /// Drops work from the batch.
    mutating func dropWork(_ index: Int) { work[index] = .dropped }
  }

  /// Looks up originals with the same content as the arrivals, so that no content is stored twice.
  func lookUp(
    _ part: Range<Int>, of batch: inout Batch, in store: any LibraryStore
  ) throws(StoreError) {
    let arrivals = batch.work[part].compactMap(\.arrival).filter(\.mayHaveDuplicate)
    let contents = Set(arrivals.map(\.file.digest))
    guard !contents.isEmpty else { return }
    for (digest, holders) in try store.holders(of: Array(contents), limit: 2) {
      for holder in holders {
        batch.duplicates.register("\(layout.root)/\(holder.folder)/\(holder.file.name)", digest)
      }
    }
  }

  /// Prepares the replacement of files. The new bytes are synced before the row of the old file changes. An
  /// old file with another name is deleted now, because its name is lost when the row changes.
  func makeRoom(for batch: Batch) async throws {
    let replacing = batch.arrivals.filter { $0.resource.file != nil }
    guard !replacing.isEmpty else { return }
    let old = replacing.compactMap { arrival in
      arrival.replacedName.map { "\(layout.folder(of: arrival.record))/\($0)" }
    }
    try await disk.run { [layout, sync] in
      try sync()
      for path in old { try layout.folder.removeUnlessRefused(path) }
    }
  }

  /// Writes the rows as `stored`. If the process ends after the group is committed, the next start of the
  /// engine completes this part of the batch.
  /// - Parameter body: Changes that belong to the same transaction.
  func writeStoredRows(
    _ part: Range<Int>, of batch: Batch, in store: any LibraryStore,
    with body: () throws(StoreError) -> Void = {}
  ) throws(StoreError) {
    let notes = RowChanges(batch.work[part])
    try store.addToGroup { () throws(StoreError) in
      try body()
      try store.apply(notes.changes + notes.stored)
    }
  }

  /// Writes the rows of arrivals with new names as `stored`, in place of the rows with the refused names.
  func rewriteStoredRows(
    _ part: some Collection<Int>, of batch: Batch, in store: any LibraryStore
  ) throws(StoreError) {
    let arrivals = part.compactMap { batch.work[$0].arrival }
    try store.addToGroup { () throws(StoreError) in
      try store.apply(arrivals.map { .stored($0.resource.id, $0.file) })
    }
  }

  /// Whether the caller must sync the rows after `writeFinalRows`: because the results of resources are about to be
  /// announced, or because a partial file is about to be overwritten, and a power cut must not restore its row.
  func mustSyncRows(of batch: Batch) -> Bool {
    mustBeDurable
      && batch.work.contains { work in
        switch work {
        case .arrival, .pages, .failed, .kept, .partialDeleted: true
        // Announces nothing, or concerns the cache of standalone resources, which may be lost.
        case .partial, .movedPartial, .discardPartial, .confirmed, .answered, .removed, .dropped:
          false
        }
      }
  }

  /// Writes the final states of the rows. No result of the batch is announced before the group is committed
  /// and, if `mustSyncRows`, synced. A power cut before the sync leaves rows in state `stored` and complete
  /// files.
  /// - Parameter part: Indices of `workWithFinalRows`, in order.
  /// - Returns: The arrivals whose duplicate was missing. Their rows are back in state `queued`.
  func writeFinalRows(
    _ part: some Collection<Int>, of batch: Batch, in store: any LibraryStore
  ) throws(StoreError) -> [CommitWork.Arrival] {
    var pages: [ResourceChange] = []
    var followUps: [ResourceChange] = []
    var lost: [CommitWork.Arrival] = []
    for index in part {
      switch batch.work[index] {
      case .arrival(let arrival) where batch.missingDuplicates.contains(arrival.resource.id):
        lost.append(arrival)
        followUps.append(.requeued(arrival.resource.id, reason: nil))
      case .arrival(let arrival) where batch.refusals[arrival.resource.id] != nil:
        followUps += batch.refusals[arrival.resource.id]?.changes(of: arrival) ?? []
      case .arrival(let arrival): followUps.append(arrival.followUp)
      case .pages(_, let change): pages.append(change)
      default: break
      }
    }
    try store.addToGroup { () throws(StoreError) in
      try store.apply(pages + followUps)
    }
    return lost
  }

  /// The changes of rows that a part of a batch writes before its files are in place.
  private struct RowChanges {
    /// The changes to apply before the changes to state `stored`.
    var changes: [ResourceChange] = []
    var stored: [ResourceChange] = []

    init(_ part: ArraySlice<CommitWork>) {
      for work in part {
        switch work {
        case .arrival(let arrival):
          stored.append(.stored(arrival.resource.id, arrival.file))
          if case .partial(let request) = arrival.origin, arrival.mayHaveRow {
            changes.append(.partialDeleted(request))
          }
        case .pages(_, let change): if !change.namesFiles { changes.append(change) }
        case .failed(let resource, let reason):
          changes.append(.failed(resource.id, reason: reason, pages: []))
        case .kept(let kept): changes.append(kept.change)
        case .partial(let request, let partial), .movedPartial(_, let request, let partial):
          changes.append(.partial(request, partial))
        case .partialDeleted(let request):
          changes.append(.partialDeleted(request))
        case .discardPartial(let request): changes.append(.partialDeleted(request))
        case .confirmed(let id, let answer): changes.append(.answering(id, answer))
        case .answered, .dropped: break
        case .removed(let resource): changes.append(.removed(resource.id))
        }
      }
    }
  }

  /// Moves the files into place, deletes useless partial files, and waits until everything is on the disk. A name
  /// that the file system refuses fails only its arrival.
  func placeFiles(_ batch: inout Batch) async throws {
    let (renamed, isFirst) = (batch.renamed, batch.renamed == nil)
    let arrivals = batch.arrivals.filter { renamed?.contains($0.resource.id) ?? true }
    let discarded = batch.work.compactMap { work in
      if isFirst, case .discardPartial(let request) = work {
        layout.partial(of: request)
      } else {
        nil
      }
    }
    let moved: [(old: String, new: String)] = batch.work.compactMap { work in
      guard isFirst, case .movedPartial(let old, let new, _) = work else { return nil }
      return (layout.partial(of: old), layout.partial(of: new))
    }
    let mustSync = mustBeDurable && batch.work.contains(where: \.endsWithFiles)
    guard mustSync || !arrivals.isEmpty || !discarded.isEmpty || !moved.isEmpty else { return }
    let placed = try await disk.run {
      [layout, placement, sync, duplicates = batch.duplicates] in
      var placed = PlacedFiles(duplicates: duplicates)
      for path in discarded { try layout.folder.removeUnlessRefused(path) }
      // A partial file that cannot be renamed is downloaded again; its row without a file says nothing.
      for (old, new) in moved { try? layout.folder.rename(old, to: new) }
      let folders = OpenFolders(layout)
      for arrival in arrivals {
        try placed.place(arrival, placement, through: folders, layout)
      }
      if mustSync { try sync() }
      return placed
    }
    batch.duplicates = placed.duplicates
    batch.missingDuplicates.formUnion(placed.missing)
    batch.refusals.merge(placed.refused) { $1 }
  }

  /// Deletes the downloaded bytes of arrivals whose names are refused.
  func removeRefused(_ batch: Batch) async throws {
    let refused = batch.arrivals.filter { batch.refusals[$0.resource.id] != nil }
    guard !refused.isEmpty else { return }
    try await disk.run { [layout] in
      for path in refused.flatMap({ $0.temporaryFiles(in: layout) }) {
        try layout.folder.removeUnlessRefused(path)
      }
    }
  }
}

extension CommitWork {
  var arrival: Arrival? {
    if case .arrival(let arrival) = self { arrival } else { nil }
  }

  /// Whether the row reaches its final state only after files are in place.
  fileprivate var endsWithFiles: Bool {
    switch self {
    case .arrival: true
    case .pages(_, let change): change.namesFiles
    default: false
    }
  }
}

extension CommitWork.Arrival {
  /// Whether to look for originals with the same content. Empty files have no bytes to share.
  var mayHaveDuplicate: Bool {
    isDuplicate || file.byteCount > 0
  }

  /// The paths at which the file may be before it is in place.
  fileprivate func temporaryFiles(in layout: LibraryLayout) -> [String] {
    let path: String
    switch origin {
    case .partial(let request): path = layout.partial(of: request)
    case .spool(let spool): path = spool
    case .existing: return ["\(layout.incoming)/\(resource.id).link"]
    }
    return [path, path + ".link"]
  }

  fileprivate var isDuplicate: Bool {
    if case .existing = origin { true } else { false }
  }
}

extension ResourceChange {
  /// Whether the change names renditions, which must be on the disk before the change is.
  fileprivate var namesFiles: Bool {
    switch self {
    case .finished(_, let pages, _), .failed(_, _, let pages):
      pages.contains { $0.file != nil || $0.thumbnail != nil }
    default: false
    }
  }
}
