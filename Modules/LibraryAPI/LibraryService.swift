public import Models

/// A running library, in this process or in another one, with all operations that a program can request.
///
/// A call that changes the library returns once the change is complete and stored, and an event reports the
/// change to every subscriber. Records, resources and pages are read from the library's store, not through
/// this protocol.
public protocol LibraryService: Sendable {
  // MARK: - Sources

  /// Reads a source and queues its resources (DL4).
  func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult
  /// Reads the source of a record again. New entries are inserted at the top; existing ones stay (RM7).
  func refresh(_ record: RecordID) async throws(LibraryError) -> RefreshResult
  /// Reads the next page of a record's source (RM8).
  /// - Returns: The number of entries added; 0 if there is no further page.
  func loadMore(_ record: RecordID) async throws(LibraryError) -> Int

  // MARK: - Downloads

  /// Gives the requests of a record's source these options, besides those that it has. A later `retry`, `reload`,
  /// `refresh`, `resume` or `loadMore` uses them. Credentials among them are kept until the engine ends only.
  /// - Parameter record: nil means the sources of all records with failed or unfinished resources.
  /// - Throws: `.policy` if the options name a setting of the whole engine that has another value.
  func setOptions(_ options: RequestOptions, of record: RecordID?) async throws(LibraryError)

  /// Stops the running transfers of a record and starts none until `resume`; partial files are kept. nil
  /// means the whole library.
  /// - Returns: The number of running or waiting resources that are paused now.
  @discardableResult
  func pause(_ record: RecordID?) async throws(LibraryError) -> Int
  /// Resumes a record after `pause`. nil means the whole library and every record in it.
  /// - Returns: The number of resources that may continue.
  @discardableResult
  func resume(_ record: RecordID?) async throws(LibraryError) -> Int
  /// Abandons the unfinished resources of a record and deletes their partial files; `retry` queues them
  /// again.
  /// - Returns: The number of resources abandoned.
  @discardableResult
  func cancel(_ record: RecordID) async throws(LibraryError) -> Int
  /// Queues exactly the failed resources of one record, or of all records if nil. Returns their number.
  @discardableResult
  func retry(_ record: RecordID?) async throws(LibraryError) -> Int
  /// Downloads every resource of a record again, even if its file exists; each old file stays until the new
  /// one is complete (DL9). Returns the number of resources.
  @discardableResult
  func reload(_ record: RecordID) async throws(LibraryError) -> Int
  /// Queues again those of the given resources of a record that have failed. Returns their number.
  @discardableResult
  func retry(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int
  /// Downloads again those of the given resources of a record that are finished or failed; each old file
  /// stays until the new one is complete. Returns the number of resources.
  @discardableResult
  func reload(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int
  /// Queues resources again whose files `LibraryVerifier` found damaged, with the reason, and removes their
  /// file rows. Returns the number of resources.
  @discardableResult
  func requeue(_ resources: [ResourceID], reason: String) async throws(LibraryError) -> Int
  /// Stops the transfers of the record, and deletes the record and its files. Files that the library did not
  /// create are kept.
  /// - Parameter keepsFiles: Whether the downloaded files stay as well, where they are.
  /// - Returns: The files that could not be deleted.
  @discardableResult
  func remove(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) async throws(LibraryError) -> Leftovers
  /// Stops all transfers, and deletes all records and all files that the library created (DL5).
  /// - Returns: The files that could not be deleted.
  @discardableResult
  func reset() async throws(LibraryError) -> Leftovers

  // MARK: - Limits and priorities

  /// Sets the limit of concurrent transfers, 1...1,024. Running transfers beyond a lower limit continue.
  func setConcurrency(_ limit: Int) async throws(LibraryError)
  /// Sets the limit of concurrent transfers from one host, 1...1,024.
  func setPerHost(_ limit: Int) async throws(LibraryError)
  /// Sets the limit of the received bytes per second of all transfers together; 0 for no limit.
  func setRateLimit(_ bytesPerSecond: Int) async throws(LibraryError)
  func setPriority(_ priority: RecordPriority, of record: RecordID) async throws(LibraryError)

  // MARK: - Viewers

  /// Reports the resources of a record that are visible in a viewer, by their positions in the record's
  /// order, and replaces the viewer's previous range for the record. Takes effect once the range has not
  /// changed for a short time (LZ2).
  func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) async
  /// Reports that the viewer no longer shows the record; nil means that the viewer has been closed.
  func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) async

