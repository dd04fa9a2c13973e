import Glibc
import Synchronization
import SystemCalls

/// What the loops of a transport share: names and TLS.
final class LoopServices: Sendable {
  let resolver: Resolver
  private let options: SocketOptions
  private let context = Mutex<TLSContext?>(nil)

  init(_ options: SocketOptions) throws(SystemError) {
    self.options = options
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
}
