import LibraryAPI
import Models
import Persistence

/// A pending change of the store. Large payloads are boxed, because work moves between queues, and
/// copying a payload costs more than the box.
enum CommitWork: Sendable {
  /// A complete file to be moved to its name in the library.
  case arrival(Arrival)
  /// The result of making pages, either `.finished` or `.failed`.
  indirect case pages(Resource, ResourceChange)
  indirect case failed(Resource, reason: String)
  /// A newer version of the resource's file could not be downloaded, so that the file stays.
  case kept(KeptFile)
  /// The resumable state of the partial file of a request.
  indirect case partial(RequestKey, PartialDownload)
  /// The partial file of the first request becomes that of the second one, whose resumable state follows. The row of the
  /// first one is to be deleted by the next work (`partialDeleted`).
  indirect case movedPartial(from: RequestKey, to: RequestKey, PartialDownload)
  /// The partial file is about to be overwritten from its first byte, so its row must be deleted first.
  case partialDeleted(RequestKey)
  /// The partial file cannot be resumed; the file and its row are to be deleted.
  case discardPartial(RequestKey)
  /// The server confirmed the file of a resource (304).
  indirect case confirmed(ResourceID, StoredFile.Answer)
  /// Resumes the callers that wait for a resource, once all earlier work is committed.
  indirect case answered(Resource, failure: LibraryError?)
  /// A standalone resource without a file or waiting callers; its row is to be deleted.
  indirect case removed(Resource)
  /// Cancelled work. Its entry stays in the queue, so that `addedCount` and `completedCount` still count
  /// it.
  case dropped

  /// The record in which this work writes a final state; nil if it writes none.
  var finalizedRecord: RecordID? {
    switch self {
    case .arrival(let arrival): arrival.resource.record
    case .pages(let resource, _), .failed(let resource, _): resource.record
    case .kept(let kept): kept.resource.record
    case .partial, .movedPartial, .partialDeleted, .discardPartial, .confirmed, .answered, .removed,
      .dropped:
      nil
    }
  }

  /// Whether the work may be delayed to gather a larger batch. The state of a long partial file and answers
  /// to waiting callers are not delayed.
  var mayWait: Bool {
    switch self {
    case .arrival, .pages, .dropped: true
    case .failed, .kept, .partial, .movedPartial, .partialDeleted, .discardPartial, .confirmed,
      .answered, .removed:
      false
    }
  }

  /// Whether the work leads to pages or is the result of making them.
  var concernsPages: Bool {
    switch self {
    case .pages: true
    case .arrival(let arrival): if case .fetched = arrival.followUp { true } else { false }
    case .kept(let kept): kept.needsPages
    case .failed, .partial, .movedPartial, .partialDeleted, .discardPartial, .confirmed, .answered,
      .removed, .dropped:
      false
    }
  }

  final class Arrival: Sendable {
    /// The location of the file's bytes.
    enum Origin: Sendable, Equatable {
      /// The partial file of a request.
      case partial(RequestKey)
      /// The original of another resource; the file becomes a link to it or to another file of equal
      /// content.
      case existing(ExistingFile)
      /// The spool of a source that is a single resource, with the path of the spool.
      case spool(String)
    }

    let resource: Resource
    /// The file, with its name in the library.
    let file: StoredFile
    let record: Record
    let origin: Origin
    /// The change of the row after the state `stored`, once the file is in place.
    let followUp: ResourceChange
    /// Whether the store may have a row for the partial file.
    let mayHaveRow: Bool

    init(
      resource: Resource, file: StoredFile, record: Record, origin: Origin,
      followUp: ResourceChange, mayHaveRow: Bool = true
    ) {
      self.resource = resource
      self.file = file
      self.record = record
      self.origin = origin
      self.followUp = followUp
      self.mayHaveRow = mayHaveRow
    }

    func withOrigin(_ origin: Origin) -> Arrival {
      Arrival(
        resource: resource, file: file, record: record, origin: origin, followUp: followUp)
    }

    func withFile(_ file: StoredFile) -> Arrival {
      Arrival(
        resource: resource, file: file, record: record, origin: origin, followUp: followUp,
        mayHaveRow: mayHaveRow)
    }

    /// The name of the old file that this arrival replaces; nil if no file is replaced or the names are
    /// equal.
    var replacedName: String? {
      guard let old = resource.file?.name, old != file.name else { return nil }
      return old
    }
  }

  /// The request whose partial file, or whose row of a partial file, this work changes.
  var request: RequestKey? {
    switch self {
    case .partial(let request, _), .movedPartial(_, let request, _), .partialDeleted(let request),
      .discardPartial(let request):
      return request
    case .arrival(let arrival):
      if case .partial(let request) = arrival.origin { return request }
      return nil
    case .pages, .failed, .kept, .answered, .removed, .confirmed, .dropped: return nil
    }
  }

  /// The resource whose row this work changes.
  var resource: Resource? {
    switch self {
    case .arrival(let arrival): arrival.resource
    case .kept(let kept): kept.resource
    case .pages(let resource, _), .failed(let resource, _), .answered(let resource, _),
      .removed(let resource):
      resource
    case .partial, .movedPartial, .partialDeleted, .discardPartial, .confirmed, .dropped: nil
    }
  }
}

