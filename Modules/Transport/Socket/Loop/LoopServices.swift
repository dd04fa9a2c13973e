import Synchronization
import SystemCalls

/// The services that the loops of a transport share: names, TLS, the rate limit, permits for connections.
final class LoopServices: Sendable {
  let resolver: Resolver
  let limiter: RateLimiter?
  private let options: SocketOptions
  private let context = Mutex<TLSContext?>(nil)
  /// The mailboxes of running loops. Each loop unregisters when it ends, so nothing is held for ever.
  private let mailboxes = Mutex<[LoopMailbox]>([])

  private let budget: Mutex<ConnectionBudget<ObjectIdentifier>>

  init(_ options: SocketOptions) throws(SystemError) {
    self.options = options
    limiter = RateLimiter(rate: options.bytesPerSecond)
    budget = Mutex(ConnectionBudget(limit: options.connections))
    resolver = try Resolver(options.names)
  }

  /// The TLS context, created for the first https URL because reading the authorities takes time.
  func tls() throws(TLSFailure) -> TLSContext {
    try context.withLock { context throws(TLSFailure) in
      if let context { return context }
      let made = try TLSContext(
        authorities: options.authorities, isInsecure: options.isInsecure)
      if !options.certificate.isEmpty {
        try made.identify(certificate: options.certificate, key: options.privateKey)
      }
      context = made
      return made
    }
  }

  func register(_ loop: LoopMailbox) { mailboxes.withLock { $0.append(loop) } }

  /// The last one closes the resolver.
  func unregister(_ loop: LoopMailbox) {
    budget.withLock { $0.remove(ObjectIdentifier(loop)) }
    let isLast = mailboxes.withLock { mailboxes in
      mailboxes.removeAll { $0 === loop }
      return mailboxes.isEmpty
    }
    if isLast { resolver.close() }
  }

  /// Whether one more connection may be made; if not, the loop gets a `.permit` when it may.
  func acquirePermit(_ loop: LoopMailbox) -> Bool {
    budget.withLock { $0.acquire(for: ObjectIdentifier(loop)) }
  }

  /// A connection, or an attempt at one, is over.
  func releasePermit() {
    while let next = budget.withLock({ $0.release() }) {
      // One that has ended in between has no use for it.
      if let loop = mailboxes.withLock({ $0.first { ObjectIdentifier($0) == next } }) {
        return loop.submit(.permit)
      }
    }
  }

  var isPermitWanted: Bool { budget.withLock { $0.isWanted } }

  /// Asks the other loops for a descriptor that they do not need.
  func askForDescriptor(_ loop: LoopMailbox) {
    let others = mailboxes.withLock { $0.filter { $0 !== loop } }
    for other in others { other.submit(.closeIdle) }
  }
}
