import Synchronization
import SystemCalls

/// The services that the loops of a transport share: name resolution, TLS, the rate limit, and
/// permits for connections.
final class LoopServices: Sendable {
  let resolver: Resolver
  let limiter: RateLimiter
  private let options: SocketOptions
  private let context = Mutex<TLSContext?>(nil)
  /// The mailboxes of running loops. Each loop unregisters when it ends, so that no ended loop is
  /// retained.
  private let mailboxes = Mutex<[LoopMailbox]>([])

  private let budget: Mutex<ConnectionBudget<ObjectIdentifier>>

  init(_ options: SocketOptions, _ limiter: RateLimiter) throws(SystemError) {
    self.options = options
    self.limiter = limiter
    budget = Mutex(ConnectionBudget(limit: options.connections))
    resolver = try Resolver(options.names)
  }

  /// Returns the TLS context, which is created for the first https URL because reading the CA
  /// certificates takes time.
  func tls() throws(TLSFailure) -> TLSContext {
    try context.withLock { context throws(TLSFailure) in
      if let context { return context }
      let made = try TLSContext(
        authorities: options.authorities, isInsecure: options.isInsecure)
      if !options.certificate.isEmpty {
        try made.setClientCertificate(certificate: options.certificate, key: options.privateKey)
      }
      context = made
      return made
    }
  }

  func register(_ loop: LoopMailbox) { mailboxes.withLock { $0.append(loop) } }

  /// Unregisters a loop that ends. The last loop to unregister closes the resolver.
  func unregister(_ loop: LoopMailbox) {
    budget.withLock { $0.remove(ObjectIdentifier(loop)) }
    let isLast = mailboxes.withLock { mailboxes in
      mailboxes.removeAll { $0 === loop }
      return mailboxes.isEmpty
    }
    if isLast { resolver.close() }
  }

  /// Acquires a permit for one more connection.
  /// - Returns: false if none is free; the loop then receives `.permit` later.
  func acquirePermit(_ loop: LoopMailbox) -> Bool {
    budget.withLock { $0.acquire(for: ObjectIdentifier(loop)) }
  }

  /// Releases the permit of a connection, or of an attempt, that has ended.
  func releasePermit() {
    while let next = budget.withLock({ $0.release() }) {
      // The next loop in the queue may have ended meanwhile; its permit then passes to the
      // following one.
      if let loop = mailboxes.withLock({ $0.first { ObjectIdentifier($0) == next } }) {
        return loop.submit(.permit)
      }
    }
  }

  var isPermitWanted: Bool { budget.withLock { $0.isWanted } }

  /// Asks the other loops to close an idle connection each, because `loop` needs a descriptor or a
  /// permit.
  func requestIdleClosure(_ loop: LoopMailbox) {
    let others = mailboxes.withLock { $0.filter { $0 !== loop } }
    for other in others { other.submit(.closeIdle) }
  }
}
