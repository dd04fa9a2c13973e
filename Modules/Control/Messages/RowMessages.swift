import Models
import ProgressTree

/// A part of a list; `next` is the cursor behind it, and is missing at the end.
struct ListMessage<Item: Encodable>: Encodable {
  var items: [Item]
  var next: String?
}

/// A record as a row.
struct RecordMessage: Codable, Equatable {
  var id: Int64
  var source: Int64
  var title: String
  /// Below the library.
  var folder: String
  /// The text that every program shows.
  var status: String
  var isPaused: Bool
  var isLazy: Bool
  var priority: String
  var counts: CountsMessage
  var activity: ActivityMessage

  init(_ record: Record, _ activity: ActivityCounts, isLibraryPaused: Bool) {
    id = record.id.rawValue
    source = record.source.rawValue
    title = CredentialMask.masked(record.title)
    folder = record.folder
    status = StatusText.record(
      record.counts, activity: activity, isPaused: isLibraryPaused || record.isPaused,
      isLazy: record.isLazy)
    isPaused = record.isPaused
    isLazy = record.isLazy
    priority = PriorityMessage.name(record.priority)
    counts = CountsMessage(record.counts)
    self.activity = ActivityMessage(activity)
  }
}

/// How many resources are in which state.
struct CountsMessage: Codable, Equatable {
  var total: Int
  var queued: Int
  var stored: Int
  var fetched: Int
  var finished: Int
  var failed: Int
  /// Of the originals that are there.
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

/// A resource as a row.
struct ResourceMessage: Codable, Equatable {
  var id: Int64
  var record: Int64
  var index: Int
  var url: String
  var title: String?
  /// As it survives a crash.
  var state: String
  /// The text that every program shows.
  var status: String
  var reason: String?
  var attempts: Int
  var pageCount: Int
  /// Of the original, below the library; nil if there is none.
  var path: String?
  var file: StoredFileMessage?

  /// - Parameters:
  ///   - owner: its record; nil if that is gone.
  ///   - isLibraryPaused: nothing is fetched.
  init(
    _ resource: Resource, _ activity: ResourceActivity?, in owner: Record?,
    isLibraryPaused: Bool
  ) {
    id = resource.id.rawValue
    record = resource.record.rawValue
    index = resource.index
    url = resource.url
    title = resource.title.map(CredentialMask.masked)
    state = resource.state.rawValue
    status = StatusText.resource(
      resource, activity: activity, isPaused: isLibraryPaused || owner?.isPaused == true,
      isLazy: owner?.isLazy == true)
    reason = resource.reason.map(CredentialMask.masked)
    attempts = resource.attempts
    pageCount = resource.pageCount
    file = resource.file.map { StoredFileMessage($0) }
    if let folder = owner?.folder, let name = resource.file?.name { path = "\(folder)/\(name)" }
  }
}

/// One picture of a resource.
struct PageMessage: Codable, Equatable {
  var number: Int
  /// Pixels.
  var width: Int
  var height: Int
  var label: String?
  /// Why there is no picture.
  var reason: String?
  /// Paths of this interface; nil if there is no such picture.
  var image: String?
  var thumbnail: String?

  init(_ page: Page, of resource: Resource) {
    number = page.number
    width = page.width
    height = page.height
    label = page.label
    reason = page.reason
    let path = "/v1/resources/\(resource.id)/pages/\(page.number)"
    if page.hasPicture, page.file != nil || resource.file != nil { image = path + "/image" }
    if page.thumbnail != nil { thumbnail = path + "/thumbnail" }
  }
}
