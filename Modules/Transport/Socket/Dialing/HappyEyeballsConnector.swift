import Models
import SystemCalls
import Threading
import Transport

/// Connects to hosts according to RFC 8305: lookups, the race of addresses, and the wait for a
/// descriptor if the system has none left. Confined to its event loop.
///
/// Each method returns its outcome, if any, instead of calling a delegate.
final class HappyEyeballsConnector {
  enum Outcome {
    case connected(ConnectionAttempt, ConnectionAttempt.Candidate)
    case failed(ConnectionAttempt, TransportError.Code, String)
    /// An attempt waits because no descriptor is available; the caller must call `retryWaiting`
    /// when one becomes free.
    case descriptorWanted
  }

  /// The time in nanoseconds after which an attempt that waits for a descriptor tries again, even
  /// if this process has closed none.
  private static let descriptorRetryTime: UInt64 = 100_000_000

  private let families: [IPAddress.Family]
  private let resolver: Resolver
  private let registry: Registry
  private let poller: Poller
  private let mailbox: LoopMailbox
  private var addresses = AddressMemory()
  /// The attempts that wait for a descriptor, in order of arrival; an attempt occurs once for each
  /// of its waiting addresses.
  private var waitingForDescriptor: [ConnectionAttempt] = []

  init(
    _ families: [IPAddress.Family], _ resolver: Resolver, _ registry: Registry, _ poller: Poller,
    _ mailbox: LoopMailbox
  ) {
    self.families = families
    self.resolver = resolver
    self.registry = registry
    self.poller = poller
    self.mailbox = mailbox
  }

  // MARK: - Names and addresses

  /// Starts the lookups and the race of addresses of an attempt.
  func connect(_ attempt: ConnectionAttempt) -> Outcome? {
    let now = Machine.monotonicNanoseconds
    let transfer = attempt.transfer
    let host = transfer.peer.host
    let numeric = IPAddress(host)
    let families = numeric.map { [$0.family] } ?? self.families
    let suspects = addresses.suspects(of: host, now: now)
    let race = AddressRace<ResolvedAddress>(
      questions: Set(families), first: addresses.firstFamily(of: host, now: now),
      isSuspect: { suspects.contains($0.ip) })
    attempt.beginRace(race)
    registry.arm(attempt)
    if let numeric {
      return answered(attempt, numeric.family, [ResolvedAddress(ip: numeric, scope: 0)])
    }
    let token = attempt.token
    for family in families {
      resolver.resolve(AddressLookup(name: host, family: family)) { [mailbox] in
        mailbox.submit(.resolved(token, family, $0))
      }
    }
    return nil
  }

  func resolved(
    _ attempt: ConnectionAttempt, _ family: IPAddress.Family,
    _ answer: Result<[ResolvedAddress], ResolveError>
  ) -> Outcome? {
    switch answer {
    case .success(let addresses):
      attempt.transfer.reach(.names)
      return answered(attempt, family, addresses)
    case .failure(let error):
      attempt.failures.recordFailedLookUp(error)
      return answered(attempt, family, [])
    }
  }

  private func answered(
    _ attempt: ConnectionAttempt, _ family: IPAddress.Family, _ addresses: [ResolvedAddress]
  ) -> Outcome? {
    let usable = addresses.filter { families.contains($0.ip.family) }
    let allowed = usable.filter { attempt.transfer.allows($0.ip) }
    if let forbidden = usable.first(where: { !attempt.transfer.allows($0.ip) }) {
      attempt.failures.recordForbiddenAddress(forbidden.ip)
    }
    return advance(attempt, .answered(family, allowed))
  }

  /// Passes an event to the race of an attempt, and tries the addresses that the race returns until
  /// a connect is in progress or no address is left.
  private func advance(
    _ attempt: ConnectionAttempt, _ event: AddressRace<ResolvedAddress>.Event
  ) -> Outcome? {
    var event = event
    while true {
      switch attempt.handle(event, now: Machine.monotonicNanoseconds) {
      case .wait:
        registry.arm(attempt)
        return nil
      case .exhausted: return failed(attempt)
      case .connect(let address):
        switch open(address, for: attempt) {
        case .started: return nil
        case .noDescriptor: return .descriptorWanted
        case .failed: event = .failed
        }
      }
    }
  }

  /// Returns the failure of an attempt that has no further addresses.
  private func failed(_ attempt: ConnectionAttempt) -> Outcome {
    let transfer = attempt.transfer
    let host = "\(transfer.proxy == nil ? "" : "the proxy ")\"\(transfer.peer.host)\""
    let reason = attempt.failures.reason(
      host: host, family: families.count == 1 ? families.first : nil)
    return .failed(attempt, reason.code, reason.detail)
  }

  // MARK: - Sockets

  private enum Opening { case started, noDescriptor, failed }

