import HTTP1
import Models
import Synchronization
import SystemCalls
public import Transport

/// HTTP/1.1 and HTTP/2 over sockets of our own: event loops on their own threads, keep-alive
/// connections, TLS through OpenSSL. No task, actor or copy lies between the kernel's bytes and the sink.
///
/// The sink is called on a loop's thread. One that blocks holds up the other transfers of that loop,
/// which is the back-pressure that `Transport` promises; cancelling takes effect when it returns.
public final class SocketTransport: Transport {
  private enum Engine {
    case idle
    case running([EventLoop], LoopAssignment, LoopServices)
    case closed
  }

  private let options: SocketOptions
  private let engine = Mutex(Engine.idle)
  private let nextID = Atomic<UInt64>(1)

  /// Starts nothing: threads and descriptors come with the first transfer.
  public init(_ options: SocketOptions = SocketOptions()) {
    self.options = options
  }

  deinit {
    engine.withLock { if case .running(let loops, _, _) = $0 { loops.forEach { $0.stop() } } }
  }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    var redirects = RedirectPolicy(request)
    let started = Machine.monotonicNanoseconds
    var timings = TransferTimings()
    var totalDeadline = Moment.never
    var addresses = request.addresses
    while true {
      let proxy = options.proxies.proxy(for: redirects.url)
      if proxy != nil, let resolver = try resolver(redirects.url) {
        try await NameCheck.check(redirects.url, addresses, resolver)
      }
      let fields = fields(of: redirects, proxy, acceptsGzip: request.acceptsGzip)
      let hop = Hop(
        url: redirects.url, request: try bytes(of: redirects, proxy, fields), fields: fields,
        limits: request.limits, addresses: addresses, proxy: proxy, started: started,
        timings: timings,
        totalDeadline: totalDeadline)
      switch try await perform(hop, into: sink).get() {
      case .response(let head, let body, let timings):
        return TransportResponse(
          head: head, body: body, timings: timings, redirectCount: redirects.count)
      case .redirect(let head, let hopTimings, let deadline):
        _ = try redirects.handle(status: head.status, fields: head.fields)
        addresses = addresses.afterHop(from: head.remoteAddress.flatMap { IPAddress($0) })
        // Only the queue of the first hop belongs to the whole transfer.
        timings = TransferTimings()
        timings.queue = hopTimings.queue
        totalDeadline = deadline
      }
    }
  }

  public func shutdown() async {
    let loops = engine.withLock { engine -> [EventLoop] in
      defer { engine = .closed }
      if case .running(let loops, _, _) = engine { return loops }
      return []
    }
    for loop in loops { await loop.stopAndWait() }
  }

  private func perform(_ hop: Hop, into sink: any BodySink) async -> Transfer.Ending {
    let origin = hop.url.origin
    let place: (loop: EventLoop, index: Int, limit: Int)
    do throws(SystemError) {
      guard let assigned = try assign(origin) else {
        return .failure(
          TransportError(.cancelled, url: hop.url, detail: "the transport is shut down"))
      }
      place = assigned
    } catch {
      return .failure(TransportError(.system, url: hop.url, detail: error.description))
    }
    defer { release(origin, place.index) }
    let id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let transfer = Transfer(id: id, hop: hop, connectionLimit: place.limit, sink: sink) {
          continuation.resume(returning: $0)
        }
        place.loop.submit(.start(transfer))
        // A cancellation from before this line has found nothing to cancel.
        if Task.isCancelled { place.loop.submit(.cancel(id)) }
      }
    } onCancel: {
      place.loop.submit(.cancel(id))
    }
  }

  /// nil after `shutdown`.
  private func resolver(_ url: HTTPURL) throws(TransportError) -> Resolver? {
    do throws(SystemError) {
      return try engine.withLock { engine throws(SystemError) in
        if case .idle = engine { engine = try start() }
        guard case .running(_, _, let services) = engine else { return nil }
        return services.resolver
      }
    } catch {
      throw TransportError(.system, url: url, detail: error.description)
    }
  }

  private func assign(
    _ origin: HTTPURL.Origin
  ) throws(SystemError) -> (loop: EventLoop, index: Int, limit: Int)? {
    try engine.withLock { engine throws(SystemError) in
      if case .idle = engine { engine = try start() }
      guard case .running(let loops, var assignment, let services) = engine else { return nil }
      // Moved out, so that the dictionary inside is not copied.
      engine = .idle
      let (index, limit) = assignment.assign(origin)
      engine = .running(loops, assignment, services)
      return (loops[index], index, limit)
    }
  }

  private func release(_ origin: HTTPURL.Origin, _ index: Int) {
    engine.withLock { engine in
      guard case .running(let loops, var assignment, let services) = engine else { return }
      engine = .idle
      assignment.release(origin, loop: index)
      engine = .running(loops, assignment, services)
    }
  }

  private func start() throws(SystemError) -> Engine {
    let services = try LoopServices(options)
    var loops: [EventLoop] = []
    do throws(SystemError) {
      for _ in 0..<max(1, options.loopCount) {
        loops.append(try EventLoop.start(options, services))
      }
    } catch {
      loops.forEach { $0.stop() }
      throw error
    }
    return .running(
      loops,
      LoopAssignment(
        loopCount: loops.count, limitPerOrigin: options.connectionsPerOrigin), services)
  }

  /// The head of a GET as HTTP/1.1 writes it, which also checks it for HTTP/2.
  private func bytes(
    of hop: RedirectPolicy, _ proxy: ProxyServer?, _ fields: HTTPFields
  ) throws(TransportError) -> [UInt8] {
    // Through a tunnel the request goes to the origin, and only CONNECT to the proxy.
    let isAbsolute = proxy != nil && hop.url.scheme == .http
    do throws(HTTPParseError) {
      return try RequestSerializer.bytes(
        RequestHeadMessage(
          method: "GET", target: isAbsolute ? hop.url.description : hop.url.target, fields: fields))
    } catch {
      throw TransportError(.invalidRequest, url: hop.url, detail: error.detail)
    }
  }

  /// The caller's fields cannot replace what frames the message.
  private func fields(
    of hop: RedirectPolicy, _ proxy: ProxyServer?, acceptsGzip: Bool
  ) -> HTTPFields {
    var fields = HTTPFields()
    fields.append("Host", hop.url.origin.authority)
    fields.append("User-Agent", hop.fields["User-Agent"] ?? options.userAgent)
    fields.append("Accept", hop.fields["Accept"] ?? "*/*")
    fields.append("Accept-Encoding", acceptsGzip ? "gzip" : "identity")
    if hop.url.scheme == .http, let credentials = proxy?.credentials {
      fields.append("Proxy-Authorization", credentials.fieldValue)
    }
    for field in hop.fields.fields where !Self.isOwn(field.name) {
      fields.append(field.name, field.value)
    }
    return fields
  }

  private static func isOwn(_ name: String) -> Bool {
    ownNames.contains { HTTPFields.isSame($0, name) }
  }

  private static let ownNames = [
    "Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Keep-Alive", "Content-Length",
    "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Expect", "Proxy-Connection",
    "Proxy-Authorization",
  ]
}
