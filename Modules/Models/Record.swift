/// An ordered list of resources with a title and a folder of its own.
public struct Record: Sendable, Equatable {
  public let id: RecordID
  public let source: SourceID
  public let title: String
  /// The folder name below the library; unique under NFC and case folding.
  public let folder: String
  public var isPaused: Bool
  /// Whether only the resources that a viewer displays are fetched.
  public let isLazy: Bool
  /// Whether the record is lazy because a client, such as one of the aria2 interface, keeps the queue of its resources:
  /// what the client has not started does not wait for a viewer, but for the client.
  public let isQueuedByClient: Bool
  public var priority: RecordPriority
  public var counts: ResourceCounts

  /// The beginning of the key of a source whose records have the resources that clients queue themselves.
  public static let clientSourcePrefix = "single:"

  /// Whether everything that is not downloaded waits for a viewer: the record is lazy, and the user has named none of
  /// it.
  public var isOnDemand: Bool { isLazy && counts.named == 0 }

  public init(
    id: RecordID, source: SourceID, title: String, folder: String, isPaused: Bool = false,
    isLazy: Bool = false, isQueuedByClient: Bool = false, priority: RecordPriority = .normal,
    counts: ResourceCounts = ResourceCounts()
  ) {
    self.id = id
    self.source = source
    self.title = title
    self.folder = folder
    self.isPaused = isPaused
    self.isLazy = isLazy
    self.isQueuedByClient = isQueuedByClient
    self.priority = priority
    self.counts = counts
  }
}

/// The order in which records are fetched; records of equal priority are fetched in the order of addition.
public enum RecordPriority: Int, Sendable, CaseIterable, Comparable {
  case low = -1
  case normal = 0
  case high = 1

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The number of resources of a record, or of a library, in each state.
public struct ResourceCounts: Sendable, Equatable {
  public var queued = 0
  public var stored = 0
  public var fetched = 0
  public var finished = 0
  public var failed = 0
  /// The total size of the stored originals in bytes.
  public var bytes: Int64 = 0

  /// The number of queued, stored and fetched resources of a lazy record that the user has named (`Resource.isNamed`).
  public var named = 0

  public init() {}

  public var total: Int { queued + stored + fetched + finished + failed }
  public var settled: Int { finished + failed }

  public subscript(state: ResourceState) -> Int {
    get {
      switch state {
      case .queued: queued
      case .stored: stored
      case .fetched: fetched
      case .finished: finished
      case .failed: failed
      }
    }
    set {
      switch state {
      case .queued: queued = newValue
      case .stored: stored = newValue
      case .fetched: fetched = newValue
      case .finished: finished = newValue
      case .failed: failed = newValue
      }
    }
  }

  public static func += (a: inout ResourceCounts, b: ResourceCounts) {
    for state in ResourceState.allCases { a[state] += b[state] }
    a.bytes += b.bytes
    a.named += b.named
  }
}
