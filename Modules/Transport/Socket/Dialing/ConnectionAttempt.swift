import Models
import SystemCalls
import Transport

/// The attempt of one transfer to establish a connection: a permit, lookups, a race of addresses,
/// then a handshake. Confined to its event loop; only the loop's `Dialer` and its connector change
/// an attempt.
final class ConnectionAttempt: DeadlineHolder {
  /// A socket whose connect is in progress.
  struct Candidate {
    /// The token of the socket in the poller and in the registry.
    let token: UInt64
    let address: SocketAddress
    let descriptor: OwnedDescriptor
  }

  let token: UInt64
  let transfer: Transfer
  var failures = DialFailures()
  /// The handshake of the connected socket; nil before a socket is connected.
  var handshake: Handshake?
  /// The earliest entry of the attempt in the loop's deadline queue.
  var armedDeadline = ArmedDeadline()
  /// Whether the attempt holds a permit of the connection budget, which the established connection
  /// takes over.
  private(set) var hasPermit = false
  /// The time by which the connection must be ready.
  private(set) var deadline = Moment.never
  /// The sockets in the race, in the order of their starts.
  private(set) var candidates: [Candidate] = []
  /// The time at which an address that waits for a descriptor is tried again.
  private(set) var retryTime = Moment.never
  private var waiting: [ResolvedAddress] = []
  private var race: AddressRace<ResolvedAddress>?

  init(token: UInt64, transfer: Transfer) {
    self.token = token
    self.transfer = transfer
  }

  func permit() { hasPermit = true }

  /// Sets the deadline that `connectTimeout` determines.
  func setDeadline(_ deadline: UInt64) { self.deadline = deadline }

  func beginRace(_ race: AddressRace<ResolvedAddress>) { self.race = race }

  func handle(
    _ event: AddressRace<ResolvedAddress>.Event, now: UInt64
  ) -> AddressRace<ResolvedAddress>.Action {
    race?.handle(event, now: now) ?? .wait
  }

  /// Whether no address has been tried because none is known yet.
  var isResolving: Bool { race?.isResolving ?? false }

  /// The time at which the race wants to try the next address.
  var nextCandidate: UInt64 { race?.nextAttempt ?? Moment.never }

  var nextDeadline: UInt64 { min(deadline, transfer.totalDeadline, nextCandidate, retryTime) }

  /// Whether an address waits because no descriptor was available.
  var isWaitingForDescriptor: Bool { !waiting.isEmpty }

  func waitForDescriptor(_ address: ResolvedAddress, until time: UInt64) {
    waiting.append(address)
    retryTime = time
  }

  /// Removes and returns the address that has waited longest for a descriptor.
  func dequeueWaiting() -> ResolvedAddress? {
    guard isWaitingForDescriptor else { return nil }
    defer { if waiting.isEmpty { retryTime = Moment.never } }
    return waiting.removeFirst()
  }

  func add(_ candidate: Candidate) { candidates.append(candidate) }

  /// Removes a candidate from the race.
  /// - Returns: The candidate and the addresses of earlier candidates that are not connected yet;
  ///   nil if there is no such candidate.
  func removeCandidate(_ token: UInt64) -> (candidate: Candidate, overtaken: [IPAddress])? {
    guard let index = candidates.firstIndex(where: { $0.token == token }) else { return nil }
    let overtaken = candidates[..<index].map(\.address.ip)
    return (candidates.remove(at: index), overtaken)
  }

  /// Discards all addresses of the attempt, so that no further address is tried.
  func endRace() {
    race = nil
    candidates = []
    waiting = []
    retryTime = Moment.never
  }
}
