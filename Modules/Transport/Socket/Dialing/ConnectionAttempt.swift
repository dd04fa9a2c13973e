import Models
import SystemCalls
import Transport

/// The way of one transfer from a name to a connection that can take its request: a permit, look-ups,
/// the addresses in a race, then a handshake. Confined to its loop; only its `Dialer` changes it.
final class ConnectionAttempt: DeadlineHolder {
  /// A socket that is being connected.
  struct Candidate {
    /// The token of the socket in the poller and in the registry.
    let token: UInt64
    let address: SocketAddress
    let descriptor: OwnedDescriptor
  }

  let token: UInt64
  let transfer: Transfer
  var failures = DialFailures()
  /// Makes the connected socket ready for requests, once there is one.
  var handshake: Handshake?
  /// The earliest entry in the loop's deadlines.
  var armedDeadline = ArmedDeadline()
  /// Whether the attempt holds a permit of the budget, which passes to the connection.
  private(set) var hasPermit = false
  /// When the connection must be ready.
  private(set) var deadline = Moment.never
  /// The sockets in the race, in the order of their starts.
  private(set) var candidates: [Candidate] = []
  /// When an address that waits for a descriptor is tried again.
  private(set) var retryTime = Moment.never
  private var waiting: [ResolvedAddress] = []
  private var race: AddressRace<ResolvedAddress>?

  init(token: UInt64, transfer: Transfer) {
    self.token = token
    self.transfer = transfer
  }

  func permit() { hasPermit = true }

  /// Starts the time that `connectTimeout` bounds.
  func setDeadline(_ deadline: UInt64) { self.deadline = deadline }

  func start(_ race: AddressRace<ResolvedAddress>) { self.race = race }

  func handle(
    _ event: AddressRace<ResolvedAddress>.Event, now: UInt64
  ) -> AddressRace<ResolvedAddress>.Action {
    race?.handle(event, now: now) ?? .wait
  }

  /// Whether nothing has been tried, because there is no address yet.
  var isResolving: Bool { race?.isResolving ?? false }

  /// When the race wants the next address to be tried.
  var nextCandidate: UInt64 { race?.nextAttempt ?? Moment.never }

  var nextDeadline: UInt64 { min(deadline, transfer.totalDeadline, nextCandidate, retryTime) }

  /// Whether no descriptor was left for an address.
  var isWaitingForDescriptor: Bool { !waiting.isEmpty }

  func waitForDescriptor(_ address: ResolvedAddress, until time: UInt64) {
    waiting.append(address)
    retryTime = time
  }

  /// The address that has waited longest for a descriptor.
  func dequeueWaiting() -> ResolvedAddress? {
    guard isWaitingForDescriptor else { return nil }
    defer { if waiting.isEmpty { retryTime = Moment.never } }
    return waiting.removeFirst()
  }

  func add(_ candidate: Candidate) { candidates.append(candidate) }

  /// Removes a candidate from the race.
  /// - Returns: nil if no such candidate is in the race; `overtaken` are the addresses of candidates
  ///   that started earlier and are not connected yet.
  func removeCandidate(_ token: UInt64) -> (candidate: Candidate, overtaken: [IPAddress])? {
    guard let index = candidates.firstIndex(where: { $0.token == token }) else { return nil }
    let overtaken = candidates[..<index].map(\.address.ip)
    return (candidates.remove(at: index), overtaken)
  }

  /// Forgets all addresses, since nothing more is tried.
  func endRace() {
    race = nil
    candidates = []
    waiting = []
    retryTime = Moment.never
  }
}
