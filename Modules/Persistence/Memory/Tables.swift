import Models
import Persistence

/// The complete state of a library in memory. A value type, so that a copy taken before a transaction
/// restores the state on rollback.
struct Tables {
  struct Source {
    var row: SourceRow
    var isComplete = false
    /// Whether the source is hidden; it is removed with the last of its records.
    var isDiscarded = false
  }

  struct Entry {
    var record: Record
    var isStandalone = false
    var isRemoved = false
    /// The position in the list; nil while the source is incomplete, and for loose and removed records.
    var position: Int?
    /// The record's resources, in the record's order.
    var resources: [ResourceID] = []
    /// The last index given to a resource of the record.
    var lastIndex = 0

    /// Whether queries see the record's resources.
    var isInPlace: Bool { position != nil || (isStandalone && !isRemoved) }
  }

  /// The progress of an unfinished change of a whole record.
  struct VerbProgress {
    let verb: RecordVerb
    /// The last resource examined. `until` is the last resource that the change concerns.
    var last = ResourceID(0)
    let until: ResourceID
  }

  var state = LibraryState()
  var sources: [SourceID: Source] = [:]
  var entries: [RecordID: Entry] = [:]
  var resources: [ResourceID: Resource] = [:]
  var partialDownloads: [RequestKey: PartialDownload] = [:]
  var pagesOfResources: [ResourceID: [Page]] = [:]
  /// The resources whose file, at its final path or not, answers the request. `holding` has the resources by
  /// the digest of their file.
  var answering: [RequestKey: Set<ResourceID>] = [:]
  var holding: [Digest: Set<ResourceID>] = [:]
  var books: [CacheName: CacheUsage] = [:]
  var verbs: [RecordID: VerbProgress] = [:]
  var workOnPages: [ResourceID: PageWork] = [:]
  /// The last ids given; no id is given twice.
  var lastSourceID: Int64 = 0
  var lastRecordID: Int64 = 0
  var lastResourceID: Int64 = 0
}
