import Models
public import Persistence

/// A library in memory: for tests, and for runs that leave nothing behind.
///
/// The plain reading of the port's contract, and with it the model that the other adapters are
/// compared with.
public actor MemoryStore: LibraryStore {
  struct Source {
    var row: SourceRow
    var isComplete = false
  }

  struct Entry {
    var record: Record
    var isLoose = false
    /// In the list; nil while the source is incomplete, and for the loose record.
    var position: Int?
    /// In the order of the record.
    var resources: [ResourceID] = []
    /// The last index that was given.
    var lastIndex = 0

    /// Whether its resources can be seen.
    var isInPlace: Bool { position != nil || isLoose }
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
  var books: [CacheName: CacheBook] = [:]
  var workOnPages: [ResourceID: PageWork] = [:]
  /// The last ids that were given; none is given twice.
  var lastSourceID: Int64 = 0
  var lastRecordID: Int64 = 0
  var lastResourceID: Int64 = 0
  private var isClosed = false

  public init() {}

  public func close() { isClosed = true }

  func checkOpen() throws(StoreError) {
    if isClosed { throw StoreError(.closed, "the library is closed") }
  }

  public func libraryState() throws(StoreError) -> LibraryState {
    try checkOpen()
    return state
  }

  public func setLibraryState(_ state: LibraryState) throws(StoreError) {
    try checkOpen()
    self.state = state
  }

  public func pageWork() throws(StoreError) -> [PageWork] {
    try checkOpen()
    return workOnPages.values.sorted { $0.resource < $1.resource }
  }

  public func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try checkOpen()
    workOnPages = Dictionary(work.map { ($0.resource, $0) }) { $1 }
  }

  /// Visible records in list order.
  var list: [Entry] {
    entries.values.filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }

  func isVisible(_ resource: Resource?) -> Bool {
    guard let resource else { return false }
    return entries[resource.record]?.isInPlace == true
  }

  /// The only way in which a resource changes: what is kept beside it goes along.
  func change(_ id: ResourceID, _ body: (inout Resource) -> Void) {
    guard var resource = resources[id] else { return }
    leave(resource)
    body(&resource)
    enter(resource)
  }

  /// A new or changed resource.
  func enter(_ resource: Resource) {
    resources[resource.id] = resource
    count(resource, by: 1)
    guard let file = resource.file else { return }
    holding[file.digest, default: []].insert(resource.id)
    if let answer = file.answer { answering[answer.request, default: []].insert(resource.id) }
  }

  /// A resource that is to change or goes.
  func leave(_ resource: Resource) {
    resources[resource.id] = nil
    count(resource, by: -1)
    guard let file = resource.file else { return }
    holding[file.digest]?.remove(resource.id)
    if let answer = file.answer { answering[answer.request]?.remove(resource.id) }
  }

  private func count(_ resource: Resource, by step: Int) {
    entries[resource.record]?.record.counts[resource.state] += step
    entries[resource.record]?.record.counts.bytes &+=
      (resource.file?.byteCount ?? 0) &* Int64(step)
  }

  public func integrityProblems() throws(StoreError) -> [String] {
    try checkOpen()
    return entries.values.compactMap { entry in
      var counts = ResourceCounts()
      for case let resource? in entry.resources.map({ resources[$0] }) {
        counts[resource.state] += 1
        counts.bytes &+= resource.file?.byteCount ?? 0
      }
      return counts == entry.record.counts ? nil : "record \(entry.record.id) is miscounted"
    }
  }
}
