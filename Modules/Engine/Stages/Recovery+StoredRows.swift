import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

extension Recovery {
  /// The number of rows that are completed with one sync.
  private static let rowsPerPart = 256

  /// Completes rows in state `stored`. A resource whose file is not in place and intact is queued again, and one
  /// whose name the file system refuses fails. Rows for which the disk has no room stay for the next engine.
  func completeStored() async throws {
    var inPlace = DuplicateFiles()
    var last: ResourceID?
    while case let stored = try store.resources(
      in: .stored, of: nil, after: last, limit: Self.rowsPerPart),
      let end = stored.last?.id
    {
      last = end
      var isComplete = false
      try await forgivingFullDisk {
        try await complete(stored, among: &inPlace)
        isComplete = true
      }
      if !isComplete { try await postpone(stored) }
    }
  }

  private func complete(
    _ stored: [Resource], among inPlace: inout DuplicateFiles
  ) async throws {
    try catalog.loadRecords(of: stored)
    let digests = Set(stored.compactMap { $0.file?.digest })
    for (digest, holders) in try store.holders(of: Array(digests), limit: 2) {
      for holder in holders {
        inPlace.register("\(layout.root)/\(holder.folder)/\(holder.file.name)", digest)
      }
    }
    var changes: [ResourceChange] = []
    for resource in stored {
      changes += try await completion(of: resource, among: &inPlace)
    }
    // A sync that fails here leaves the rows as they are, and says nothing about later files.
    let sync = LibrarySync(layout, settings.durability, call: ports.sync)
    try await disk.run { try sync() }
    try store.apply(changes)
    if sync.isEnabled { try await store.sync() }
  }

  /// Puts the file of a `stored` row in place.
  /// - Returns: The changes that give the row its final state; none if the disk is full.
  private func completion(
    of resource: Resource, among inPlace: inout DuplicateFiles
  ) async throws -> [ResourceChange] {
    guard var file = resource.file, let record = records[resource.record] else {
      return [.requeued(resource.id, reason: nil)]
    }
    var outcome = try await recover(resource, file, record, inPlace)
    if case .refused(let error) = outcome, error.isNameTooLong,
      let name = try await shortenedName(file.name)
    {
      file.name = name
      // The row with the new name comes before the file, as in a commit.
      try store.apply([.stored(resource.id, file)])
      outcome = try await recover(resource, file, record, inPlace)
    }
    switch outcome {
    case .inPlace:
      inPlace.register(layout.original(file, in: record), file.digest)
      return [stages.deliveries.followUp(resource, file)]
    case .missing: return [.requeued(resource.id, reason: nil)]
    case .postponed(let error):
      postpone(resource, error)
      return []
    case .refused(let error):
      let reason = Refusal(error: error, hasOldFile: false).reason
      return [.requeued(resource.id, reason: nil), .failed(resource.id, reason: reason, pages: [])]
    }
  }

  private func recover(
    _ resource: Resource, _ file: StoredFile, _ record: Record, _ inPlace: DuplicateFiles
  ) async throws -> CommitRecovery.Outcome {
    let recovery = CommitRecovery(
      file: file, target: layout.original(file, in: record),
      partial: layout.partial(of: catalog.request(of: resource)),
      draft: "\(layout.incoming)/\(resource.id).copy",
      duplicates: inPlace.paths(of: file.digest), folder: layout.folder,
      mustBeDurable: sync.isEnabled
    )
    return try await disk.run { [layout] in
      try recovery.recover(in: layout.folder(of: record), LibraryProbe(layout: layout))
    }
  }

  /// Returns a shorter name that the file system accepts; nil if there is none.
  private func shortenedName(_ name: String) async throws -> String? {
    let probe = LibraryProbe(layout: layout)
    let known = context.nameLimit.length
    guard let limit = try await disk.run({ probe.longestName(upTo: known) }) else { return nil }
    context.nameLimit.lower(to: limit)
    let shortened = FileNaming.shortened(name, to: limit)
    return shortened == name ? nil : shortened
  }

  private func postpone(_ resource: Resource, _ error: SystemError) {
    partialFiles.postpone(catalog.request(of: resource))
    lifecycle.postpone(LibraryError.wrapping(error), bytes: resource.file?.byteCount ?? 0)
  }

  /// Leaves rows as they are, because their final states could not be written.
  private func postpone(_ stored: [Resource]) async throws {
    try catalog.loadRecords(of: stored)
    for resource in stored { partialFiles.postpone(catalog.request(of: resource)) }
    lifecycle.postpone(LibraryError(.diskFull, "\(layout.root): the disk is full"), bytes: 0)
  }
}