  /// Starts connecting to one address.
  private func open(_ resolved: ResolvedAddress, for attempt: ConnectionAttempt) -> Opening {
    let address = SocketAddress(
      ip: resolved.ip, port: attempt.transfer.peer.port, scope: resolved.scope)
    let descriptor: OwnedDescriptor
    let token = registry.makeToken()
    do throws(SystemError) {
      descriptor = try StreamSocket.open(address)
    } catch  where error.isOutOfDescriptors {
      attempt.waitForDescriptor(
        resolved, until: Machine.monotonicNanoseconds &+ Self.descriptorRetryTime)
      waitingForDescriptor.append(attempt)
      registry.arm(attempt)
      return .noDescriptor
    } catch {
      attempt.failures.recordFailedAddress(.system, error.description)
      return .failed
    }
    if case .failed(let code) = StreamSocket.connect(descriptor.raw, to: address) {
      recordFailure(code, of: address, for: attempt)
      return .failed
    }
    do throws(SystemError) {
      try poller.add(descriptor.raw, .output, token: token)
    } catch {
      attempt.failures.recordFailedAddress(.system, error.description)
      return .failed
    }
    attempt.add(
      ConnectionAttempt.Candidate(token: token, address: address, descriptor: descriptor))
    registry[token] = .candidate(attempt)
    registry.arm(attempt)
    return .started
  }

  private func recordFailure(
    _ code: Int32, of address: SocketAddress, for attempt: ConnectionAttempt
  ) {
    let transfer = attempt.transfer
    let failure = StreamSocket.connectCode(code)
    let proxy = transfer.proxy.map { "the proxy \($0.host), " } ?? ""
    attempt.failures.recordFailedAddress(
      failure,
      "cannot connect to \(proxy)\(address.ip) port \(address.port): \(StreamSocket.reason(code))")
    // A lack of resources on this machine is not a failure of the address.
    if failure == .system { return }
    suspect(address.ip, of: transfer.peer.host)
  }

  /// Makes the next attempts start with the host's other addresses.
  func suspect(_ address: IPAddress, of host: String) {
    addresses.recordFailure(host, address, now: Machine.monotonicNanoseconds)
  }

  /// Whether an attempt waits for a descriptor, so that idle connections should be closed.
  var isWaitingForDescriptor: Bool { !waitingForDescriptor.isEmpty }

  /// Retries the first attempt that waits for a descriptor, after a descriptor has become free.
  func retryWaiting() -> Outcome? { waitingForDescriptor.first.flatMap { retry($0) } }

  private func retry(_ attempt: ConnectionAttempt) -> Outcome? {
    if let index = waitingForDescriptor.firstIndex(where: { $0 === attempt }) {
      waitingForDescriptor.remove(at: index)
    }
    guard let address = attempt.dequeueWaiting() else { return nil }
    switch open(address, for: attempt) {
    case .started: return nil
    case .noDescriptor: return .descriptorWanted
    case .failed: return advance(attempt, .failed)
    }
  }

  /// Handles an event of a candidate, whose connect has succeeded or failed.
  func candidateReady(_ attempt: ConnectionAttempt, _ token: UInt64) -> Outcome? {
    guard let (candidate, overtaken) = attempt.removeCandidate(token) else { return nil }
    registry.remove(token)
    let code = StreamSocket.pendingError(candidate.descriptor.raw)
    guard code == 0 else {
      candidate.descriptor.close()
      recordFailure(code, of: candidate.address, for: attempt)
      return advance(attempt, .failed)
    }
    addresses.recordConnection(
      attempt.transfer.peer.host, candidate.address.ip, overtaking: overtaken,
      now: Machine.monotonicNanoseconds)
    endRace(of: attempt)
    return .connected(attempt, candidate)
  }

  /// Closes the sockets that still take part in the race.
  func endRace(of attempt: ConnectionAttempt) {
    for candidate in attempt.candidates {
      registry.remove(candidate.token)
      candidate.descriptor.close()
    }
    if attempt.isWaitingForDescriptor { waitingForDescriptor.removeAll { $0 === attempt } }
    attempt.endRace()
  }

  // MARK: - Deadlines

  /// Handles a deadline that does not end the attempt: the retry for a descriptor, or the time for
  /// the next address.
  func handleDeadline(_ attempt: ConnectionAttempt, _ now: UInt64) -> Outcome? {
    if attempt.retryTime <= now, let outcome = retry(attempt) { return outcome }
    if attempt.nextCandidate <= now { return advance(attempt, .waited) }
    registry.arm(attempt)
    return nil
  }
}

extension SocketOptions.AddressFamily {
  var families: [IPAddress.Family] {
    switch self {
    case .any: [.v6, .v4]
    case .v4: [.v4]
    case .v6: [.v6]
    }
  }
}
