import HTTP1
import LibraryAPI
import Models
import SystemCalls

extension Router {
  /// Creates the routes for all operations of a library and for the server's identity.
  init(
    _ service: any LibraryService, _ reading: LibraryReading, hello: HelloMessage,
    viewedRecords: ViewedRecords, adds: OwnedAdds = OwnedAdds(), web: WebAccess? = nil,
    views: Views = Views(clock: SystemClock()), uploads: Uploads? = nil,
    leases: ViewerLeases? = nil
  ) {
    let uploads = uploads ?? Uploads(root: reading.root, clock: SystemClock())
    let alone =
      [
        Route("GET", "/v1") { _ in .whole(try .json(hello)) },
        Route("GET", "/v1/status") { _ in
          try .json(StatusMessage(try await service.status()))
        },
        Route("GET", "/v1/events", query: EventQuery.parameters) { call in
          .stream(try EventQuery(call.request))
        },
        Route("GET", "/v1/viewers/{viewer}") { call in
          .stream(EventQuery(presenceOf: try call.viewer()))
        },
      ] + Self.sources(service, adds, uploads) + Self.library(service) + Self.records(service)
      + Self.settings(service) + Self.viewers(service, viewedRecords, leases)
      + Self.rows(reading, service)
      + Self.files(reading, service) + Self.diagnostics(reading, service, hello: hello)
      + Self.web(web) + Self.uploads(uploads, reading)
      + Self.views(views, reading, service)
    routes = alone + [Self.batch(Router(routes: alone))]
  }

  private static func sources(
    _ service: any LibraryService, _ adds: OwnedAdds, _ uploads: Uploads
  ) -> [Route] {
    [
      Route("POST", "/v1/sources") { call in
        let message = try call.message(SourceMessage.self)
        guard call.request.listener == .unixSocket || message.namesNoFile else {
          throw ControlError(.forbidden, "a file can be added only through the library's socket")
        }
        let id = try message.uploadID()
        let file = try id.map { (id) throws(ControlError) in try uploads.file(id) }
        let request = try message.request(uploadedTo: file?.path, name: file?.name)
        if let id { _ = try uploads.remove(id) }
        do {
          if case .standardInput(let spool) = request.location, await !ServedFile.isThere(spool) {
            throw ControlError(.badValue, "\"standardInput\" is no file")
          }
          let result =
            request.outlivesClient
            ? try await adds.run { try await service.add(request) } : try await service.add(request)
          return try .json(AddResultMessage(result))
        } catch {
          if let file { await uploads.discard(file) }
          throw error
        }
      },
      Route("POST", "/v1/resources") { call in
        let message = try call.message(FetchMessage.self)
        let resource = try await service.resource(
          at: try message.address(), try message.cachePolicy(), try message.requestOptions())
        return try .json(CachedResourceMessage(resource))
      },
    ]
  }

  private static func library(_ service: any LibraryService) -> [Route] {
    [
      Route("POST", "/v1/pause") { _ in try .count(try await service.pause(nil)) },
      Route("POST", "/v1/resume") { _ in try .count(try await service.resume(nil)) },
      Route("POST", "/v1/requeue") { call in
        let message = try call.message(RequeueMessage.self)
        return try .count(try await service.requeue(try message.ids(), reason: message.reason))
      },
      Route("PUT", "/v1/options") { call in
        let options = try call.message(RequestOptionsMessage.self).options()
        try await service.setOptions(options, of: nil)
        return .whole(.nothing)
      },
      Route("POST", "/v1/retry") { _ in try .count(try await service.retry(nil)) },
      Route("POST", "/v1/reset") { _ in try .leftovers(try await service.reset()) },
    ]
  }