/// A first-in, first-out queue that gathers work while a batch is being committed. The queue needs no lock,
/// because it belongs to the engine's isolation.
struct CommitQueue {
  private var pending: [CommitWork] = []
  private var next = 0
  private var inFlight: ArraySlice<CommitWork> = []
  /// The number of uncommitted changes to the partial file of each request.
  private var uncommittedChangeCounts = KeyTable<RequestKey, Int>()
  /// The numbers of changes added to the queue, and of changes finished, since the engine was created.
  private(set) var addedCount = 0
  private(set) var completedCount = 0

  static let batchSize = 512

  /// The shortest time between the starts of two batches, in seconds, while less than a full batch has
  /// gathered. Batches of any size cost two transactions and a sync, and write to most pages of the
  /// indexes, so a few large batches cost less than many small ones.
  static let interval = 0.050
  /// The shortest time between the starts of two batches, in seconds, if the next batch leads to page work,
  /// for which page makers wait.
  static let pageInterval = 0.020
  /// The start of the last batch, in seconds on the engine's clock.
  private var lastBatch: Double?
  /// Whether a pending change must not be delayed (`CommitWork.mayWait`).
  private var isUrgent = false
  private var concernsPages = false

  /// The number of changes that are added and not finished.
  var count: Int { addedCount - completedCount }
  var isEmpty: Bool { next == pending.count }

  mutating func enqueue(_ work: CommitWork) {
    pending.append(work)
    addedCount += 1
    if !work.mayWait { isUrgent = true }
    if work.concernsPages { concernsPages = true }
    if let request = work.request { uncommittedChangeCounts[request, default: 0] += 1 }
  }

  /// Returns the time until which the next batch should gather; nil if it is due.
  /// - Parameter now: The current time, in seconds on the engine's clock, like the result.
  func gathersUntil(now: Double) -> Double? {
    guard let lastBatch, !isUrgent, pending.count - next < Self.batchSize else { return nil }
    let interval = concernsPages ? Self.pageInterval : Self.interval
    let due = lastBatch + interval
    return due > now ? due : nil
  }

  /// Dequeues the next batch. The caller reports its progress with `recordCompletion(of:)`.
  mutating func dequeueBatch(now: Double) -> [CommitWork] {
    lastBatch = now
    let batch = Array(pending[next..<min(next + Self.batchSize, pending.count)])
    next += batch.count
    if next == pending.count {
      isUrgent = false
      concernsPages = false
      pending.removeAll(keepingCapacity: next <= 4 * Self.batchSize)
      next = 0
    } else if next >= 4 * Self.batchSize {
      pending.removeFirst(next)
      next = 0
    }
    inFlight = batch[...]
    return batch
  }

  /// Marks the next `count` changes of the batch as finished, in order.
  mutating func recordCompletion(of count: Int) {
    completedCount += count
    for work in inFlight.prefix(count) { releaseRequest(work) }
    inFlight = inFlight.dropFirst(count)
  }

  /// Marks the rest of the batch as finished.
  mutating func finishBatch() { recordCompletion(of: inFlight.count) }

  /// Returns whether a change to the partial file of a request is uncommitted.
  func hasUncommittedChange(of request: RequestKey) -> Bool {
    uncommittedChangeCounts.contains(request)
  }

  private mutating func releaseRequest(_ work: CommitWork) {
    guard let request = work.request, let count = uncommittedChangeCounts[request] else { return }
    uncommittedChangeCounts[request] = count > 1 ? count - 1 : nil
  }

  /// Drops the pending work of a record. If resources of other records were to be linked to one of its
  /// files, ownership of the file passes to the first of them.
  /// - Returns: The ids of the resources whose work was dropped.
  mutating func dropWork(_ record: RecordID) -> [ResourceID] {
    var gone: [ResourceID] = []
    for index in next..<pending.count {
      let work = pending[index]
      guard let resource = work.resource, resource.record == record else { continue }
      gone.append(resource.id)
      releaseRequest(work)
      pending[index] = .dropped
      guard case .arrival(let arrival) = work, case .partial(let request) = arrival.origin,
        !transferOwnership(request, of: resource.id, notTo: record)
      else { continue }
      replace(index, .discardPartial(request))
    }
    return gone
  }

  private mutating func replace(_ index: Int, _ work: CommitWork) {
    pending[index] = work
    if let request = work.request { uncommittedChangeCounts[request, default: 0] += 1 }
  }

  /// Makes the first resource of another record that was to be linked to the file its new owner, and links
  /// all further ones to the new owner's file.
  /// - Returns: false if no resource of another record was to be linked to the file.
  private mutating func transferOwnership(
    _ request: RequestKey, of id: ResourceID, notTo record: RecordID
  ) -> Bool {
    var newOwner: ExistingFile?
    for index in next..<pending.count {
      guard case .arrival(let arrival) = pending[index],
        case .existing(let existing) = arrival.origin,
        existing.resource == id, arrival.record.id != record
      else { continue }
      replace(
        index, .arrival(arrival.withOrigin(newOwner.map { .existing($0) } ?? .partial(request))))
      if newOwner == nil {
        newOwner = ExistingFile(
          resource: arrival.resource.id, record: arrival.record.id, folder: arrival.record.folder,
          file: arrival.file)
      }
    }
    return newOwner != nil
  }
}
