public import Models
import ProgressTree

/// The service of a library that can only be read. Every call that would change the library throws `reason`.
public final class ReadOnlyService: LibraryService {
  private let reason: LibraryError
  private let events: AsyncStream<LibraryEvent>
  private let continuation: AsyncStream<LibraryEvent>.Continuation

  /// - Parameter reason: The reason why the library cannot be written.
  public init(_ reason: LibraryError) {
    self.reason = reason
    (events, continuation) = AsyncStream.makeStream(of: LibraryEvent.self)
  }

  public func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult { throw reason }

  public func refresh(_ record: RecordID) async throws(LibraryError) -> RefreshResult {
    throw reason
  }

  public func loadMore(_ record: RecordID) async throws(LibraryError) -> Int { throw reason }
  public func pause(_ record: RecordID?) async throws(LibraryError) -> Int { throw reason }
  public func resume(_ record: RecordID?) async throws(LibraryError) -> Int { throw reason }
  public func cancel(_ record: RecordID) async throws(LibraryError) -> Int { throw reason }
  public func retry(_ record: RecordID?) async throws(LibraryError) -> Int { throw reason }
  public func reload(_ record: RecordID) async throws(LibraryError) -> Int { throw reason }

  public func retry(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int { throw reason }

  public func reload(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int { throw reason }

  public func requeue(
    _ resources: [ResourceID], reason: String
  ) async throws(LibraryError) -> Int { throw self.reason }

  public func remove(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) async throws(LibraryError) -> Leftovers { throw reason }

  public func reset() async throws(LibraryError) -> Leftovers { throw reason }
  public func setConcurrency(_ limit: Int) async throws(LibraryError) { throw reason }
  public func setPerHost(_ limit: Int) async throws(LibraryError) { throw reason }
  public func setRateLimit(_ bytesPerSecond: Int) async throws(LibraryError) { throw reason }

  public func setPriority(
    _ priority: RecordPriority, of record: RecordID
  ) async throws(LibraryError) { throw reason }

  /// Does nothing, since a read-only library downloads no resources.
  public func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) async
  {}
  public func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) async {}

  public func setOptions(
    _ options: RequestOptions, of record: RecordID?
  ) async throws(LibraryError) { throw reason }

  public func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions
  ) async throws(LibraryError) -> CachedResource { throw reason }

  public func draw(
    page number: Int, of resource: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError) { throw reason }

  public func unlock(
    _ resource: ResourceID, with password: DocumentPassword
  ) async throws(LibraryError) { throw reason }

  public func remotePages(of resource: ResourceID) async throws(LibraryError) -> [Page] {
    throw reason
  }

  public func remotePage(
    _ number: Int, of resource: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws(LibraryError) -> Page? { throw reason }

  public func status() async throws(LibraryError) -> LibraryStatus {
    LibraryStatus(
      isPaused: false, concurrency: 0, perHost: 0, active: 0, waiting: 0, hosts: [],
      progress: LibraryProgress(), isIdle: true)
  }

  /// Returns a stream without events.
  public func eventStream() async -> AsyncStream<LibraryEvent> { events }
  public func eventFeed() async -> EventFeed { EventFeed() }
}
