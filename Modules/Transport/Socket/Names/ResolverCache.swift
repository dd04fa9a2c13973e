/// Which answers are cached, who waits for what, and which look-ups are in work: equal ones are made
/// once, and no more than a bound at one time; the others wait in order.
///
/// A pure machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct ResolverCache<Waiter> {
  enum Reply: Equatable {
    case cached(AddressAnswer)
    /// The caller makes the look-up, and passes the answer to `store`.
    case lookUp
    /// The look-up is in work, or waits until others have ended.
    case wait
  }

  private enum Entry {
    case pending([Waiter])
    case cached(AddressAnswer, until: UInt64)
  }

  private let limits: ResolverLimits
  private var entries: [AddressQuestion: Entry] = [:]
  private var queue = Queue<AddressQuestion>()
  /// Look-ups in work.
  private(set) var inFlight = 0

  init(limits: ResolverLimits) { self.limits = limits }

  mutating func lookUp(_ question: AddressQuestion, _ waiter: Waiter, now: UInt64) -> Reply {
    switch entries[question] {
    case .pending(var waiters):
      // Moved out, so that the array is not copied.
      entries[question] = nil
      waiters.append(waiter)
      entries[question] = .pending(waiters)
      return .wait
    case .cached(let answer, let until) where now < until:
      return .cached(answer)
    case .cached, nil:
      if entries.count >= limits.entries { evict(now: now) }
      entries[question] = .pending([waiter])
      guard inFlight < max(1, limits.inFlight) else {
        queue.append(question)
        return .wait
      }
      inFlight += 1
      return .lookUp
    }
  }

  /// Keeps the answer to a look-up in work.
  /// - Returns: who waited for it, and the look-up that is to be made next.
  mutating func store(
    _ question: AddressQuestion, _ answer: AddressAnswer, now: UInt64
  ) -> (waiters: [Waiter], next: AddressQuestion?) {
    guard case .pending(let waiters) = entries[question] else { return ([], nil) }
    let (until, overflow) = now.addingReportingOverflow(lifetime(of: answer))
    entries[question] = .cached(answer, until: overflow ? .max : until)
    guard let next = queue.popFirst() else {
      inFlight -= 1
      return (waiters, nil)
    }
    return (waiters, next)
  }

  /// Forgets everything.
  /// - Returns: who waited for something.
  mutating func removeAll() -> [Waiter] {
    let waiters = entries.values.flatMap { entry -> [Waiter] in
      if case .pending(let waiters) = entry { waiters } else { [] }
    }
    self = ResolverCache(limits: limits)
    return waiters
  }

  private func lifetime(of answer: AddressAnswer) -> UInt64 {
    switch answer.result {
    case .success: min(max(answer.lifetime, limits.shortest), max(limits.shortest, limits.longest))
    case .failure(let error): error.isAboutName ? limits.missing : limits.failure
    }
  }

  /// Removes expired answers; if none has expired, all questions without waiters.
  private mutating func evict(now: UInt64) {
    entries = entries.filter {
      if case .cached(_, let until) = $0.value { now < until } else { true }
    }
    guard entries.count >= limits.entries else { return }
    entries = entries.filter { if case .pending = $0.value { true } else { false } }
  }
}

/// The bounds of a resolver; times in nanoseconds.
struct ResolverLimits: Sendable, Equatable {
  /// Answers are kept for as long as they say, but at least and at most so long.
  var shortest: UInt64 = 1_000_000_000
  var longest: UInt64 = 3_600_000_000_000
  /// A dead name of many URLs is not asked for again and again.
  var missing: UInt64 = 5_000_000_000
  /// Nanoseconds that a failure is kept that says nothing about the name.
  var failure: UInt64 = 1_000_000_000
  /// Look-ups in work.
  var inFlight = 64
  /// Questions remembered.
  var entries = 8_192
}
