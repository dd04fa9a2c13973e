import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Transport

/// Looks up rows, request names and origins for several stages, and keeps the progress of records up to
/// date with their rows. Has no state of its own.
final class Catalog: Stage {
  // MARK: - Records

  /// Returns the row of a record.
  /// - Throws: `.noSuchRecord` if no record has this id, or if it is the record of standalone resources.
  func existing(_ id: RecordID) throws -> Record {
    guard !records.isRemoved(id), let record = try store.record(id), !record.isStandalone else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    return record
  }

  func allRecords() throws(StoreError) -> [Record] {
    var all: [Record] = []
    while case let page = try store.records(offset: all.count, limit: 500), !page.isEmpty {
      all += page
    }
    return all
  }

  /// Returns the record that owns all standalone resources, creating it if necessary.
  func standaloneRecord() throws(StoreError) -> Record {
    if let known = standalone.record.flatMap({ records[$0] }) { return known }
    let record = try store.standaloneRecord(folder: LibraryLayout.standaloneFolder)
    standalone.setRecord(record.id)
    records.register(record)
    return record
  }

  /// Loads the records of the resources and the states of their sources, unless they are in memory.
  func loadRecords(of resources: [Resource]) throws(StoreError) {
    for id in resources.records where !records.isRemoved(id) && id != standalone.record {
      if let record = records[id] {
        if records[source: record.source] == nil { try register(record) }
      } else if let record = try store.record(id) {
        try register(record)
      }
    }
  }

  func register(_ record: Record) throws(StoreError) {
    try loadState(of: record.source)
    if records[record.id] == nil, !records.isRemoved(record.id) { records.register(record) }
  }

  func loadState(of id: SourceID) throws(StoreError) {
    if records[source: id] == nil, let source = try store.source(id) {
      records.register(source.state, of: source)
    }
  }

  // MARK: - Names and origins of requests

  /// Returns the key of a resource's request. O(length of the URL).
  func request(of resource: Resource) -> RequestKey {
    name(of: resource).request
  }

  func name(of resource: Resource) -> RequestNaming.Name {
    name(
      resource.url, resource.fields, isPublic: forbidsPrivateAddresses(resource.record),
      scope(of: resource.record), identity(of: resource))
  }

  /// - Parameter identity: The digest of the options of the source's requests.
  func name(
    _ url: String, _ fields: HTTPFields, isPublic: Bool, _ scope: CredentialScope,
    _ identity: String
  ) -> RequestNaming.Name {
    var naming = RequestNaming(context.downloads.defaults.user, scope)
    naming.identity = identity
    return naming.name(url, fields, isPublic: isPublic)
  }

  /// The digest of the options of a resource's request; empty if there are none.
  func identity(of resource: Resource) -> String {
    standalone.contains(resource)
      ? standalone.options(of: resource.id)?.identity ?? ""
      : identity(of: records[resource.record]?.source)
  }

  func identity(of source: SourceID?) -> String {
    source.flatMap { records[source: $0]?.stored?.identity } ?? ""
  }

  /// The origins that receive the user's credentials with the requests of a record.
  func scope(of record: RecordID) -> CredentialScope {
    record == standalone.record ? .everyEntry : scope(of: records[record]?.source)
  }

  func scope(of source: SourceID?) -> CredentialScope {
    source.flatMap { records[source: $0]?.scope } ?? .none
  }

  /// What the requests of a record have in common.
  /// - Parameter request: The request of a standalone resource, whose cookies serve its further attempts only.
  func terms(of record: Record, for request: RequestKey) -> RequestTerms {
    let owner: CookieJars.Owner =
      record.id == standalone.record ? .request(request) : .source(record.source)
    let options =
      record.id == standalone.record
      ? standalone.options(of: request) : stages.requestOptions.terms(of: record.source)
    return RequestTerms(
      options?.defaults ?? context.downloads.defaults, scope: scope(of: record.id),
      cookies: context.cookies[owner], credentials: options?.credentials)
  }

  /// Whether the URLs of the record must not reach private addresses.
  func forbidsPrivateAddresses(_ record: RecordID) -> Bool {
    forbidsPrivateAddresses(records[record]?.source)
  }

  func forbidsPrivateAddresses(_ source: SourceID?) -> Bool {
    AddressPolicy(origin(of: source), settings.network.privateAddresses) == .publicOnly
  }

  /// Returns the origin of the URLs of a record's resources, which decides what addresses they may reach.
  func origin(of record: Record) -> RequestOrigin {
    record.id == standalone.record ? .caller : origin(of: record.source)
  }

  private func origin(of source: SourceID?) -> RequestOrigin {
    source.flatMap { records[source: $0]?.isPublic } ?? false ? .publicPage : .privateList
  }

  // MARK: - Progress

  /// Adds every record with unfinished work to the progress.
  /// - Returns: The records with resources that the user has named.
  func trackUnsettledRecords() throws(StoreError) -> [RecordID] {
    var named = [try store.standaloneRecord()].compactMap { $0 }.filter { $0.counts.named > 0 }
      .map(\.id)
    var offset = 0
    while case let page = try store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page where record.counts.settled < record.counts.total {
        track(record)
        if record.counts.named > 0 { named.append(record.id) }
      }
    }
    return named
  }

  /// Adds a record to the progress, unless it is tracked already.
  func track(_ id: RecordID) throws(StoreError) {
    guard !announcer.isTracked(id), let record = try store.record(id) else { return }
    track(record)
  }

  /// Adds a record to the progress; one that is tracked already keeps its counts.
  func track(_ record: Record) {
    guard !records.isRemoved(record.id) else { return }
    records.register(record)
    if announcer.track(record.id) { updateCounts(of: record) }
  }

  /// Brings the progress of a record up to date with the store.
  func recount(_ id: RecordID) throws(StoreError) {
    guard let record = try store.record(id) else { return }
    records.register(record)
    announcer.untrack(id)
    track(record)
  }

  /// Updates the progress of a record from the counts of its row, so that a resource that reached a final
  /// state twice counts once.
  func updateCounts(of record: Record) {
    guard announcer.isTracked(record.id), !records.isRemoved(record.id) else { return }
    if record.counts.settled == record.counts.total { records.removeAddStart(of: record.id) }
    announcer.count(record)
  }

  /// Emits an event, unless its resource is a standalone one, whose events concern only the callers that
  /// wait for the resource.
  func emit(_ kind: LibraryEvent.Kind, of record: RecordID) {
    if record != standalone.record { announcer.emit(kind) }
  }
}

extension [Resource] {
  /// The ids of the records that own these resources, without duplicates.
  var records: [RecordID] {
    var seen = KeySet<RecordID>()
    return compactMap { seen.insert($0.record) ? $0.record : nil }
  }
}
