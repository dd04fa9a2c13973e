import HTTP1
import Models

/// For how long an answer may be used without asking again (RFC 9111 §4.2), by a cache that is its
/// user's own. Only what the server said counts: there is no heuristic freshness.
enum Freshness {
  /// The first second, since 1970-01-01 00:00 UTC, in which the answer is no longer fresh.
  ///
  /// nil: ask again each time. Because nothing or nothing valid says otherwise, because of
  /// `no-store`, `no-cache` or `Vary: *`, or because its age is up already. `must-revalidate` takes
  /// nothing away: it is about what has gone stale (§5.2.2.2), which is requested in any case.
  /// `immutable` adds nothing: it only holds while an answer is fresh (RFC 8246).
  ///
  /// A `304` is judged by its own fields: the server repeats there what it would have said with the
  /// content (RFC 9110 §15.4.5).
  ///
  /// - Parameters:
  ///   - requestedAt: seconds, when the request went out; the answer ages on its way.
  ///   - receivedAt: seconds, when its header came.
  static func freshUntil(
    _ fields: HTTPFields, status: Int, requestedAt: Int64, receivedAt: Int64
  ) -> Int64? {
    // Most servers promise nothing.
    guard [200, 203, 206, 304].contains(status),
      fields["Cache-Control"] != nil || fields["Expires"] != nil
    else { return nil }
    let control = CacheControl(fields)
    let date = date(fields, now: receivedAt)
    guard !control.noStore, !control.noCache, !variesByAnything(fields),
      let lifetime = control.maxAge ?? expiry(fields, date: date, now: receivedAt)
    else { return nil }
    let age = initialAge(fields, date: date, requestedAt: requestedAt, receivedAt: receivedAt)
    let left = min(lifetime, DeltaSeconds.maximum) - min(age, DeltaSeconds.maximum)
    guard left > 0 else { return nil }
    let (end, overflow) = receivedAt.addingReportingOverflow(left)
    return overflow ? nil : end
  }

  /// §4.2.3: the larger of what the `Age` field and what the clocks say. A clock of the server that
  /// is ahead of ours makes nothing younger.
  private static func initialAge(
    _ fields: HTTPFields, date: Int64, requestedAt: Int64, receivedAt: Int64
  ) -> Int64 {
    let apparent = seconds(from: date, to: receivedAt)
    let told = age(fields) + seconds(from: requestedAt, to: receivedAt)
    return max(apparent, told)
  }

  /// §5.1: of several values the first; one that is no number is passed over.
  private static func age(_ fields: HTTPFields) -> Int64 {
    fields["Age"].flatMap { FieldList.members($0).first }.flatMap { DeltaSeconds.parse($0) } ?? 0
  }

  /// When the answer was made; as it came, if it does not say (RFC 9110 §6.6.1).
  private static func date(_ fields: HTTPFields, now: Int64) -> Int64 {
    fields["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
  }

  /// `Expires` − `Date` (§5.3). A value that is no date, such as `0`, is in the past; several that
  /// differ are no promise.
  private static func expiry(_ fields: HTTPFields, date: Int64, now: Int64) -> Int64? {
    let values = fields.all("Expires")
    guard let first = values.first, values.allSatisfy({ $0 == first }),
      let expires = HTTPDate.parse(first, now: now)
    else { return nil }
    return seconds(from: date, to: expires)
  }

  private static func variesByAnything(_ fields: HTTPFields) -> Bool {
    fields.all("Vary").contains { FieldList.members($0).contains("*") }
  }

  /// 0 if `end` is not later; at most `DeltaSeconds.maximum`.
  private static func seconds(from start: Int64, to end: Int64) -> Int64 {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    if overflow { return end > start ? DeltaSeconds.maximum : 0 }
    return min(max(difference, 0), DeltaSeconds.maximum)
  }
}
