public import Models
public import Persistence

/// A request and all resources that want its response.
public struct Job: Sendable, Equatable {
  /// A resource that receives the response.
  public struct Subscriber: Sendable, Equatable {
    public internal(set) var resource: Resource
    /// The precedence of the resource's record.
    public var base: Precedence
    /// The precedence given by viewers and waiting callers; nil if no viewer or caller wants the resource.
    public var raised: Precedence?
    /// Whether the resource is not part of the queue but requested by a viewer or a caller. The subscriber
    /// is removed when its last viewer or caller leaves, unless the transfer has begun.
    public var isOnDemand: Bool
    /// The newest resource at the time when the command that added this resource began; nil if unknown. An
    /// answer to a request sent after that time is recent enough for this resource.
    public var newestResourceAtAdd: ResourceID?

    public init(
      resource: Resource, base: Precedence = .normal, raised: Precedence? = nil,
      isOnDemand: Bool = false, newestResourceAtAdd: ResourceID? = nil
    ) {
      self.resource = resource
      self.base = base
      self.raised = raised
      self.isOnDemand = isOnDemand
      self.newestResourceAtAdd = newestResourceAtAdd
    }

    /// Returns whether the answer is recent enough: the resource existed, or the command that adds it had
    /// begun, when the request was sent.
    func isRecentEnough(_ answer: StoredFile.Answer) -> Bool {
      resource.id <= answer.asOf || newestResourceAtAdd.map { $0 < answer.asOf } ?? false
    }

    public var precedence: Precedence { raised.map { min($0, base) } ?? base }
  }

  /// An existing file of the library that may be the answer. The type is a class, because few jobs have
  /// such a file and a struct would reserve its space in all of them.
  public final class ExistingAnswer: Sendable, Equatable {
    public let file: ExistingFile
    /// Whether the file may be used without revalidation (RFC 9111 §4.2).
    public let isFresh: Bool

    public init(file: ExistingFile, isFresh: Bool) {
      self.file = file
      self.isFresh = isFresh
    }

    public static func == (a: ExistingAnswer, b: ExistingAnswer) -> Bool {
      a.file == b.file && a.isFresh == b.isFresh
    }

    /// Creates the state of an answer that has just been received; it is fresh if it has a freshness
    /// lifetime.
    convenience init(_ file: ExistingFile) {
      self.init(file: file, isFresh: file.file.answer?.freshUntil != nil)
    }
  }

  /// The kind of request that the job needs.
  public enum Plan: Sendable, Equatable {
    /// No request is sent, because an existing file is the answer.
    case library
    /// A conditional request, which the server may answer with `304`.
    case conditional
    case plain
  }

  /// The properties, which most copies of a job share: a job passes through the queue, the transfer and the delivery.
  private struct Values: Sendable, Equatable {
    let request: RequestKey
    var host: HostName
    var location: ResourceLocation
    var subscribers: [Subscriber]
    var notBefore: Double
    var attempts: Int
    var yields = 0
    var longestPartial: Int64 = 0
    var partial: PartialDownload?
    var mayHaveRow: Bool
    var existing: ExistingAnswer?
    var mirrors: MirrorSelection?
    var contentDescription: ContentDescription?
  }

  private var values: CopyOnWrite<Values>

  public init(
    request: RequestKey, host: HostName, location: ResourceLocation, subscribers: [Subscriber],
    notBefore: Double = 0, attempts: Int = 0, partial: PartialDownload? = nil,
    mayHaveRow: Bool = false, existing: ExistingAnswer? = nil
  ) {
    values = CopyOnWrite(
      Values(
        request: request, host: host, location: location, subscribers: subscribers,
        notBefore: notBefore, attempts: attempts, partial: partial,
        mayHaveRow: mayHaveRow || partial != nil, existing: existing))
  }

