public import Models

public struct SourceDraft: Sendable, Equatable {
  /// The identity of the source, equal for two adds of the same source: the canonical URL, the real path, or
  /// a hash of the data read from standard input.
  public var key: String
  /// The URL or path as the user gave it.
  public var location: String
  /// The form that the user chose (`SourceForm.text`): the name of the manifest format, and the columns of a
  /// table; if nil, the format is recognised by content.
  public var format: String?
  /// Whether resources of the source are downloaded only when they are visible in a viewer.
  public var isLazy: Bool
  /// The options of the source's requests without credentials, in the engine's form; nil if there are none.
  public var options: String?

  public init(
    key: String, location: String, format: String? = nil, isLazy: Bool = false,
    options: String? = nil
  ) {
    self.key = key
    self.location = location
    self.format = format
    self.isLazy = isLazy
    self.options = options
  }
}

public struct SourceRow: Sendable, Equatable {
  public let id: SourceID
  public var draft: SourceDraft
  public var state: SourceState

  public init(id: SourceID, draft: SourceDraft, state: SourceState = SourceState()) {
    self.id = id
    self.draft = draft
    self.state = state
  }

  public var key: String { draft.key }
  public var location: String { draft.location }
}

/// The part of a source's last response that later requests need.
public struct SourceState: Sendable, Equatable {
  /// The validator of the source's first page. For a local file, the entity tag is the digest of the content that `add`
  /// has read; it is empty after a refresh.
  public var validator: Validator
  /// The absolute URL of the source's first page that has not been read yet; nil if there is none.
  public var nextPage: String?
  /// Whether the source came from a public address, so that its URLs must not lead to private addresses.
  public var isPublic: Bool
  /// Whether the source is a series of slices, which never change (SV4).
  public var isSeries: Bool
  /// The way in which the source's text was read (`RecordedLayout.text`), so that later readings agree with it;
  /// nil if it is not known, or if the source is no text.
  public var layout: String?
  /// The format of the source's first document (`ContentFormat.text`) when it was first read, so that
  /// an error page is not taken for a later version of it; nil if it is not known.
  public var format: String?
  /// Whether limits kept the source from being read to its end, so that what is missing follows what is known.
  public var isCut: Bool
  /// Whether the responses with the source's documents have set cookies, which are not stored.
  public var setsCookies: Bool

  public init(
    validator: Validator = Validator(), nextPage: String? = nil, isPublic: Bool = false,
    isSeries: Bool = false, layout: String? = nil, format: String? = nil, isCut: Bool = false,
    setsCookies: Bool = false
  ) {
    self.validator = validator
    self.nextPage = nextPage
    self.isPublic = isPublic
    self.isSeries = isSeries
    self.layout = layout
    self.format = format
    self.isCut = isCut
    self.setsCookies = setsCookies
  }
}

/// The settings that a user changed while an engine ran.
public struct LibraryState: Sendable, Equatable {
  public var isPaused = false
  /// Overrides `network.maxConcurrentDownloads`; nil leaves the setting in force.
  public var concurrency: Int?
  /// Overrides `network.maxPerHost`; nil leaves the setting in force.
  public var perHost: Int?
  /// Overrides `network.limitRate`, in bytes per second, 0 for no limit; nil leaves the setting in force.
  public var rateLimit: Int?

  public init() {}
}

/// A resource whose original was being rendered into pages when the engine wrote this entry.
public struct PageWork: Sendable, Equatable {
  public let resource: ResourceID
  /// The number of engines that have ended while they processed the resource.
  public var interruptionCount: Int
  /// Whether the resource is being processed or is about to be.
  public var isRunning: Bool

  public init(_ resource: ResourceID, interruptionCount: Int = 0, isRunning: Bool) {
    self.resource = resource
    self.interruptionCount = interruptionCount
    self.isRunning = isRunning
  }
}

/// The place of new records in the list, or of new resources in a record.
public enum InsertPosition: Sendable, Equatable {
  case end, top
}

/// The ids of resources that were added together, in order; empty if `first` exceeds `last`.
public struct ResourceIDRange: Sendable, Equatable {
  public let first: ResourceID
  public let last: ResourceID

  public init(first: ResourceID, last: ResourceID) {
    self.first = first
    self.last = last
  }
}

/// A file at its final path, with the resource and the record that own it.
public struct ExistingFile: Sendable, Equatable {
  public let resource: ResourceID
  public let record: RecordID
  /// The folder of the record, relative to the library.
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
  /// Thumbnails and pages; an entry's name is the name of its file.
  case renditions
  /// The standalone resources; an entry's name is the id of its resource.
  case standalone
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
  public var expectedChecksum: Checksum?
  public var fields: HTTPFields
  /// URLs, without line feeds; the store keeps the first ``Resource/mirrorLimit`` of them.
  public var mirrors: [String]
  public var expectedByteCount: Int64?

