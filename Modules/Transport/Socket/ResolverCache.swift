import Transport

/// One address of a name.
struct ResolvedAddress: Hashable, Sendable {
  let ip: IPAddress
  /// The interface of a link-local IPv6 address; 0 if none.
  let scope: UInt32
}

/// Why a name has no address, in words.
struct ResolveError: Error, Equatable, Sendable {
  let reason: String
}

/// What is known about names, and who waits for what: equal look-ups in work are made once.
///
/// A pure machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct ResolverCache<Waiter> {
  typealias Answer = Result<[ResolvedAddress], ResolveError>

  enum Reply {
    case known(Answer)
    /// The caller looks the name up, and tells `answered`.
    case lookUp
    /// Someone does already.
    case joined
  }

  private enum Entry {
    case pending([Waiter])
    case known(Answer, until: UInt64)
  }

  /// The system's resolver does not tell how long an answer holds.
  static var lifetime: UInt64 { 60_000_000_000 }
  /// A dead name of many URLs is not asked for again and again.
  static var failureLifetime: UInt64 { 1_000_000_000 }
  static var maximumEntries: Int { 4_096 }

  private var entries: [String: Entry] = [:]

  mutating func ask(_ name: String, _ waiter: Waiter, now: UInt64) -> Reply {
    switch entries[name] {
    case .pending(var waiters):
      waiters.append(waiter)
      entries[name] = .pending(waiters)
      return .joined
    case .known(let answer, let until) where now < until:
      return .known(answer)
    case .known, nil:
      if entries.count >= Self.maximumEntries { removeKnown() }
      entries[name] = .pending([waiter])
      return .lookUp
    }
  }

  /// Keeps the answer and gives back who waited for it.
  mutating func answered(_ name: String, _ answer: Answer, now: UInt64) -> [Waiter] {
    guard case .pending(let waiters) = entries[name] else { return [] }
    let lifetime = if case .success = answer { Self.lifetime } else { Self.failureLifetime }
    entries[name] = .known(answer, until: now &+ lifetime)
    return waiters
  }

  private mutating func removeKnown() {
    entries = entries.filter { if case .pending = $0.value { true } else { false } }
  }
}
