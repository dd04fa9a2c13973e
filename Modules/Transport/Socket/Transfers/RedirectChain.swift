import HTTP1
import Models
import Synchronization
import SystemCalls
import Transport

/// One transfer from its first request to its final response: one hop, and another one for each
/// redirect.
///
/// `@unchecked Sendable`: mutable state outside of `progress` is used by one thread at a time: by
/// the caller of `start` until the first hop is submitted, then by the event loop that ends a hop,
/// and by the task that checks a host name before a hop.
final class RedirectChain: Cancellable, @unchecked Sendable {
  typealias Completion = Result<TransportResponse, TransportError>

  /// The work in progress, which `cancel` must reach from another thread.
  private struct Progress {
    var isCancelled = false
    /// The event loop and the transfer id of the current hop.
    var hop: (loop: EventLoop, id: UInt64)?
    /// The task that checks the name of a host to which a proxy will connect.
    var check: Task<Void, Never>?
  }

  private let transport: SocketTransport
  private let sink: any BodySink
  private let limits: TransferLimits
  private let acceptEncoding: String
  private let started = Machine.monotonicNanoseconds
  private let progress = Mutex(Progress())
  private var redirects: RedirectPolicy
  private var addresses: AddressPolicy
  private var timings = TransferTimings()
  private var totalDeadline = Moment.never
  private var whenEnded: (@Sendable (Completion) -> Void)?

  init(_ request: TransportRequest, _ sink: any BodySink, _ transport: SocketTransport) {
    self.transport = transport
    self.sink = sink
    limits = request.limits
    acceptEncoding = request.acceptEncoding
    addresses = request.addresses
    redirects = RedirectPolicy(request)
  }

  /// Starts the first hop. Must be called once.
  func start(_ whenEnded: @escaping @Sendable (Completion) -> Void) {
    self.whenEnded = whenEnded
    beginHop()
  }

  func cancel() {
    let (hop, check) = progress.withLock { progress in
      progress.isCancelled = true
      return (progress.hop, progress.check)
    }
    check?.cancel()
    if let hop { hop.loop.submit(.cancel(hop.id)) }
  }

  private func finish(_ ending: Completion) {
    let whenEnded = whenEnded.take()
    whenEnded?(ending)
  }

  private func beginHop() {
    let proxy = transport.options.proxies.proxy(for: redirects.url)
    do throws(TransportError) {
      if let proxy, let resolver = try resolver() {
        checkName(proxy, resolver)
      } else {
        try send(proxy)
      }
    } catch {
      finish(.failure(error))
    }
  }

  private func resolver() throws(TransportError) -> Resolver? {
    do throws(SystemError) {
      return try transport.resolver()
    } catch {
      throw TransportError(.system, url: redirects.url, detail: error.description)
    }
  }

  private func checkName(_ proxy: ProxyServer, _ resolver: Resolver) {
    // The task is started and stored under one lock; otherwise the task of the next hop could be
    // stored before the task of this hop.
    progress.withLock { progress in
      let check = Task { @concurrent in
        do throws(TransportError) {
          try await NameCheck.checkAddresses(
            redirects.url, addresses, resolver,
            looksUp: proxy.kind == .http || transport.options.looksUpBehindSOCKS)
          try send(proxy)
        } catch {
          finish(.failure(error))
        }
      }
      progress.check = check
      if progress.isCancelled { check.cancel() }
    }
  }

  private func send(_ proxy: ProxyServer?) throws(TransportError) {
    guard !progress.withLock({ $0.isCancelled }) else {
      throw TransportError(.cancelled, url: redirects.url, detail: "cancelled")
    }
    let origin = redirects.url.origin
    let hop = try hop(proxy)
    let place = try assignLoop(origin)
    let id = transport.makeID()
    let transfer = Transfer(id: id, hop: hop, connectionLimit: place.limit, sink: sink) { ending in
      self.transport.releaseLoop(origin, of: place.index)
      self.hopEnded(ending)
    }
    progress.withLock { $0.hop = (place.loop, id) }
    place.loop.submit(.start(transfer))
    // A `cancel` that ran before the hop was stored has not reached the event loop, so it is
    // repeated.
    if progress.withLock({ $0.isCancelled }) { place.loop.submit(.cancel(id)) }
  }

  private func assignLoop(
    _ origin: HTTPURL.Origin
  ) throws(TransportError) -> (loop: EventLoop, index: Int, limit: Int) {
    let place: (loop: EventLoop, index: Int, limit: Int)?
    do throws(SystemError) {
      place = try transport.assign(origin)
    } catch {
      throw TransportError(.system, url: redirects.url, detail: error.description)
    }
    guard let place else {
      throw TransportError(.cancelled, url: redirects.url, detail: "the transport is shut down")
    }
    return place
  }

  private func hopEnded(_ ending: Transfer.Completion) {
    switch ending {
    case .failure(let error): finish(.failure(error))
    case .success(.response(let head, let body, let timings)):
      redirects.receiveCookies(head.fields)
      finish(
        .success(
          TransportResponse(
            head: head, body: body, timings: timings, redirectCount: redirects.count)))
    case .success(.redirect(let head, let hopTimings, let deadline)):
      do throws(TransportError) {
        var next = redirects
        _ = try next.handle(status: head.status, fields: head.fields)
        redirects = next
      } catch {
        return finish(.failure(error))
      }
      sink.redirected(by: head)
      addresses = addresses.afterHop(from: head.remoteAddress.flatMap { IPAddress($0) })
      // The timings describe the last hop, except for the time in the queue, which the first hop
      // measures.
      timings = TransferTimings()
      timings.queue = hopTimings.queue
      totalDeadline = deadline
      beginHop()
    }
  }

  private func hop(_ proxy: ProxyServer?) throws(TransportError) -> Hop {
    let url = redirects.url
    let isAbsolute = proxy?.forwards(url.scheme) ?? false
    do throws(HTTPParseError) {
      let pattern = try transport.pattern(url.origin, redirects.fields, acceptEncoding, proxy)
      return Hop(
        url: url, request: try pattern.request(target: isAbsolute ? url.description : url.target),
        fields: pattern.fields, limits: limits, addresses: addresses, proxy: proxy,
        started: started, hasLeftOrigin: redirects.hasLeftOrigin, timings: timings,
        totalDeadline: totalDeadline)
    } catch {
      throw TransportError(.invalidRequest, url: url, detail: error.detail)
    }
  }
}
