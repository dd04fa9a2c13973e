import Glibc
import Synchronization
import SystemCalls

/// What the loops of a transport share: names, TLS and the process's descriptors.
final class LoopServices: Sendable {
  let resolver: Resolver
  let limiter: RateLimiter?
  private let options: SocketOptions
  private let context = Mutex<TLSContext?>(nil)
  /// The loops that run. Each one leaves when it ends, so nothing is held for ever.
  private let loops = Mutex<[EventLoop]>([])

  init(_ options: SocketOptions) throws(SystemError) {
    self.options = options
    limiter = RateLimiter(rate: options.bytesPerSecond)
    let family =
      switch options.addressFamily {
      case .any: AF_UNSPEC
      case .v4: AF_INET
      case .v6: AF_INET6
      }
    resolver = try Resolver(family: family)
  }

  /// Made when the first https URL comes: reading the authorities takes time.
  func tls() throws(TLSFailure) -> TLSContext {
    try context.withLock { context throws(TLSFailure) in
      if let context { return context }
      let made = try TLSContext(
        authorities: options.authorities, isInsecure: options.isInsecure)
      context = made
      return made
    }
  }

  func join(_ loop: EventLoop) { loops.withLock { $0.append(loop) } }

  /// The last one closes the resolver.
  func leave(_ loop: EventLoop) {
    let isLast = loops.withLock { loops in
      loops.removeAll { $0 === loop }
      return loops.isEmpty
    }
    if isLast { resolver.close() }
  }

  /// Asks the other loops for a descriptor that they do not need.
  func askForDescriptor(_ loop: EventLoop) {
    let others = loops.withLock { $0.filter { $0 !== loop } }
    for other in others { other.submit(.closeIdle) }
  }
}
