public import Models
public import Persistence

/// One request and everybody who wants its answer.
public struct Job: Sendable, Equatable {
  /// A resource that is to get the answer.
  public struct Subscriber: Sendable, Equatable {
    public internal(set) var resource: Resource
    /// Of its record.
    public var base: Precedence
    /// Somebody looks at it or waits for it.
    public var raised: Precedence?
    /// It is not of the queue: somebody looks at it or waits for it, and when nobody does any more
    /// it is dropped, unless the transfer has begun.
    public var isOnDemand: Bool
    /// The newest resource when the command that added it began: what was requested later answers it.
    public var since: ResourceID?

    public init(
      resource: Resource, base: Precedence = .normal, raised: Precedence? = nil,
      isOnDemand: Bool = false, since: ResourceID? = nil
    ) {
      self.resource = resource
      self.base = base
      self.raised = raised
      self.isOnDemand = isOnDemand
      self.since = since
    }

    /// Whether it was there, or was about to be added, when the server was asked for that answer.
    func counts(_ answer: StoredFile.Answer) -> Bool {
      resource.id <= answer.asOf || since.map { $0 < answer.asOf } ?? false
    }

    public var precedence: Precedence { raised.map { min($0, base) } ?? base }
  }

  /// What the library has already that may be the answer. An object as `PartialDownload` is, and for
  /// the same reason.
  public final class Held: Sendable, Equatable {
    public let file: ExistingFile
    /// It may be used without asking (RFC 9111 §4.2).
    public let isFresh: Bool

    public init(file: ExistingFile, isFresh: Bool) {
      self.file = file
      self.isFresh = isFresh
    }

    public static func == (a: Held, b: Held) -> Bool { a.file == b.file && a.isFresh == b.isFresh }

    /// It came a moment ago: what had a time to be fresh for is fresh.
    convenience init(_ file: ExistingFile) {
      self.init(file: file, isFresh: file.file.answer?.freshUntil != nil)
    }
  }

  /// What the answer costs.
  public enum Plan: Sendable, Equatable {
    /// No request: what is held is the answer.
    case library
    /// A request that may be answered by `304`.
    case conditional
    case plain
  }

  public let request: RequestKey
  public let host: HostName
  /// What it requests, as whoever came first put it; nil for local files.
  public let url: HTTPURL?
  public var subscribers: [Subscriber]
  /// Earliest start.
  public var notBefore: Double
  /// Failures that count against the retries (`RetryPolicy.failures`).
  public var attempts: Int
  /// What is on disk of an earlier attempt.
  public var partial: PartialDownload?
  /// Whether the store may have a row about its partial file.
  public var mayHaveRow: Bool
  public var held: Held?

  public init(
    request: RequestKey, host: HostName, url: HTTPURL? = nil, subscribers: [Subscriber],
    notBefore: Double = 0, attempts: Int = 0, partial: PartialDownload? = nil,
    mayHaveRow: Bool = false, held: Held? = nil
  ) {
    self.request = request
    self.host = host
    self.url = url
    self.subscribers = subscribers
    self.notBefore = notBefore
    self.attempts = attempts
    self.partial = partial
    self.held = held
    self.mayHaveRow = mayHaveRow || partial != nil
  }

  /// Of its subscribers.
  var ids: [ResourceID] { subscribers.map { $0.resource.id } }

  /// Whether these are its subscribers, in order.
  func isWanted(byNoneBut ids: [ResourceID]) -> Bool {
    subscribers.count == ids.count
      && ids.indices.allSatisfy { subscribers[$0].resource.id == ids[$0] }
  }

  /// Its first subscriber, for whom it begins; nil if there is none.
  var leader: (id: ResourceID, record: RecordID, url: String)? {
    if subscribers.isEmpty { return nil }
    return (
      subscribers[0].resource.id, subscribers[0].resource.record, subscribers[0].resource.url
    )
  }

  /// What it requests in the words of its first subscriber; nil if there is none.
  var text: String? { leader?.url }

  /// More is known of it than the store knows.
  var wasBegun: Bool { attempts > 0 || partial != nil }

  /// That of the subscriber who wants it most.
  public var precedence: Precedence { subscribers.lazy.map(\.precedence).min() ?? .low }

  /// A plain request answers everybody; less will do only if it does for all of them.
  public var plan: Plan {
    guard let held, partial == nil, let answer = held.file.file.answer else { return .plain }
    let digest = held.file.file.digest
    var isAnswered = true
    for subscriber in subscribers {
      let resource = subscriber.resource
      if resource.mustReload { return .plain }
      if let expected = resource.expectedDigest, expected != digest { return .plain }
      // Whoever has a file already asks whether it changed.
      let wasThere = resource.file == nil && subscriber.counts(answer)
      isAnswered =
        isAnswered && (held.isFresh || wasThere || resource.expectedDigest == digest)
    }
    if isAnswered { return .library }
    return held.file.file.validator.isEmpty ? .plain : .conditional
  }
}

extension Validator {
  var isEmpty: Bool { entityTag == nil && lastModified == nil }
}
