import LibraryAPI
import Models
import Persistence

/// What is on its way into the store. What is large is boxed: it goes from queue to queue, and a copy
/// of its parts costs more than the box.
enum CommitWork: Sendable {
  /// A file on its way to its name.
  case arrival(Arrival)
  /// Pages were made of it, or could not be: `.finished` or `.failed`.
  indirect case pages(Resource, ResourceChange)
  indirect case givenUp(Resource, reason: String)
  /// What is in the partial file of a request.
  indirect case partial(RequestKey, PartialDownload)
  /// The partial file is about to be written from zero: its row must be gone before.
  case partialGone(RequestKey)
  /// The partial file is of no use to anybody.
  case litter(RequestKey)
  /// The server confirmed what a resource has (304).
  indirect case confirmed(ResourceID, StoredFile.Answer)
  /// Whoever waits for a resource is told so when all that was said before is written.
  indirect case answered(Resource, failure: LibraryError?)
  /// Nobody waits for it, and it has nothing: a resource of the loose record.
  indirect case removed(Resource)
  /// It is not to be done any more; it keeps its place, for those who wait until what was said
  /// before them is done.
  case dropped

  /// Of which record a row comes to its end by it.
  var settledRecord: RecordID? {
    switch self {
    case .arrival(let arrival): arrival.resource.record
    case .pages(let resource, _), .givenUp(let resource, _): resource.record
    case .partial, .partialGone, .litter, .confirmed, .answered, .removed, .dropped: nil
    }
  }

  /// Whether it may gather with others. What is known of a long body is not kept waiting, nor is whoever
  /// waits for an answer.
  var mayWait: Bool {
    switch self {
    case .arrival, .pages, .dropped: true
    case .givenUp, .partial, .partialGone, .litter, .confirmed, .answered, .removed: false
    }
  }

  /// Whether pages are made of it, or were.
  var concernsPages: Bool {
    switch self {
    case .pages: true
    case .arrival(let arrival): if case .fetched = arrival.followUp { true } else { false }
    case .givenUp, .partial, .partialGone, .litter, .confirmed, .answered, .removed, .dropped: false
    }
  }

  final class Arrival: Sendable {
    /// Where its bytes are.
    enum Origin: Sendable, Equatable {
      /// In the partial file of that request.
      case partial(RequestKey)
      /// In another original, which is linked.
      case twin(ExistingFile)
      /// In a file of our own in the incoming folder.
      case spool(String)
    }

    let resource: Resource
    /// With its name.
    let file: StoredFile
    let record: Record
    let origin: Origin
    /// What comes after `stored`.
    let followUp: ResourceChange
    /// Something may be written down about its partial file.
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

    func from(_ origin: Origin) -> Arrival {
      Arrival(
        resource: resource, file: file, record: record, origin: origin, followUp: followUp)
    }

    /// The file that it takes the place of, if that has another name.
    var replacedName: String? {
      guard let old = resource.file?.name, old != file.name else { return nil }
      return old
    }
  }

  /// Whose partial file or its row is concerned.
  var request: RequestKey? {
    switch self {
    case .partial(let request, _), .partialGone(let request), .litter(let request): return request
    case .arrival(let arrival):
      if case .partial(let request) = arrival.origin { return request }
      return nil
    case .pages, .givenUp, .answered, .removed, .confirmed, .dropped: return nil
    }
  }

  /// Whose row is changed.
  var resource: Resource? {
    switch self {
    case .arrival(let arrival): arrival.resource
    case .pages(let resource, _), .givenUp(let resource, _), .answered(let resource, _),
      .removed(let resource):
      resource
    case .partial, .partialGone, .litter, .confirmed, .dropped: nil
    }
  }
}

