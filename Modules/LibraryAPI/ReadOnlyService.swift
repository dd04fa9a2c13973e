public import Models
import ProgressTree

/// The service of a library that can be read and not written: it does nothing, and says why.
public final class ReadOnlyService: LibraryService {
  private let reason: EngineError
  private let events: AsyncStream<EngineEvent>
  private let continuation: AsyncStream<EngineEvent>.Continuation

  /// - Parameter reason: why nothing can be written; what every verb throws.
  public init(_ reason: EngineError) {
    self.reason = reason
    (events, continuation) = AsyncStream.makeStream(of: EngineEvent.self)
  }

  public func add(_ request: SourceRequest) async throws(EngineError) -> AddResult { throw reason }

  public func refresh(_ record: RecordID) async throws(EngineError) -> RefreshResult {
    throw reason
  }

  public func loadMore(_ record: RecordID) async throws(EngineError) -> Int { throw reason }
  public func pause(_ record: RecordID?) async throws(EngineError) -> Int { throw reason }
  public func resume(_ record: RecordID?) async throws(EngineError) -> Int { throw reason }
  public func cancel(_ record: RecordID) async throws(EngineError) -> Int { throw reason }
  public func retry(_ record: RecordID?) async throws(EngineError) -> Int { throw reason }
  public func reload(_ record: RecordID) async throws(EngineError) -> Int { throw reason }

  public func requeue(
    _ resources: [ResourceID], reason: String
  ) async throws(EngineError) -> Int { throw self.reason }

  public func remove(_ record: RecordID) async throws(EngineError) { throw reason }
  public func reset() async throws(EngineError) { throw reason }
  public func setConcurrency(_ limit: Int) async throws(EngineError) { throw reason }
  public func setPerHost(_ limit: Int) async throws(EngineError) { throw reason }

  public func setPriority(
    _ priority: RecordPriority, of record: RecordID
  ) async throws(EngineError) { throw reason }

  /// Nothing is fetched for whoever looks.
  public func look(at range: Range<Int>, of record: RecordID, as viewer: ViewerID) async {}
  public func lookAway(from record: RecordID?, as viewer: ViewerID) async {}

  public func resource(
    at url: HTTPURL, _ policy: CachePolicy
  ) async throws(EngineError) -> CachedResource { throw reason }

  public func draw(page number: Int, of resource: ResourceID) async throws(EngineError) {
    throw reason
  }

  public func status() async throws(EngineError) -> EngineStatus {
    EngineStatus(
      isPaused: false, concurrency: 0, perHost: 0, active: 0, waiting: 0, hosts: [],
      progress: LibraryProgress(), isIdle: true)
  }

  /// Nothing ever happens.
  public func eventStream() async -> AsyncStream<EngineEvent> { events }
  public func eventFeed() async -> EventFeed { EventFeed() }
}
