import HTTP1
import Models
import Synchronization
import SystemCalls
public import Transport

/// The `socket` adapter: HTTP/1.1 and HTTP/2 over sockets of its own, with event loops on their own
/// threads, keep-alive connections, and TLS through OpenSSL. Bytes pass from the kernel to the sink
/// without a task, an actor or a copy in between.
///
/// The sink is called on the thread of an event loop. A sink that blocks delays the other transfers
/// of that loop, which is the back-pressure that `Transport` promises; a cancellation takes effect
/// when the sink returns.
public final class SocketTransport: Transport {
  private enum Engine {
    case idle
    case running([EventLoop], LoopAssignment, LoopServices)
    case closed
  }

  let options: SocketOptions
  private let limiter: RateLimiter
  private let engine = Mutex(Engine.idle)
  private let nextID = Atomic<UInt64>(1)
  /// The pattern of the last request, kept because most requests differ from the previous request
  /// only in the target.
  private let pattern = Mutex<RequestPattern?>(nil)

  /// Creates the transport without starting anything; threads and descriptors are created for the
  /// first transfer.
  public init(_ options: SocketOptions = SocketOptions()) {
    self.options = options
    limiter = RateLimiter(rate: options.bytesPerSecond)
  }

  public func setRateLimit(bytesPerSecond: Int) { limiter.setRate(bytesPerSecond) }

  deinit {
    engine.withLock { if case .running(let loops, _, _) = $0 { loops.forEach { $0.stop() } } }
  }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    let chain = RedirectChain(request, sink, self)
    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        chain.start { continuation.resume(returning: $0) }
      }
    } onCancel: {
      chain.cancel()
    }
    return try ending.get()
  }

  public func begin(
    _ request: TransportRequest, into sink: any BodySink,
    whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
  ) -> any Cancellable {
    let chain = RedirectChain(request, sink, self)
    chain.start(whenEnded)
    return chain
  }

  public func shutdown() async {
    let loops = engine.withLock { engine -> [EventLoop] in
      defer { engine = .closed }
      if case .running(let loops, _, _) = engine { return loops }
      return []
    }
    for loop in loops { await loop.stopAndWait() }
    // The pattern is dropped because it may contain credentials.
    pattern.withLock { $0 = nil }
  }

  // MARK: - For redirect chains

  func makeID() -> UInt64 { nextID.wrappingAdd(1, ordering: .relaxed).oldValue }

  func pattern(
    _ origin: HTTPURL.Origin, _ given: HTTPFields, _ acceptEncoding: String, _ proxy: ProxyServer?
  ) throws(HTTPParseError) -> RequestPattern {
    try pattern.withLock { cached throws(HTTPParseError) in
      if let cached, cached.serves(origin, given, acceptEncoding: acceptEncoding, proxy: proxy) {
        return cached
      }
      let new = try RequestPattern(
        origin, given, acceptEncoding: acceptEncoding, proxy: proxy, userAgent: options.userAgent)
      cached = new
      return new
    }
  }

  /// Returns the resolver that the event loops share, and starts the loops if they are not running;
  /// nil after `shutdown`.
  func resolver() throws(SystemError) -> Resolver? {
    try engine.withLock { engine throws(SystemError) in
      if case .idle = engine { engine = try startLoops() }
      guard case .running(_, _, let services) = engine else { return nil }
      return services.resolver
    }
  }

  /// Assigns an event loop to one more transfer, which the caller must report to `releaseLoop` when
  /// it ends. Returns nil after `shutdown`.
  func assign(
    _ origin: HTTPURL.Origin
  ) throws(SystemError) -> (loop: EventLoop, index: Int, limit: Int)? {
    try engine.withLock { engine throws(SystemError) in
      if case .idle = engine { engine = try startLoops() }
      guard case .running(let loops, var assignment, let services) = engine else { return nil }
      // The state is replaced first: otherwise it would share the dictionary of `assignment`, and
      // the change would copy the dictionary.
      engine = .idle
      let (index, limit) = assignment.assign(origin)
      engine = .running(loops, assignment, services)
      return (loops[index], index, limit)
    }
  }

  func releaseLoop(_ origin: HTTPURL.Origin, of index: Int) {
    engine.withLock { engine in
      guard case .running(let loops, var assignment, let services) = engine else { return }
      engine = .idle
      assignment.release(origin, loop: index)
      engine = .running(loops, assignment, services)
    }
  }

  private func startLoops() throws(SystemError) -> Engine {
    let services = try LoopServices(options, limiter)
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
}