  public var request: RequestKey { values.value.request }
  public internal(set) var host: HostName {
    _read { yield values.value.host }
    _modify { yield &values.value.host }
  }
  /// The location as the first subscriber spells it, to which the locations of the others are equivalent; or
  /// the mirror that is requested instead.
  public internal(set) var location: ResourceLocation {
    _read { yield values.value.location }
    _modify { yield &values.value.location }
  }
  public var subscribers: [Subscriber] {
    _read { yield values.value.subscribers }
    _modify { yield &values.value.subscribers }
  }
  /// The earliest start, in seconds on the engine's clock.
  public var notBefore: Double {
    _read { yield values.value.notBefore }
    _modify { yield &values.value.notBefore }
  }
  /// The number of failures that count against the retries (`RetryPolicy.failures`).
  public var attempts: Int {
    _read { yield values.value.attempts }
    _modify { yield &values.value.attempts }
  }
  /// The number of starts of other jobs that are to precede that of this job, at equal precedence; 0 if the job
  /// keeps its place.
  var yields: Int {
    _read { yield values.value.yields }
    _modify { yield &values.value.yields }
  }
  /// The largest number of resumable bytes that any attempt had, also if they were discarded since.
  public var longestPartial: Int64 {
    _read { yield values.value.longestPartial }
    _modify { yield &values.value.longestPartial }
  }
  /// The partial file of an earlier attempt.
  public var partial: PartialDownload? {
    _read { yield values.value.partial }
    _modify { yield &values.value.partial }
  }
  /// Whether the store may have a row for the partial file.
  public var mayHaveRow: Bool {
    _read { yield values.value.mayHaveRow }
    _modify { yield &values.value.mayHaveRow }
  }
  public var existing: ExistingAnswer? {
    _read { yield values.value.existing }
    _modify { yield &values.value.existing }
  }
  /// The URLs of the content with the outcomes of earlier attempts; nil before the first failure, and if there
  /// are no mirrors.
  public internal(set) var mirrors: MirrorSelection? {
    _read { yield values.value.mirrors }
    _modify { yield &values.value.mirrors }
  }
  /// The Metalink description that a response has named; nil if none has. While it is due, `host` is that of the
  /// description, and `mirrors` has the failures of all URLs.
  public internal(set) var contentDescription: ContentDescription? {
    _read { yield values.value.contentDescription }
    _modify { yield &values.value.contentDescription }
  }

  /// The ids of the subscribers.
  var ids: [ResourceID] { subscribers.map { $0.resource.id } }

  /// Returns whether the job's subscribers are exactly the resources `ids`, in the order of `ids`.
  func isWanted(byNoneBut ids: [ResourceID]) -> Bool {
    subscribers.count == ids.count
      && ids.indices.allSatisfy { subscribers[$0].resource.id == ids[$0] }
  }

  /// The first subscriber, to which the progress of the transfer is attributed; nil if there is none.
  var leader: (id: ResourceID, record: RecordID, url: String)? {
    if subscribers.isEmpty { return nil }
    return (
      subscribers[0].resource.id, subscribers[0].resource.record, subscribers[0].resource.url
    )
  }

  /// Whether an earlier attempt has left a retry count or a partial file. The store has no retry counts, so
  /// such a job must stay in memory.
  var wasBegun: Bool { attempts > 0 || partial != nil || mirrors != nil }

  /// The highest precedence among the subscribers.
  public var precedence: Precedence { subscribers.lazy.map(\.precedence).min() ?? .low }

  /// The cheapest kind of request that satisfies all subscribers. A plain request satisfies every one.
  public var plan: Plan {
    guard let existing, partial == nil, let answer = existing.file.file.answer else {
      return .plain
    }
    let digest = existing.file.file.digest
    var isAnswered = true
    for subscriber in subscribers {
      let resource = subscriber.resource
      if resource.mustReload { return .plain }
      // The library does not know checksums of other algorithms.
      if let expected = resource.expectedChecksum, expected.digest != digest { return .plain }
      // A resource with a file is requested to learn whether the file has changed.
      let wasThere = resource.file == nil && subscriber.isRecentEnough(answer)
      isAnswered =
        isAnswered && (existing.isFresh || wasThere || resource.expectedChecksum?.digest == digest)
    }
    if isAnswered { return .library }
    // The validator is that of another server.
    return existing.file.file.validator.isEmpty || isOnMirror ? .plain : .conditional
  }
}

extension Validator {
  var isEmpty: Bool { entityTag == nil && lastModified == nil }
}
