/// Tries the addresses of a name one after the other, the next one when an attempt fails or has
/// taken 250 ms, until one is connected: the spirit of RFC 8305 without its corner cases.
///
/// A pure machine over the positions of the addresses in a list.
struct AddressRace {
  enum Event {
    case start
    case failed
    /// The time of `nextAttempt` has come.
    case waited
  }

  enum Action: Equatable {
    case connect(Int)
    case wait
    /// No address is left and no attempt is running.
    case exhausted
  }

  static let delay: UInt64 = 250_000_000

  private let count: Int
  private var next = 0
  private var running = 0
  /// When `waited` is wanted; `Moment.never` while no address is left.
  private(set) var nextAttempt = Moment.never

  init(count: Int) { self.count = count }

  mutating func handle(_ event: Event, now: UInt64) -> Action {
    switch event {
    case .start: break
    case .failed: running -= 1
    case .waited: guard now >= nextAttempt else { return .wait }
    }
    guard next < count else {
      nextAttempt = Moment.never
      return running > 0 ? .wait : .exhausted
    }
    defer { next += 1 }
    running += 1
    nextAttempt = next + 1 < count ? now &+ Self.delay : Moment.never
    return .connect(next)
  }

  /// `addresses` with the families taking turns, the resolver's first choice first (RFC 8305 §4).
  static func interleaved<Address>(
    _ addresses: [Address], isV6: (Address) -> Bool
  ) -> [Address] {
    guard let first = addresses.first else { return [] }
    let leading = addresses.filter { isV6($0) == isV6(first) }
    let others = addresses.filter { isV6($0) != isV6(first) }
    var result: [Address] = []
    for index in 0..<max(leading.count, others.count) {
      if index < leading.count { result.append(leading[index]) }
      if index < others.count { result.append(others[index]) }
    }
    return result
  }
}
