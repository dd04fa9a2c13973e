import Models

/// Which address of a host to connect to next (Happy Eyeballs, RFC 8305): the addresses come in as the
/// questions for them are answered, and are tried one after the other, the families taking turns,
/// the next one when an attempt fails or has taken 250 ms, until one is connected.
///
/// A pure machine: it connects to nothing; times are nanoseconds of `CLOCK_MONOTONIC`.
struct AddressRace<Address: Hashable> {
  typealias Family = IPAddress.Family

  enum Event {
    /// A question has its answer, which may be no address.
    case answered(Family, [Address])
    /// A running attempt has failed.
    case failed
    /// The time of `nextAttempt` has come.
    case waited
  }

  enum Action: Equatable {
    case connect(Address)
    case wait
    /// No address is left, no attempt is running, no question is open.
    case exhausted
  }

  /// Between the starts of two attempts (§5).
  static var attemptDelay: UInt64 { 250_000_000 }
  /// How long the addresses of the other family wait for those of the first (§3).
  static var resolutionDelay: UInt64 { 50_000_000 }
  /// Attempts with the first family before the other has its turn (§4).
  static var firstFamilyCount: Int { 1 }

  private struct Candidate {
    let address: Address
    let family: Family
    let isSuspect: Bool
  }

  private let first: Family
  private let isSuspect: (Address) -> Bool
  private var unanswered: Set<Family>
  /// Addresses that have not been tried yet, each family in the resolver's order.
  private var left: [Candidate] = []
  private var seen: Set<Address> = []
  private var attempts: [Family] = []
  private var running = 0
  /// The next attempt starts no earlier, unless no attempt is running.
  private var earliest: UInt64 = 0
  private var resolutionEnd: UInt64?
  /// When `waited` is wanted; `Moment.never` while time changes nothing.
  private(set) var nextAttempt = Moment.never

  /// - Parameters:
  ///   - questions: the families that have been requested.
  ///   - first: the family to begin with, if it has an address.
  ///   - isSuspect: whether an address failed earlier: those come last.
  init(
    questions: Set<Family>, first: Family = .v6,
    isSuspect: @escaping (Address) -> Bool = { _ in false }
  ) {
    unanswered = questions
    self.first = first
    self.isSuspect = isSuspect
  }

  /// Whether nothing has been tried, because there is no address yet.
  var isResolving: Bool { attempts.isEmpty && !unanswered.isEmpty }

  mutating func handle(_ event: Event, now: UInt64) -> Action {
    switch event {
    case .answered(let family, let addresses):
      unanswered.remove(family)
      for address in addresses where seen.insert(address).inserted {
        left.append(Candidate(address: address, family: family, isSuspect: isSuspect(address)))
      }
    case .failed:
      running = max(0, running - 1)
      earliest = now
    case .waited: break
    }
    return next(now)
  }

  private mutating func next(_ now: UInt64) -> Action {
    guard !left.isEmpty else {
      nextAttempt = Moment.never
      return running > 0 || !unanswered.isEmpty ? .wait : .exhausted
    }
    let start = attempts.isEmpty ? firstStart(now) : running > 0 ? earliest : now
    guard start <= now, let index = choice else {
      nextAttempt = start
      return .wait
    }
    let candidate = left.remove(at: index)
    attempts.append(candidate.family)
    running += 1
    earliest = now &+ Self.attemptDelay
    nextAttempt = left.isEmpty ? Moment.never : earliest
    return .connect(candidate.address)
  }

  /// The time of the first attempt: now if the first family has been answered, else a little later.
  private mutating func firstStart(_ now: UInt64) -> UInt64 {
    guard unanswered.contains(first), !left.contains(where: { $0.family == first }) else {
      return now
    }
    let end = resolutionEnd ?? now &+ Self.resolutionDelay
    resolutionEnd = end
    return end
  }

  /// The families take turns; what failed earlier comes after everything else.
  private var choice: Int? {
    let hasGood = left.contains { !$0.isSuspect }
    let family = turn
    func position(_ family: Family) -> Int? {
      left.firstIndex { $0.family == family && $0.isSuspect != hasGood }
    }
    return position(family) ?? position(family == .v4 ? .v6 : .v4)
  }

  private var turn: Family {
    guard let last = attempts.last, let leading = attempts.first else { return first }
    if attempts.count < Self.firstFamilyCount, attempts.allSatisfy({ $0 == leading }) {
      return leading
    }
    return last == .v4 ? .v6 : .v4
  }
}
