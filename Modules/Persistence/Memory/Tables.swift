import Models
import Persistence

/// All that a library in memory holds. A value, so that a copy is what there was before a transaction.
struct Tables {
  struct Source {
    var row: SourceRow
    var isComplete = false
    /// It is hidden, and is removed with the last of its records.
    var isDiscarded = false
  }

  struct Entry {
    var record: Record
    var isStandalone = false
    var isRemoved = false
    /// In the list; nil while the source is incomplete, for the loose record and for a removed one.
    var position: Int?
    /// In the order of the record.
    var resources: [ResourceID] = []
    /// The last index that was given.
    var lastIndex = 0

    /// Whether its resources can be seen.
    var isInPlace: Bool { position != nil || (isStandalone && !isRemoved) }
  }

  /// A change of a whole record that has not come to its end.
  struct VerbProgress {
    let verb: RecordVerb
    /// The last resource that was looked at, and the last one that is concerned.
    var last = ResourceID(0)
    let until: ResourceID
  }

  var state = LibraryState()
  var sources: [SourceID: Source] = [:]
  var entries: [RecordID: Entry] = [:]
  var resources: [ResourceID: Resource] = [:]
  var partialDownloads: [RequestKey: PartialDownload] = [:]
  var pagesOfResources: [ResourceID: [Page]] = [:]
  /// Resources whose file, in place or not, answers a request or has a content.
  var answering: [RequestKey: Set<ResourceID>] = [:]
  var holding: [Digest: Set<ResourceID>] = [:]
  var books: [CacheName: CacheUsage] = [:]
  var verbs: [RecordID: VerbProgress] = [:]
  var workOnPages: [ResourceID: PageWork] = [:]
  /// The last ids that were given; none is given twice.
  var lastSourceID: Int64 = 0
  var lastRecordID: Int64 = 0
  var lastResourceID: Int64 = 0
}
