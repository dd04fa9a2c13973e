import Models

/// Decides which address of a host to connect to next (Happy Eyeballs, RFC 8305). Addresses are
/// added as name resolution returns them. The addresses are tried one after another, alternating
/// between the families: the next attempt starts when an attempt fails or has lasted 250 ms, until
/// one is connected.
///
/// A pure state machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct AddressRace<Address: Hashable> {
  typealias Family = IPAddress.Family

  enum Event {
    /// The lookup of a family has returned its addresses, possibly none.
    case answered(Family, [Address])
    /// A running attempt has failed.
    case failed
    /// The time `nextAttempt` has passed.
    case waited
  }

  enum Action: Equatable {
    case connect(Address)
    case wait
    /// No address is left, no attempt is running, and no lookup is pending.
    case exhausted
  }

  /// The delay between the starts of two attempts in nanoseconds (RFC 8305 §5).
  static var attemptDelay: UInt64 { 250_000_000 }
  /// The time in nanoseconds for which addresses of the other family wait for those of the
  /// preferred family (RFC 8305 §3).
  static var resolutionDelay: UInt64 { 50_000_000 }
  /// The number of attempts with the preferred family before the other family is tried (RFC 8305
  /// §4).
  static var firstFamilyCount: Int { 1 }

  private struct Candidate {
    let address: Address
    let family: Family
    let isSuspect: Bool
  }

  private let first: Family
  private let isSuspect: (Address) -> Bool
  private var unanswered: Set<Family>
  /// The addresses not tried yet, each family in the resolver's order.
  private var untried: [Candidate] = []
  private var seen: Set<Address> = []
  private var attempts: [Family] = []
  private var running = 0
  /// The earliest start of the next attempt while another attempt is running.
  private var earliest: UInt64 = 0
  private var resolutionEnd: UInt64?
  /// The time at which the caller must report `waited`; `Moment.never` if no attempt is scheduled.
  private(set) var nextAttempt = Moment.never

  /// - Parameters:
  ///   - questions: The families that are being looked up.
  ///   - first: The family to try first, if it has an address.
  ///   - isSuspect: Returns whether an address failed earlier; such addresses are tried last.
  init(
    questions: Set<Family>, first: Family = .v6,
    isSuspect: @escaping (Address) -> Bool = { _ in false }
  ) {
    unanswered = questions
    self.first = first
    self.isSuspect = isSuspect
  }

  /// Whether no address has been tried because none is known yet.
  var isResolving: Bool { attempts.isEmpty && !unanswered.isEmpty }

  mutating func handle(_ event: Event, now: UInt64) -> Action {
    switch event {
    case .answered(let family, let addresses):
      unanswered.remove(family)
      for address in addresses where seen.insert(address).inserted {
        untried.append(Candidate(address: address, family: family, isSuspect: isSuspect(address)))
      }
    case .failed:
      running = max(0, running - 1)
      earliest = now
    case .waited: break
    }
    return next(now)
  }

  private mutating func next(_ now: UInt64) -> Action {
    guard !untried.isEmpty else {
      nextAttempt = Moment.never
      return running > 0 || !unanswered.isEmpty ? .wait : .exhausted
    }
    let start = attempts.isEmpty ? firstStart(now) : running > 0 ? earliest : now
    guard start <= now, let index = choice else {
      nextAttempt = start
      return .wait
    }
    let candidate = untried.remove(at: index)
    attempts.append(candidate.family)
    running += 1
    earliest = now &+ Self.attemptDelay
    nextAttempt = untried.isEmpty ? Moment.never : earliest
    return .connect(candidate.address)
  }

  /// Returns the time of the first attempt: now if the preferred family has been looked up,
  /// otherwise after the resolution delay.
  private mutating func firstStart(_ now: UInt64) -> UInt64 {
    guard unanswered.contains(first), !untried.contains(where: { $0.family == first }) else {
      return now
    }
    let end = resolutionEnd ?? now &+ Self.resolutionDelay
    resolutionEnd = end
    return end
  }

  /// The index of the next address: the families alternate, and suspect addresses come last.
  private var choice: Int? {
    let hasGood = untried.contains { !$0.isSuspect }
    let family = nextFamily
    func position(_ family: Family) -> Int? {
      untried.firstIndex { $0.family == family && $0.isSuspect != hasGood }
    }
    return position(family) ?? position(family == .v4 ? .v6 : .v4)
  }

  private var nextFamily: Family {
    guard let last = attempts.last, let leading = attempts.first else { return first }
    if attempts.count < Self.firstFamilyCount, attempts.allSatisfy({ $0 == leading }) {
      return leading
    }
    return last == .v4 ? .v6 : .v4
  }
}