/// Gathers work while a batch is on its way to the disk. First in, first out; no lock, no task.
struct CommitQueue {
  private var pending: [CommitWork] = []
  private var next = 0
  private var inFlight: ArraySlice<CommitWork> = []
  /// How much is on its way about the partial file of a request.
  private var concerned = KeyTable<RequestKey, Int>()
  /// So many were ever added, and so many are done.
  private(set) var added = 0
  private(set) var done = 0

  static let batchSize = 512

  /// From the begin of one batch to that of the next while less than a batch has gathered: every batch
  /// costs two transactions and a sync, however small it is, and writes to most pages of the indexes,
  /// however large it is.
  /// In seconds.
  static let interval = 0.050
  /// The same where pages are made of what is committed: whoever draws them waits for it.
  static let intervalOfPages = 0.020
  /// On the engine's clock.
  private var lastBatch: Double?
  /// Something is there that a killed program would miss more than the end of one file.
  private var isUrgent = false
  private var concernsPages = false

  /// Added and not done.
  var count: Int { added - done }
  var isEmpty: Bool { next == pending.count }

  mutating func add(_ work: CommitWork) {
    pending.append(work)
    added += 1
    if !work.mayWait { isUrgent = true }
    if work.concernsPages { concernsPages = true }
    if let request = work.request { concerned[request, default: 0] += 1 }
  }

  /// Until when the next batch should gather; nil when it is due.
  /// - Parameter now: seconds on the engine's clock, as is what is returned.
  func gathersUntil(now: Double) -> Double? {
    guard let lastBatch, !isUrgent, pending.count - next < Self.batchSize else { return nil }
    let interval = concernsPages ? Self.intervalOfPages : Self.interval
    let due = lastBatch + interval
    return due > now ? due : nil
  }

  /// The next batch; `finish` when something of it is dealt with.
  mutating func takeBatch(now: Double) -> [CommitWork] {
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

  /// So much of the batch is dealt with, in order.
  mutating func finish(_ count: Int) {
    done += count
    for work in inFlight.prefix(count) { leave(work) }
    inFlight = inFlight.dropFirst(count)
  }

  /// Nothing of the batch is on its way any more.
  mutating func finishBatch() { finish(inFlight.count) }

  /// Whether something is on its way about the partial file of a request.
  func concerns(_ request: RequestKey) -> Bool { concerned.contains(request) }

  private mutating func leave(_ work: CommitWork) {
    guard let request = work.request, let count = concerned[request] else { return }
    concerned[request] = count > 1 ? count - 1 : nil
  }

  /// Forgets what waits for a record. What others were to be linked to comes to the first of them.
  /// - Returns: whose rows will not be written now.
  mutating func drop(_ record: RecordID) -> [ResourceID] {
    var gone: [ResourceID] = []
    for index in next..<pending.count {
      let work = pending[index]
      guard let resource = work.resource, resource.record == record else { continue }
      gone.append(resource.id)
      leave(work)
      pending[index] = .dropped
      guard case .arrival(let arrival) = work, case .partial(let request) = arrival.origin,
        !transferOwnership(request, of: resource.id, notTo: record)
      else { continue }
      replace(index, .litter(request))
    }
    return gone
  }

  private mutating func replace(_ index: Int, _ work: CommitWork) {
    pending[index] = work
    if let request = work.request { concerned[request, default: 0] += 1 }
  }

  /// - Returns: false if nobody else was to be linked to it.
  private mutating func transferOwnership(
    _ request: RequestKey, of id: ResourceID, notTo record: RecordID
  ) -> Bool {
    var newOwner: ExistingFile?
    for index in next..<pending.count {
      guard case .arrival(let arrival) = pending[index], case .twin(let held) = arrival.origin,
        held.resource == id, arrival.record.id != record
      else { continue }
      replace(index, .arrival(arrival.from(newOwner.map { .twin($0) } ?? .partial(request))))
      if newOwner == nil {
        newOwner = ExistingFile(
          resource: arrival.resource.id, record: arrival.record.id, folder: arrival.record.folder,
          file: arrival.file)
      }
    }
    return newOwner != nil
  }
}
