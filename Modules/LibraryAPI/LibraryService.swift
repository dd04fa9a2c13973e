public import Models

/// A library at work, in this process or in another one: everything that a program can ask of it.
///
/// Each verb is effective when the call returns, is kept in the library, and is told to everybody
/// by an event. What is read only (records, resources, pages) comes from the library's store.
public protocol LibraryService: Sendable {
  // Sources

  /// Reads a source and queues what it names (DL4).
  func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult
  /// Reads the source of a record again; what is new goes to the top, what was there stays (RM7).
  func refresh(_ record: RecordID) async throws(LibraryError) -> RefreshResult
  /// Reads the next page of a record's source (RM8).
  /// - Returns: how many entries came; 0 when there is no further page.
  func loadMore(_ record: RecordID) async throws(LibraryError) -> Int

  // Downloads

  /// Stops what runs and starts nothing until `resume`; partial files stay. nil means the whole library.
  /// - Returns: how many resources that were at work or waiting are held by it now.
  @discardableResult
  func pause(_ record: RecordID?) async throws(LibraryError) -> Int
  /// Goes on where it was stopped. nil means the whole library and every record.
  /// - Returns: how many resources may continue.
  @discardableResult
  func resume(_ record: RecordID?) async throws(LibraryError) -> Int
  /// Gives up what is not there yet, with its partial files; `retry` brings it back.
  /// - Returns: how many resources were abandoned.
  @discardableResult
  func cancel(_ record: RecordID) async throws(LibraryError) -> Int
  /// Queues exactly what failed, of one record or of all. Returns how many.
  @discardableResult
  func retry(_ record: RecordID?) async throws(LibraryError) -> Int
  /// Fetches every resource of a record again, whatever is there; each old file stays until the new
  /// one is complete (DL9). Returns how many.
  @discardableResult
  func reload(_ record: RecordID) async throws(LibraryError) -> Int
  /// Queues resources again whose files turned out to be bad (`LibraryVerifier`), with the reason;
  /// their files are forgotten. Returns how many.
  @discardableResult
  func requeue(_ resources: [ResourceID], reason: String) async throws(LibraryError) -> Int
  /// Stops what runs for the record and deletes it with its files. Files that are not ours stay.
  func remove(_ record: RecordID) async throws(LibraryError)
  /// Stops everything and deletes everything that is ours (DL5).
  func reset() async throws(LibraryError)

  // What may change while it runs

  /// Transfers at the same time, 1...1,024; running ones end by themselves.
  func setConcurrency(_ limit: Int) async throws(LibraryError)
  /// Transfers from one host at the same time, 1...1,024.
  func setPerHost(_ limit: Int) async throws(LibraryError)
  func setPriority(_ priority: RecordPriority, of record: RecordID) async throws(LibraryError)

  // Viewers

  /// The viewer looks at these resources, by their place in the record's order; takes the place of
  /// what it said of the record before. Effective once it has rested (LZ2).
  func look(at range: Range<Int>, of record: RecordID, as viewer: ViewerID) async
  /// The viewer looks away from the record; nil means it is gone.
  func lookAway(from record: RecordID?, as viewer: ViewerID) async

  // Single resources

  /// One resource through the cache (RM1). A caller whose task is cancelled is left out; the others
  /// still get the data.
  func resource(at url: HTTPURL, _ policy: CachePolicy) async throws(LibraryError) -> CachedResource

  // Pictures

  /// Makes the pictures of a page of a document (from 1) if they are not there: nobody has looked
  /// at it yet, or they were evicted.
  /// - Parameter password: of an encrypted document; kept for this call only.
  func draw(
    page number: Int, of resource: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError)
  /// Makes the pictures of an encrypted document or archive, as after its download.
  /// - Parameter password: kept for this call only: the other pages of a document take it again.
  /// - Throws: `.encrypted` for another password than its own.
  func unlock(_ resource: ResourceID, with password: DocumentPassword) async throws(LibraryError)

  // State

  func status() async throws(LibraryError) -> LibraryStatus
  /// Everything that happens from now on. A slow reader loses the oldest; `seq` shows it.
  func eventStream() async -> AsyncStream<LibraryEvent>
  /// The same, many at a time.
  func eventFeed() async -> EventFeed
}

extension LibraryService {
  /// Makes the pictures of a page of a document that needs no password.
  public func draw(page number: Int, of resource: ResourceID) async throws(LibraryError) {
    try await draw(page: number, of: resource, password: nil)
  }
}

/// What may answer a request for one resource.
public enum CachePolicy: String, Sendable, CaseIterable {
  /// What is held, however old; else the network.
  case cached
  /// What is held if it is fresh; else the server is asked whether it changed.
  case validated
  /// The network, whatever is held.
  case reloaded
}

/// One resource in the library.
public struct CachedResource: Sendable, Equatable {
  /// Absolute; stays until the resource is evicted, removed or replaced.
  public let path: String
  public let file: StoredFile
  /// Whether the answer came without a request.
  public let wasHeld: Bool

  public init(path: String, file: StoredFile, wasHeld: Bool) {
    self.path = path
    self.file = file
    self.wasHeld = wasHeld
  }
}

/// What came of a `refresh`.
public struct RefreshResult: Sendable, Equatable {
  /// The server said that nothing changed (304).
  public var isUnchanged: Bool
  public var newRecords: [RecordID]
  /// Entries that are new in the records that were there.
  public var newEntries: Int
  /// Entries that cannot be used, as sentences.
  public var problems: [String]

  public init(
    isUnchanged: Bool = false, newRecords: [RecordID] = [], newEntries: Int = 0,
    problems: [String] = []
  ) {
    self.isUnchanged = isUnchanged
    self.newRecords = newRecords
    self.newEntries = newEntries
    self.problems = problems
  }
}
