/// The cached answers, the waiters of each lookup, and the lookups in progress. Simultaneous equal
/// lookups are made once; at most `concurrentLookups` run at the same time, and the others wait in
/// order.
///
/// A pure state machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct ResolverCache<Waiter> {
  enum Reply: Equatable {
    case cached(AddressAnswer)
    /// The caller must make the lookup and pass the answer to `store`.
    case lookUp
    /// The lookup is in progress, or queued.
    case wait
  }

  private enum Entry {
    case pending([Waiter])
    case cached(AddressAnswer, until: UInt64)
  }

  private let limits: ResolverLimits
  private var entries: [AddressLookup: Entry] = [:]
  private var queue = Queue<AddressLookup>()
  /// The number of lookups in progress.
  private(set) var inFlight = 0

  init(limits: ResolverLimits) { self.limits = limits }

  mutating func lookUp(_ lookup: AddressLookup, _ waiter: Waiter, now: UInt64) -> Reply {
    switch entries[lookup] {
    case .pending(var waiters):
      // The entry is removed first, so that the dictionary does not share `waiters` and `append`
      // does not copy the array.
      entries[lookup] = nil
      waiters.append(waiter)
      entries[lookup] = .pending(waiters)
      return .wait
    case .cached(let answer, let until) where now < until:
      return .cached(answer)
    case .cached, nil:
      if entries.count >= limits.maximumEntries { evict(now: now) }
      entries[lookup] = .pending([waiter])
      guard inFlight < max(1, limits.concurrentLookups) else {
        queue.append(lookup)
        return .wait
      }
      inFlight += 1
      return .lookUp
    }
  }

  /// Stores the answer to a lookup in progress.
  /// - Returns: The waiters of the lookup, and the lookup to make next, if one is queued.
  mutating func store(
    _ lookup: AddressLookup, _ answer: AddressAnswer, now: UInt64
  ) -> (waiters: [Waiter], next: AddressLookup?) {
    guard case .pending(let waiters) = entries[lookup] else { return ([], nil) }
    let (until, overflow) = now.addingReportingOverflow(lifetime(of: answer))
    entries[lookup] = .cached(answer, until: overflow ? .max : until)
    guard let next = queue.popFirst() else {
      inFlight -= 1
      return (waiters, nil)
    }
    return (waiters, next)
  }

  /// Removes all entries.
  /// - Returns: All waiters.
  mutating func removeAll() -> [Waiter] {
    let waiters = entries.values.flatMap { entry -> [Waiter] in
      if case .pending(let waiters) = entry { waiters } else { [] }
    }
    self = ResolverCache(limits: limits)
    return waiters
  }

  private func lifetime(of answer: AddressAnswer) -> UInt64 {
    switch answer.result {
    case .success:
      min(
        max(answer.lifetime, limits.minimumLifetime),
        max(limits.minimumLifetime, limits.maximumLifetime))
    case .failure(let error):
      error.isAboutName ? limits.missingNameLifetime : limits.failureLifetime
    }
  }

  /// Removes expired answers; if the cache is still full, all cached answers.
  private mutating func evict(now: UInt64) {
    entries = entries.filter {
      if case .cached(_, let until) = $0.value { now < until } else { true }
    }
    guard entries.count >= limits.maximumEntries else { return }
    entries = entries.filter { if case .pending = $0.value { true } else { false } }
  }
}

/// The limits of a resolver; times are in nanoseconds.
struct ResolverLimits: Sendable, Equatable {
  /// The bounds of the time for which addresses are cached; between the bounds their own time to
  /// live applies.
  var minimumLifetime: UInt64 = 1_000_000_000
  var maximumLifetime: UInt64 = 3_600_000_000_000
  /// The time for which a name without addresses is cached, because many URLs may name it.
  var missingNameLifetime: UInt64 = 5_000_000_000
  /// The time for which a failure of the DNS servers, such as a timeout, is cached.
  var failureLifetime: UInt64 = 1_000_000_000
  /// The maximum number of lookups in progress.
  var concurrentLookups = 64
  /// The maximum number of cached and pending lookups.
  var maximumEntries = 8_192
}
