/// The current limits of one host: the number of connections, the spacing of starts and backoff. The limits
/// adapt to the host's answers; they fall at once and rise slowly.
///
/// A pure state machine: times are seconds of a monotonic clock, and random numbers are arguments.
/// Invariants:
/// - `1 <= limit <= maximum`, and no transfer starts beyond `limit`, during backoff, or earlier after the
///   last start than the spacing allows.
/// - Answers to requests that began before the limit fell do not lower it again: a host that throttles
///   sixteen simultaneous requests counts as having throttled once.
/// - No backoff is longer than `policy.maximumWait` from the answer that caused it.
/// - From any state, the budget equals a new one after `policy.successesPerStep * max(maximum - 1, spacing
///   steps)` successes of requests that began after the last refusal. The spacing steps are the halvings
///   from `maximumInterval` to below `firstInterval`.
struct HostBudget: Sendable, Equatable {
  /// The number of connections of a host that has never throttled.
  private(set) var maximum: Int
  let policy: Policy

  /// The number of connections that throttling allows, at most `maximum`.
  private var allowed: Int
  /// The seconds between the starts of two requests; 0 for no spacing.
  private var interval = 0.0
  /// The number of successes since the last increase of the limit.
  private var successes = 0
  private var lastStart = -Double.infinity
  /// The time and the reason of the last fall of the limit.
  private var lastFall = -Double.infinity
  private var fallReason = ""
  /// The number of falls without a success between them.
  private var falls = 0
  private var throttledUntil = -Double.infinity

  /// The number of connection failures in a row, and the reason of the last one.
  private var failures = 0
  private var failureReason = ""
  /// The time of the last failure that began a backoff.
  private var lastBreak = -Double.infinity
  private var brokenUntil = -Double.infinity

  /// - Parameter maximum: The number of connections, at least 1.
  init(maximum: Int, policy: Policy = Policy()) {
    self.maximum = max(1, maximum)
    self.policy = policy
    allowed = self.maximum
  }

  /// The number of connections allowed now; 1 after several connection failures in a row.
  var limit: Int { isBroken ? 1 : allowed }

  /// Whether so many consecutive connections failed that the waiting resources are to be failed: trying a
  /// thousand resources of an unreachable host one by one would take days.
  var isUnreachable: Bool { failures >= policy.failuresUntilUnreachable }

  private var isBroken: Bool { failures >= policy.failuresUntilBackoff }

  /// Returns whether one more transfer may start.
  /// - Parameter active: The number of active transfers of the host.
  func mayStart(at now: Double, active: Int) -> Bool {
    active < limit && earliestStart <= now
  }

  /// Returns the time of the next possible start, if only time prevents one; nil if a start is possible now
  /// or needs a free connection.
  func nextStart(at now: Double, active: Int) -> Double? {
    active < limit && earliestStart > now ? earliestStart : nil
  }

  /// The end of the last backoff, which may have passed; nil if there was none. The spacing of starts is
  /// not a backoff.
  var backoffEnd: Double? {
    let end = max(throttledUntil, brokenUntil)
    return end > -.infinity ? end : nil
  }

  /// The reason for a backoff or a reduced limit, such as `HTTP 429 Too Many Requests`; nil if there is
  /// none.
  var reason: String? {
    if isBroken { return failureReason }
    return allowed < maximum || interval > 0 || throttledUntil > -.infinity ? fallReason : nil
  }

  /// Whether the budget equals a new one, so that it need not be kept.
  var isUntouched: Bool { failures == 0 && reason == nil }

  private var earliestStart: Double {
    max(throttledUntil, brokenUntil, interval > 0 ? lastStart + interval : lastStart)
  }

  /// Sets the configured number of connections. A limit reduced by throttling stays, unless the new number
  /// is smaller.
  mutating func setMaximum(_ new: Int) {
    let isFull = allowed == maximum
    maximum = max(1, new)
    allowed = isFull ? maximum : min(allowed, maximum)
  }

  /// Records the start of a request.
  mutating func started(at now: Double) { lastStart = max(lastStart, now) }

  /// Records an answer of the host, with any status that is not throttling.
  mutating func succeeded(startedAt start: Double, at now: Double) {
    failures = 0
    brokenUntil = -.infinity
    if throttledUntil <= now { throttledUntil = -.infinity }
    guard start > lastFall else { return }
    falls = 0
    guard allowed < maximum || interval > 0 else { return }
    successes += 1
    guard successes >= policy.successesPerStep else { return }
    successes = 0
    allowed = min(maximum, allowed + 1)
    interval = interval / 2 < policy.firstInterval ? 0 : interval / 2
  }

  /// Records throttling (429, 503): half as many connections, starts further apart, and backoff for the
  /// time that the host requests, or for a growing time if it requests none. A host that may be asked again
  /// at once (`Retry-After: 0`, or a date in the past) gets fewer connections but no spacing: the backoff
  /// of the single requests is sufficient.
  /// - Parameters:
  ///   - start: The start of the request.
  ///   - retryAfter: The requested wait in seconds; nil if the host named none.
  ///   - chance: A random number, uniform in 0..<1.
  mutating func throttled(
    startedAt start: Double, at now: Double, retryAfter: Double?, reason: String, chance: Double = 1
  ) {
    let isNews = start > lastFall
    if isNews { fall(at: now, reason: reason, spacing: retryAfter.map { $0 > 0 } ?? true) }
    if let retryAfter {
      throttledUntil = max(throttledUntil, now + min(max(0, retryAfter), policy.maximumWait))
    } else if isNews {
      throttledUntil = max(throttledUntil, now + policy.backoff(falls, chance: chance))
    }
  }

  private mutating func fall(at now: Double, reason: String, spacing isSpaced: Bool) {
    lastFall = now
    fallReason = reason
    falls = min(falls + 1, 1_000)
    successes = 0
    allowed = max(1, allowed / 2)
    if isSpaced {
      interval = min(max(interval * 2, policy.firstInterval), policy.maximumInterval)
    }
  }

  /// Records a failure to connect. After several failures in a row the host backs off, longer each time,
  /// and is then tried with one connection until a connection succeeds.
  /// - Parameters:
  ///   - start: The start of the attempt.
  ///   - chance: A random number, uniform in 0..<1.
  mutating func refused(
    startedAt start: Double, at now: Double, reason: String, chance: Double = 1
  ) {
    guard start > lastBreak else { return }
    failures = min(failures + 1, 1_000)
    failureReason = reason
    successes = 0
    guard isBroken else { return }
    lastBreak = now
    brokenUntil = now + policy.backoff(failures - policy.failuresUntilBackoff + 1, chance: chance)
  }
}