  private static func records(_ service: any LibraryService) -> [Route] {
    [
      verb("pause") { try .count(try await service.pause($0)) },
      verb("resume") { try .count(try await service.resume($0)) },
      verb("cancel") { try .count(try await service.cancel($0)) },
      Route("POST", "/v1/records/{record}/retry") { call in
        let record = try call.record()
        guard let resources = try call.resources() else {
          return try .count(try await service.retry(record))
        }
        return try .count(try await service.retry(resources, of: record))
      },
      Route("POST", "/v1/records/{record}/reload") { call in
        let record = try call.record()
        guard let resources = try call.resources() else {
          return try .count(try await service.reload(record))
        }
        return try .count(try await service.reload(resources, of: record))
      },
      Route("PUT", "/v1/records/{record}/options") { call in
        let options = try call.message(RequestOptionsMessage.self).options()
        try await service.setOptions(options, of: try call.record())
        return .whole(.nothing)
      },
      verb("more") { try .count(try await service.loadMore($0)) },
      verb("refresh") { try .json(RefreshResultMessage(try await service.refresh($0))) },
      Route("DELETE", "/v1/records/{record}", query: ["files"]) { call in
        let record = try call.record()
        let keepsFiles = try FilesQuery.isKept(call.request.target["files"])
        return try .leftovers(try await service.remove(record, keepingFiles: keepsFiles))
      },
      Route("PUT", "/v1/records/{record}/priority") { call in
        let priority = try call.message(PriorityMessage.self).value()
        try await service.setPriority(priority, of: try call.record())
        return .whole(.nothing)
      },
    ]
  }

  /// Returns the route `POST /v1/records/{record}/NAME`, whose requests have no body.
  private static func verb(
    _ name: String, _ answer: @escaping @Sendable (RecordID) async throws -> ControlReply
  ) -> Route {
    Route("POST", "/v1/records/{record}/\(name)") { call in try await answer(try call.record()) }
  }

  private static func settings(_ service: any LibraryService) -> [Route] {
    [
      Route("PUT", "/v1/settings/concurrency") { call in
        try await service.setConcurrency(try call.message(LimitMessage.self).value())
        return .whole(.nothing)
      },
      Route("PUT", "/v1/settings/per-host") { call in
        try await service.setPerHost(try call.message(LimitMessage.self).value())
        return .whole(.nothing)
      },
      Route("PUT", "/v1/settings/rate-limit") { call in
        try await service.setRateLimit(try call.message(RateLimitMessage.self).value())
        return .whole(.nothing)
      },
    ]
  }

  /// - Parameter leases: The viewers without an open stream, which expire unless they send requests.
  private static func viewers(
    _ service: any LibraryService, _ viewedRecords: ViewedRecords, _ leases: ViewerLeases?
  ) -> [Route] {
    [
      Route("PUT", "/v1/viewers/{viewer}/records/{record}") { call in
        let range = try call.message(VisibleRangeMessage.self).range()
        let (record, viewer) = (try call.record(), try call.viewer())
        viewedRecords.insert(viewer, at: record)
        await service.setVisibleRange(range, of: record, for: viewer)
        if call.request.listener == .loopback { await leases?.renew(viewer) }
        return .whole(.nothing)
      },
      Route("DELETE", "/v1/viewers/{viewer}/records/{record}") { call in
        let (record, viewer) = (try call.record(), try call.viewer())
        viewedRecords.remove(viewer, from: record)
        await service.clearVisibleRange(of: record, for: viewer)
        return .whole(.nothing)
      },
      Route("DELETE", "/v1/viewers/{viewer}") { call in
        let viewer = try call.viewer()
        viewedRecords.remove(viewer, from: nil)
        await leases?.end(viewer)
        await service.clearVisibleRange(of: nil, for: viewer)
        return .whole(.nothing)
      },
    ]
  }
}

extension Call {
  /// Returns the resources that the body names, or nil if the request has no body.
  fileprivate func resources() throws(ControlError) -> [ResourceID]? {
    request.body.isEmpty ? nil : try message(ResourcesMessage.self).ids()
  }
}

extension ControlReply {
  static func json(_ message: some Encodable) throws(ControlError) -> ControlReply {
    .whole(try .json(message))
  }

  /// The response to a removal, without a body if all files were deleted.
  static func leftovers(_ leftovers: Leftovers) throws(ControlError) -> ControlReply {
    leftovers.isEmpty ? .whole(.nothing) : try .json(LeftoversMessage(leftovers))
  }

  static func count(_ count: Int) throws(ControlError) -> ControlReply {
    try .json(CountMessage(count: count))
  }
}