  // MARK: - Standalone resources

  /// Returns one resource through the cache (RM1). Several callers may share one request: cancelling the task
  /// of one of them does not affect the others.
  func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions
  ) async throws(LibraryError) -> CachedResource

  // MARK: - Rendering

  /// Renders the images of a page of a document (numbered from 1), or the rendition of an image that browsers do
  /// not show (`BrowserImage`), if they do not exist, because they were never requested or were evicted.
  /// - Parameter password: The password of an encrypted document, kept for this call only.
  func draw(
    page number: Int, of resource: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError)
  /// Renders the images of an encrypted document or archive, as happens for other files after their download.
  /// - Parameter password: The password. It is kept for this call only, so later calls of `draw` for other
  ///   pages of the document need it again.
  /// - Throws: `.encrypted` if the password is wrong.
  func unlock(_ resource: ResourceID, with password: DocumentPassword) async throws(LibraryError)

  /// Lists the pages of a zip archive that is not downloaded (`Resource.hasRemotePages`), by requests for the end
  /// of the file. The requests count against the budget of the host like transfers; a pause does not hold them
  /// back.
  /// - Returns: The pages in natural order, with the names of their entries; their sizes in pixels are unknown.
  /// - Throws: `.noRanges` if the server does not send parts of files; `.source` if the resource is not such an
  ///   archive.
  func remotePages(of resource: ResourceID) async throws(LibraryError) -> [Page]
  /// Fetches one page of such an archive, and stores its image like a rendition.
  /// - Parameters:
  ///   - number: The number of the page, from 1.
  ///   - needsThumbnail: Whether to render the page's thumbnail as well.
  /// - Returns: The page with the names of its images; nil if the archive has no such page.
  func remotePage(
    _ number: Int, of resource: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws(LibraryError) -> Page?

  // MARK: - State

  func status() async throws(LibraryError) -> LibraryStatus
  /// Returns all events from the call on. A slow reader loses the oldest events, which leaves a gap in `seq`.
  func eventStream() async -> AsyncStream<LibraryEvent>
  /// Returns all events from the call on, in batches.
  func eventFeed() async -> EventFeed
}

extension LibraryService {
  /// Deletes a record and its files.
  @discardableResult
  public func remove(_ record: RecordID) async throws(LibraryError) -> Leftovers {
    try await remove(record, keepingFiles: false)
  }

  /// Returns one resource through the cache, by a request without options.
  public func resource(
    at url: HTTPURL, _ policy: CachePolicy
  ) async throws(LibraryError) -> CachedResource {
    try await resource(at: url, policy, RequestOptions())
  }

  /// Renders the images of a page of a document that needs no password.
  public func draw(page number: Int, of resource: ResourceID) async throws(LibraryError) {
    try await draw(page: number, of: resource, password: nil)
  }
}

/// The condition under which a stored file may answer a request for one resource.
public enum CachePolicy: String, Sendable, CaseIterable {
  /// A stored file of any age answers; if there is none, the resource is downloaded.
  case cached
  /// A stored file answers if it is fresh (RFC 9111 §4.2); otherwise the engine asks the server whether the
  /// file is current.
  case validated
  /// The resource is always downloaded.
  case reloaded
}

/// A resource in the library, as returned by `LibraryService.resource(at:_:)`.
public struct CachedResource: Sendable, Equatable {
  /// The absolute path of the file, valid until the resource is evicted, removed or replaced.
  public let path: String
  public let file: StoredFile
  /// Whether the file was returned without a request to the server.
  public let isFromLibrary: Bool

  public init(path: String, file: StoredFile, isFromLibrary: Bool) {
    self.path = path
    self.file = file
    self.isFromLibrary = isFromLibrary
  }
}

/// The result of a `refresh`.
public struct RefreshResult: Sendable, Equatable {
  /// Whether the server responded that the source has not changed (304).
  public var isUnchanged: Bool
  public var newRecords: [RecordID]
  /// The number of new entries in existing records.
  public var newEntries: Int
  /// One sentence for each entry that cannot be used.
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
