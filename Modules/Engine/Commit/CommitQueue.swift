import Models
import Persistence

/// What is on its way into the store.
enum CommitWork: Sendable {
  /// A whole partial file with its destination.
  case arrival(Arrival)
  /// Pages were made of it, or could not be: `.finished` or `.failed`.
  case pages(Resource, ResourceChange)
  /// Given up. Without anything to go on from, the partial file goes too.
  case givenUp(Resource, reason: String, partial: PartialDownload?)
  /// What is in the partial file.
  case partial(Resource, PartialDownload)
  /// The partial file is about to be written from zero: its row must be gone before.
  case partialGone(Resource)

  struct Arrival: Sendable {
    let resource: Resource
    let file: StoredFile
    let record: Record
    /// What comes after `stored`.
    let followUp: ResourceChange
  }

  var resource: Resource {
    switch self {
    case .arrival(let arrival): arrival.resource
    case .pages(let resource, _), .givenUp(let resource, _, _), .partial(let resource, _),
      .partialGone(let resource):
      resource
    }
  }
}

/// Gathers work while a batch is on its way to the disk. First in, first out; no lock, no task.
struct CommitQueue {
  private var pending: [CommitWork] = []
  private var next = 0
  private var inFlight = 0
  /// So many were ever added, and so many are done.
  private(set) var added = 0
  private(set) var done = 0

  static let batchSize = 256

  /// Added and not done.
  var count: Int { added - done }
  var isEmpty: Bool { next == pending.count }

  mutating func add(_ work: CommitWork) {
    pending.append(work)
    added += 1
  }

  /// The next batch; `finishBatch` when it is dealt with.
  mutating func takeBatch() -> [CommitWork] {
    let batch = Array(pending[next..<min(next + Self.batchSize, pending.count)])
    next += batch.count
    if next == pending.count {
      pending.removeAll(keepingCapacity: next <= 4 * Self.batchSize)
      next = 0
    } else if next >= 4 * Self.batchSize {
      pending.removeFirst(next)
      next = 0
    }
    inFlight = batch.count
    return batch
  }

  mutating func finishBatch() {
    done += inFlight
    inFlight = 0
  }

  /// Forgets what waits for a record.
  /// - Returns: whose rows will not be written now.
  mutating func drop(_ record: RecordID) -> [ResourceID] {
    let gone = pending[next...].filter { $0.resource.record == record }
    pending = pending[next...].filter { $0.resource.record != record }
    next = 0
    done += gone.count
    return gone.map(\.resource.id)
  }
}
