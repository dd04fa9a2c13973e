public import Models

public struct SourceDraft: Sendable, Equatable {
  /// What makes two adds the same: canonical URL, real path, or a hash of what came by stdin.
  public var key: String
  /// As the user gave it.
  public var location: String
  /// The name of the list's format if the user gave one; nil means recognised by content.
  public var format: String?
  /// Its records are fetched as they are looked at.
  public var isLazy: Bool

  public init(key: String, location: String, format: String? = nil, isLazy: Bool = false) {
    self.key = key
    self.location = location
    self.format = format
    self.isLazy = isLazy
  }
}

public struct SourceRow: Sendable, Equatable {
  public let id: SourceID
  public let draft: SourceDraft
  public var state: SourceState

  public init(id: SourceID, draft: SourceDraft, state: SourceState = SourceState()) {
    self.id = id
    self.draft = draft
    self.state = state
  }

  public var key: String { draft.key }
  public var location: String { draft.location }
}

/// What a source's last answer said.
public struct SourceState: Sendable, Equatable {
  /// Of its first page; empty for a local file.
  public var validator: Validator
  /// Absolute URL of the first page that was not read yet.
  public var nextPage: String?
  /// It came from a public address: what it names may not lead to a private one.
  public var isPublic: Bool
  /// It is a series: its slices never change (SV4).
  public var isSeries: Bool

  public init(
    validator: Validator = Validator(), nextPage: String? = nil, isPublic: Bool = false,
    isSeries: Bool = false
  ) {
    self.validator = validator
    self.nextPage = nextPage
    self.isPublic = isPublic
    self.isSeries = isSeries
  }
}

/// What a user changed while an engine ran.
public struct LibraryState: Sendable, Equatable {
  public var isPaused = false
  /// In place of `network.maxConcurrentDownloads`.
  public var concurrency: Int?
  /// In place of `network.maxPerHost`.
  public var perHost: Int?

  public init() {}
}

/// A resource whose original was being turned into pages when the engine wrote this down.
public struct PageWork: Sendable, Equatable {
  public let resource: ResourceID
  /// How many engines have ended while they processed it.
  public var interruptionCount: Int
  /// Whether it is being processed now, or will be in a moment.
  public var isRunning: Bool

  public init(_ resource: ResourceID, interruptionCount: Int = 0, isRunning: Bool) {
    self.resource = resource
    self.interruptionCount = interruptionCount
    self.isRunning = isRunning
  }
}

/// Where new ones go.
public enum InsertPosition: Sendable, Equatable {
  case end, top
}

/// Ids that were given at once, in order; empty if `first` is above `last`.
public struct ResourceIDRange: Sendable, Equatable {
  public let first: ResourceID
  public let last: ResourceID

  public init(first: ResourceID, last: ResourceID) {
    self.first = first
    self.last = last
  }
}

/// A file in place and whose it is.
public struct ExistingFile: Sendable, Equatable {
  public let resource: ResourceID
  public let record: RecordID
  /// Of its record.
  public let folder: String
  public let file: StoredFile

  public init(resource: ResourceID, record: RecordID, folder: String, file: StoredFile) {
    self.resource = resource
    self.record = record
    self.folder = folder
    self.file = file
  }
}

public enum CacheName: String, Sendable, CaseIterable {
  /// Thumbnails and pages, by the name of the file.
  case renditions
  /// Resources that no record owns, by id.
  case loose
}

public struct CacheEntry: Sendable, Equatable {
  public let name: String
  public let bytes: Int64

  public init(name: String, bytes: Int64) {
    self.name = name
    self.bytes = bytes
  }
}

public struct CacheSize: Sendable, Equatable {
  public var count: Int
  public var bytes: Int64

  public init(count: Int = 0, bytes: Int64 = 0) {
    self.count = count
    self.bytes = bytes
  }
}

public struct RecordDraft: Sendable, Equatable {
  public var source: SourceID
  public var title: String
  public var folder: String
  public var isLazy: Bool

  public init(source: SourceID, title: String, folder: String, isLazy: Bool = false) {
    self.source = source
    self.title = title
    self.folder = folder
    self.isLazy = isLazy
  }
}

public struct ResourceDraft: Sendable, Equatable {
  public var url: String
  public var title: String?
  public var expectedDigest: Digest?
  public var fields: HTTPFields

  public init(
    url: String, title: String? = nil, expectedDigest: Digest? = nil,
    fields: HTTPFields = HTTPFields()
  ) {
    self.url = url
    self.title = title
    self.expectedDigest = expectedDigest
    self.fields = fields
  }
}

/// One change. Applying it to an id that is gone does nothing. The store does not judge: every
/// change applies in every state.
public enum ResourceChange: Sendable, Equatable {
  /// A download began: one attempt more.
  case attempted(ResourceID)
  /// Partial data of a request is on disk.
  case partial(RequestKey, PartialDownload)
  /// Forget partial data.
  case partialGone(RequestKey)
  /// → `stored`; forgets the reason and the pages of an older file, and that it was to be reloaded.
  case stored(ResourceID, StoredFile)
  /// → `fetched`; nothing else changes.
  case fetched(ResourceID)
  /// → `finished`, with its pages in place of older ones. `reason`: what could not be shown (RM5).
  case finished(ResourceID, pages: [Page], reason: String?)
  /// → `failed`; a stored file and partial data stay known; pages given take the place of older
  /// ones. What was to be reloaded stays so.
  case failed(ResourceID, reason: String, pages: [Page])
  /// → `queued` as if new, with why: no attempts; the stored file and its pages are forgotten,
  /// partial data is not.
  case requeued(ResourceID, reason: String?)
  /// What the file answers from now on: the server said that it still is the answer. nil means it was not
  /// found where it should be, and answers nothing before another file takes its place. Nothing for a
  /// resource without a file.
  case answering(ResourceID, StoredFile.Answer?)
  /// The resource is gone, with its file's row and pages. For the loose record, which has no order.
  case removed(ResourceID)
}

/// Width and height of a page.
public struct PageSize: Sendable, Equatable {
  /// Pixels.
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A change of all rows that a record has when it begins.
public enum RecordVerb: Sendable, Equatable {
  /// queued → failed with that reason; a queued one that has a file keeps it and becomes `fetched`:
  /// nobody knows any more what came of its pages.
  case cancel(reason: String)
  /// failed → queued with no reason and zero attempts; a stored file, pages and partial data stay known.
  /// What has failed with exactly that reason and has a file that is not to be reloaded becomes
  /// `fetched` instead.
  case retry(processing: String)
  /// Any state → queued, to be fetched whatever is there; files and pages stay until the new ones take
  /// their place.
  case reload
}
