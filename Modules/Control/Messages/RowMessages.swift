import Models
import Persistence
import ProgressTree

/// A page of a list. `next` is the cursor of the following page, and is missing at the end.
struct ListMessage<Item: Encodable>: Encodable {
  var items: [Item]
  var next: String?
}

/// A record in a list or on its own.
struct RecordMessage: Codable, Equatable {
  var id: Int64
  var source: Int64
  var title: String
  /// The path of the folder, relative to the library.
  var folder: String
  /// The status as text for display, the same in every program.
  var status: String
  var isPaused: Bool
  var isLazy: Bool
  /// Whether the source is a series of slices.
  var isSeries: Bool
  /// Whether the source has further pages; `POST …/more` reads one page at a time.
  var hasMore: Bool
  var priority: String
  var counts: CountsMessage
  var activity: ActivityMessage

  /// - Parameters:
  ///   - state: The state of the record's source; nil if the source was removed.
  ///   - isFirst: Whether the record is the first one of the source, which further pages continue.
  init(
    _ record: Record, of state: SourceState?, isFirst: Bool, _ activity: ActivityCounts,
    isLibraryPaused: Bool
  ) {
    id = record.id.rawValue
    source = record.source.rawValue
    title = CredentialMask.masked(record.title)
    folder = record.folder
    status = StatusText.record(
      record.counts, activity: activity, isPaused: isLibraryPaused || record.isPaused,
      isOnDemand: record.isOnDemand, isQueuedByClient: record.isQueuedByClient)
    isPaused = record.isPaused
    isLazy = record.isLazy
    isSeries = state?.isSeries ?? false
    hasMore = isFirst && state?.nextPage != nil
    priority = PriorityMessage.name(record.priority)
    counts = CountsMessage(record.counts)
    self.activity = ActivityMessage(activity)
  }
}

/// The number of resources in each state.
struct CountsMessage: Codable, Equatable {
  var total: Int
  var queued: Int
  var stored: Int
  var fetched: Int
  var finished: Int
  var failed: Int
  /// The total size of the stored originals, in bytes.
  var bytes: Int64

  init(_ counts: ResourceCounts) {
    total = counts.total
    queued = counts.queued
    stored = counts.stored
    fetched = counts.fetched
    finished = counts.finished
    failed = counts.failed
    bytes = counts.bytes
  }
}

/// A resource in a list or on its own.
struct ResourceMessage: Codable, Equatable {
  var id: Int64
  var record: Int64
  var index: Int
  var url: String
  /// Other URLs of the content, the best one first; nil if there are none.
  var mirrors: [String]?
  var title: String?
  /// The persistent state of the resource, as in its database row.
  var state: String
  /// The status as text for display, the same in every program.
  var status: String
  var reason: String?
  var attempts: Int
  var pageCount: Int
  /// The path of the original, relative to the library; nil if there is none.
  var path: String?
  var file: StoredFileMessage?
  /// The width in pixels of an image that is being downloaded; `height` has the same unit. nil if they are unknown,
  /// and for all other resources, whose pages have a size.
  var width: Int?
  var height: Int?

  /// - Parameters:
  ///   - dimensions: The dimensions of an image that is being downloaded, if they are known.
  ///   - owner: The resource's record; nil if the record was removed.
  ///   - isLibraryPaused: Whether the whole library is paused.
  init(
    _ resource: Resource, _ activity: ResourceActivity?, _ dimensions: ImageDimensions?,
    in owner: Record?, isLibraryPaused: Bool
  ) {
    width = dimensions?.width
    height = dimensions?.height
    id = resource.id.rawValue
    record = resource.record.rawValue
    index = resource.index
    url = resource.url
    mirrors = resource.mirrors.isEmpty ? nil : resource.mirrors
    title = resource.title.map(CredentialMask.masked)
    state = resource.state.rawValue
    status = StatusText.resource(
      resource, activity: activity, isPaused: isLibraryPaused || owner?.isPaused == true,
      isOnDemand: owner.map { resource.isOnDemand(in: $0) } ?? false,
      isQueuedByClient: owner?.isQueuedByClient ?? false)
    reason = resource.reason.map(CredentialMask.masked)
    attempts = resource.attempts
    pageCount = resource.pageCount
    file = resource.file.map { StoredFileMessage($0) }
    if let folder = owner?.folder, let name = resource.file?.name { path = "\(folder)/\(name)" }
  }
}

/// A page of a resource.
struct PageMessage: Codable, Equatable {
  var number: Int
  /// The width in pixels; `height` has the same unit.
  var width: Int
  var height: Int
  var label: String?
  /// The reason why there is no image of the page, or only a part of it; nil if the page is sound.
  var reason: String?
  /// A sentence for display about the image of a sound page, such as what it lacks.
  var remark: String?
  /// The path of the page's image in this API; nil if there is none. `thumbnail` is such a path, too.
  var image: String?
  var thumbnail: String?

  init(_ page: Page, of resource: Resource) {
    number = page.number
    width = page.width
    height = page.height
    label = page.label
    reason = page.reason
    remark = page.remark
    let path = "/v1/resources/\(resource.id)/pages/\(page.number)"
    let version =
      page.file?.split(separator: "/").last.map { Page.version(of: $0) }
      ?? resource.file.map { Page.version(of: $0.digest.description) }
    if page.hasImage, let version { image = "\(path)/image?v=\(version)" }
    if let version = page.thumbnailVersion { thumbnail = "\(path)/thumbnail?v=\(version)" }
  }
}
