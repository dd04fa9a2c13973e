public import LibraryAPI
public import Models

extension ControlClient {
  // MARK: Sources

  public func add(_ request: SourceRequest) async throws(LibraryError) -> AddResult {
    let message: AddResultMessage = try await connector.call(
      "POST", "/v1/sources", SourceMessage(request))
    return try understood { () throws(ControlError) in try message.result() }
  }

  public func refresh(_ record: RecordID) async throws(LibraryError) -> RefreshResult {
    let message: RefreshResultMessage = try await connector.call(
      "POST", "/v1/records/\(record)/refresh")
    return message.result
  }

  public func loadMore(_ record: RecordID) async throws(LibraryError) -> Int {
    try await count("/v1/records/\(record)/more")
  }

  // MARK: Downloads

  public func setOptions(
    _ options: RequestOptions, of record: RecordID?
  ) async throws(LibraryError) {
    try await connector.callIgnoringBody(
      "PUT", Self.path(record, "options"), RequestOptionsMessage(options))
  }

  @discardableResult
  public func pause(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "pause"))
  }

  @discardableResult
  public func resume(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "resume"))
  }

  @discardableResult
  public func cancel(_ record: RecordID) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "cancel"))
  }

  @discardableResult
  public func retry(_ record: RecordID?) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "retry"))
  }

  @discardableResult
  public func reload(_ record: RecordID) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "reload"))
  }

  @discardableResult
  public func retry(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "retry"), ResourcesMessage(resources))
  }

  @discardableResult
  public func reload(
    _ resources: [ResourceID], of record: RecordID
  ) async throws(LibraryError) -> Int {
    try await count(Self.path(record, "reload"), ResourcesMessage(resources))
  }

  public func requeue(
    _ resources: [ResourceID], reason: String
  ) async throws(LibraryError) -> Int {
    let message = RequeueMessage(resources, reason: reason)
    let answer: CountMessage = try await connector.call("POST", "/v1/requeue", message)
    return answer.count
  }

  @discardableResult
  public func remove(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) async throws(LibraryError) -> Leftovers {
    let query = keepsFiles ? "?files=\(FilesQuery.kept)" : ""
    let message: LeftoversMessage? = try await connector.callForOptional(
      "DELETE", "/v1/records/\(record)\(query)")
    return message?.leftovers ?? Leftovers()
  }

  @discardableResult
  public func reset() async throws(LibraryError) -> Leftovers {
    let message: LeftoversMessage? = try await connector.callForOptional("POST", "/v1/reset")
    return message?.leftovers ?? Leftovers()
  }

  // MARK: Limits and priorities

  public func setConcurrency(_ limit: Int) async throws(LibraryError) {
    try await connector.callIgnoringBody("PUT", "/v1/settings/concurrency", LimitMessage(limit))
  }

  public func setPerHost(_ limit: Int) async throws(LibraryError) {
    try await connector.callIgnoringBody("PUT", "/v1/settings/per-host", LimitMessage(limit))
  }

  public func setRateLimit(_ bytesPerSecond: Int) async throws(LibraryError) {
    try await connector.callIgnoringBody(
      "PUT", "/v1/settings/rate-limit", RateLimitMessage(bytesPerSecond))
  }

  public func setPriority(
    _ priority: RecordPriority, of record: RecordID
  ) async throws(LibraryError) {
    try await connector.callIgnoringBody(
      "PUT", "/v1/records/\(record)/priority", PriorityMessage(priority))
  }

  // MARK: Single resources and state

  public func resource(
    at url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions
  ) async throws(LibraryError) -> CachedResource {
    let message: CachedResourceMessage = try await connector.call(
      "POST", "/v1/resources", FetchMessage(url, policy, options))
    return try understood { () throws(ControlError) in try message.resource() }
  }

  public func draw(
    page number: Int, of resource: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError) {
    try await connector.callIgnoringBody(
      "POST", "/v1/resources/\(resource)/pages/\(number)/draw",
      password.map { PasswordMessage($0) })
  }

  public func unlock(
    _ resource: ResourceID, with password: DocumentPassword
  ) async throws(LibraryError) {
    try await connector.callIgnoringBody(
      "POST", "/v1/resources/\(resource)/unlock", PasswordMessage(password))
  }

  public func remotePages(of resource: ResourceID) async throws(LibraryError) -> [Page] {
    var pages: [Page] = []
    var cursor: String? = ""
    while let after = cursor {
      let part: PageListMessage = try await connector.call(
        "GET", "/v1/resources/\(resource)/pages?limit=1000" + after)
      pages += part.items.map(\.page)
      cursor = part.next.map { "&after=\($0)" }
    }
    return pages
  }

  public func remotePage(
    _ number: Int, of resource: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws(LibraryError) -> Page? {
    let message: FetchedPageMessage = try await connector.call(
      "POST", "/v1/resources/\(resource)/pages/\(number)/fetch",
      FetchPageMessage(thumbnail: needsThumbnail))
    return message.page
  }

  public func status() async throws(LibraryError) -> LibraryStatus {
    let message: StatusMessage = try await connector.call("GET", "/v1/status")
    return try understood { () throws(ControlError) in try message.status() }
  }

  private func count(_ path: String) async throws(LibraryError) -> Int {
    let message: CountMessage = try await connector.call("POST", path)
    return message.count
  }

  private func count(
    _ path: String, _ body: ResourcesMessage
  ) async throws(LibraryError) -> Int {
    let message: CountMessage = try await connector.call("POST", path, body)
    return message.count
  }

  private static func path(_ record: RecordID?, _ verb: String) -> String {
    record.map { "/v1/records/\($0)/\(verb)" } ?? "/v1/\(verb)"
  }

  func understood<Value>(
    _ value: () throws(ControlError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(ControlError) {
      return try value()
    } catch {
      throw LibraryError(.io, "a response of process \(processID) cannot be parsed: \(error)")
    }
  }
}
