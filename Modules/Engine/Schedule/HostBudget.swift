/// What one host may have at a moment: how many connections, how soon one after the other, and
/// whether it is to be left alone. Learned from its answers; down at once, up again slowly.
///
/// A pure machine: times are seconds of any clock that does not go back, chance comes from outside.
/// What always holds:
/// - `1 <= limit <= maximum`, and nothing starts beyond `limit`, while the host waits, or sooner
///   after the last start than the spacing says.
/// - Answers to requests that began before the limit fell do not make it fall again: a host that
///   refuses sixteen requests at once has said one thing, not sixteen.
/// - No wait is longer than `policy.longestWait` from the answer that caused it.
/// - From any state, after `policy.successesPerStep * max(maximum - 1, spacing steps)` successes of
///   requests that began after the last refusal it is as new; the spacing steps are the halvings
///   that it takes from `longestInterval` to below `firstInterval`.
struct HostBudget: Sendable, Equatable {
  /// Connections of a host that has never pushed back.
  private(set) var maximum: Int
  let policy: Policy

  /// What pushing back has left of `maximum`.
  private var allowed: Int
  /// Seconds between starts.
  private var interval = 0.0
  /// Successes since the last step.
  private var successes = 0
  private var lastStart = -Double.infinity
  /// When the limit fell, and why.
  private var lastFall = -Double.infinity
  private var fallReason = ""
  /// Falls without a success between them.
  private var falls = 0
  private var backoffEnd = -Double.infinity

  /// Failures to connect in a row, and what the last of them was.
  private var failures = 0
  private var failureReason = ""
  /// When the last of them began to hold the host.
  private var lastBreak = -Double.infinity
  private var brokenUntil = -Double.infinity

  /// - Parameter maximum: connections, at least 1.
  init(maximum: Int, policy: Policy = Policy()) {
    self.maximum = max(1, maximum)
    self.policy = policy
    allowed = self.maximum
  }

  /// How many connections it may have. A host that could not be reached is tried with one.
  var limit: Int { isBroken ? 1 : allowed }

  /// Whether it could not be reached so often that what waits for it is to be given up: one try
  /// after the other, a thousand resources of a dead host would take days. Whoever gives them up
  /// forgets this budget, so that the next ones restart.
  var isLost: Bool { failures >= policy.failuresToGiveUp }

  private var isBroken: Bool { failures >= policy.failuresToWait }

  /// Whether one more may start.
  /// - Parameter active: connections that it has.
  func mayStart(at now: Double, active: Int) -> Bool {
    active < limit && earliestStart <= now
  }

  /// When to look again, if only time stands against a start; nil if nothing does, or if it takes
  /// the end of a transfer.
  func nextStart(at now: Double, active: Int) -> Double? {
    active < limit && earliestStart > now ? earliestStart : nil
  }

  /// Until when nothing starts; it may have passed. The spacing of starts is no wait.
  var waitsUntil: Double? {
    let end = max(backoffEnd, brokenUntil)
    return end > -.infinity ? end : nil
  }

  /// Why it waits or has less than others, as in `HTTP 429 Too Many Requests`; nil if it does not.
  var reason: String? {
    if isBroken { return failureReason }
    return allowed < maximum || interval > 0 || backoffEnd > -.infinity ? fallReason : nil
  }

  /// Whether a new budget would do as well, so that this one can be forgotten.
  var isUntouched: Bool { failures == 0 && reason == nil }

  private var earliestStart: Double {
    max(backoffEnd, brokenUntil, interval > 0 ? lastStart + interval : lastStart)
  }

  /// The number of connections was set again. What a host has been taken stays taken, as far as the
  /// new number goes.
  mutating func setMaximum(_ new: Int) {
    let isFull = allowed == maximum
    maximum = max(1, new)
    allowed = isFull ? maximum : min(allowed, maximum)
  }

  /// A request began.
  mutating func started(at now: Double) { lastStart = max(lastStart, now) }

  /// The host answered, whatever it said, as long as it did not push back.
  mutating func succeeded(startedAt start: Double, at now: Double) {
    failures = 0
    brokenUntil = -.infinity
    if backoffEnd <= now { backoffEnd = -.infinity }
    guard start > lastFall else { return }
    falls = 0
    guard allowed < maximum || interval > 0 else { return }
    successes += 1
    guard successes >= policy.successesPerStep else { return }
    successes = 0
    allowed = min(maximum, allowed + 1)
    interval = interval / 2 < policy.firstInterval ? 0 : interval / 2
  }

  /// The host asked for less (429, 503): half as many connections, starts further apart, and
  /// silence for as long as it said or, where it said nothing, longer each time. A host that says
  /// that it may be asked again at once (`Retry-After: 0`, or a date in the past) gets fewer
  /// connections, but no spacing: the backoff of the single requests is wait enough.
  /// - Parameters:
  ///   - start: when the request began.
  ///   - retryAfter: seconds.
  ///   - chance: uniform in 0..<1.
  mutating func pushedBack(
    startedAt start: Double, at now: Double, retryAfter: Double?, reason: String, chance: Double = 1
  ) {
    let isNews = start > lastFall
    if isNews { fall(at: now, reason: reason, spacing: retryAfter.map { $0 > 0 } ?? true) }
    if let retryAfter {
      backoffEnd = max(backoffEnd, now + min(max(0, retryAfter), policy.longestWait))
    } else if isNews {
      backoffEnd = max(backoffEnd, now + policy.wait(falls, chance: chance))
    }
  }

  private mutating func fall(at now: Double, reason: String, spacing isSpaced: Bool) {
    lastFall = now
    fallReason = reason
    falls = min(falls + 1, 1_000)
    successes = 0
    allowed = max(1, allowed / 2)
    if isSpaced {
      interval = min(max(interval * 2, policy.firstInterval), policy.longestInterval)
    }
  }

  /// No connection came about. A few in a row make the host wait, longer each time, and be tried
  /// with one connection until one comes about.
  /// - Parameters:
  ///   - start: when the attempt began.
  ///   - chance: uniform in 0..<1.
  mutating func refused(
    startedAt start: Double, at now: Double, reason: String, chance: Double = 1
  ) {
    guard start > lastBreak else { return }
    failures = min(failures + 1, 1_000)
    failureReason = reason
    successes = 0
    guard isBroken else { return }
    lastBreak = now
    brokenUntil = now + policy.wait(failures - policy.failuresToWait + 1, chance: chance)
  }
}