  public init(
    url: String, title: String? = nil, expectedChecksum: Checksum? = nil,
    fields: HTTPFields = HTTPFields(), mirrors: [String] = [], expectedByteCount: Int64? = nil
  ) {
    self.url = url
    self.title = title
    self.expectedChecksum = expectedChecksum
    self.fields = fields
    self.mirrors = mirrors
    self.expectedByteCount = expectedByteCount
  }
}

/// A change of one resource or partial download. Applying a change to a missing id has no effect. The store
/// does not check state transitions: every change applies in every state.
public enum ResourceChange: Sendable, Equatable {
  /// A download began: increments the number of attempts.
  case attempted(ResourceID)
  /// A part of the response to a request is in a partial file on disk.
  case partial(RequestKey, PartialDownload)
  /// The partial file of a request was deleted.
  case partialDeleted(RequestKey)
  /// → `stored`. The remark of the file replaces the reason. Clears the pages of an older file and `mustReload`.
  case stored(ResourceID, StoredFile)
  /// → `fetched`. Changes no other field.
  case fetched(ResourceID)
  /// → `finished`. The pages replace older ones; `reason` describes the parts that could not be rendered
  /// (RM5).
  case finished(ResourceID, pages: [Page], reason: String?)
  /// → `failed`. The stored file, partial data and `mustReload` stay; `pages` replaces older ones.
  case failed(ResourceID, reason: String, pages: [Page])
  /// → `queued` like a new resource, with a reason: resets the attempts and removes the stored file and its
  /// pages, but not the partial data.
  case requeued(ResourceID, reason: String?)
  /// → `queued`, with no reason and zero attempts. The stored file, its pages and partial data stay; with
  /// `mustReload` the resource is downloaded although it has a file.
  case queuedAgain(ResourceID, mustReload: Bool)
  /// → `fetched` or, if no pages are to be made of the file, `finished`, because a newer version could not be
  /// downloaded: the stored file and its pages stay, the remark becomes the reason, and `mustReload` is removed.
  case kept(ResourceID, remark: String, needsPages: Bool)
  /// Sets or removes the mark that the user has named the resource (`Resource.isNamed`), which the change to `finished` or
  /// `failed` removes as well. Only for resources of lazy records.
  case named(ResourceID, Bool)
  /// Replaces the request that the stored file answers, after the server confirmed that the file is current.
  /// nil means that the file was missing from its path, so that it answers no request until another file
  /// replaces it. Has no effect on a resource without a file.
  case answering(ResourceID, StoredFile.Answer?)
  /// Replaces the mirrors, of which the first ``Resource/mirrorLimit`` are kept, and the expected size in bytes.
  case mirrored(ResourceID, mirrors: [String], byteCount: Int64?)
  /// Replaces the URL of the resource. Its file, which stays, answers the request that it was stored for.
  case relocated(ResourceID, url: String)
  /// Replaces the checksum that the content must have; nil for none.
  case expecting(ResourceID, Checksum?)
  /// Removes the resource with its file row and pages. Only for standalone resources, whose record has no
  /// order.
  case removed(ResourceID)
}

/// The size of a page in pixels.
public struct PageSize: Sendable, Equatable {
  /// The width in pixels; `height` is in pixels too.
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A change of all resources that a record has when the change begins.
public enum RecordVerb: Sendable, Equatable {
  /// queued → failed with this reason. A queued resource that has a file keeps it and becomes `fetched`
  /// instead, because the state of its pages is unknown. None of them is named any more.
  case cancel(reason: String)
  /// failed → queued with no reason and zero attempts; the stored file, pages and partial data stay. A
  /// resource that failed with exactly the reason `processing` and has a file that need not be reloaded
  /// becomes `fetched` instead. In a lazy record, what is queued is named.
  case retry(processing: String)
  /// Any state → queued, to be downloaded again even if a file exists; the old file and its pages stay until
  /// the new ones replace them. In a lazy record, what was not queued before is named.
  case reload
}

/// A filter on a record's resources, and their sort order.
public struct ResourceSelection: Sendable, Hashable {
  public enum Order: String, Sendable, CaseIterable {
    /// The record's own order.
    case position
    /// The size of the file in bytes.
    case size
    /// The duration of the download of the file (`TransferTimings.duration`).
    case duration
    /// The average download rate: the size of the file divided by the duration.
    case rate
    /// The time from the request until the first byte of the file (`TransferTimings.wait`).
    case wait
    /// The time from the first byte of the file to the last one.
    case transfer
  }

  /// The states of the resources to include; nil includes all.
  public var states: Set<ResourceState>?
  public var order: Order
  /// Whether the order is reversed. In both directions, resources without a file come last, and resources
  /// with equal values are in the record's own order.
  public var isDescending: Bool

  public init(
    states: Set<ResourceState>? = nil, order: Order = .position, isDescending: Bool = false
  ) {
    self.states = states
    self.order = order
    self.isDescending = isDescending
  }
}
