import HTTP1
import Models

/// Computes how long a response may be used without revalidation (RFC 9111 §4.2) by a private cache. Only
/// explicit expiration times count: there is no heuristic freshness.
enum Freshness {
  /// Returns the first second, since 1970-01-01 00:00 UTC, in which the response is stale.
  ///
  /// nil means that every use must revalidate: the response has no valid expiration time, `no-store`,
  /// `no-cache` or `Vary: *` forbids its use, or it is already stale. `must-revalidate` changes nothing: it
  /// concerns stale responses (RFC 9111 §5.2.2.2), which are revalidated in any case. `immutable` changes
  /// nothing either: it only applies while a response is fresh (RFC 8246).
  ///
  /// A `304` is judged by its own fields, because it repeats the fields that the server would have sent
  /// with the content (RFC 9110 §15.4.5).
  ///
  /// - Parameters:
  ///   - requestedAt: The time in seconds at which the request was sent; the response ages from then on.
  ///   - receivedAt: The time in seconds at which the response header was received.
  static func freshUntil(
    _ fields: HTTPFields, status: Int, requestedAt: Int64, receivedAt: Int64
  ) -> Int64? {
    // Return early, because most responses have no expiration time.
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

  /// Returns the initial age (RFC 9111 §4.2.3): the larger of the corrected `Age` field and the difference
  /// of the clocks. A response does not become younger if the server's clock is ahead of the local clock.
  private static func initialAge(
    _ fields: HTTPFields, date: Int64, requestedAt: Int64, receivedAt: Int64
  ) -> Int64 {
    let apparent = seconds(from: date, to: receivedAt)
    let told = age(fields) + seconds(from: requestedAt, to: receivedAt)
    return max(apparent, told)
  }

  /// Returns the first value of the `Age` field (RFC 9111 §5.1), or 0 if it is not a number.
  private static func age(_ fields: HTTPFields) -> Int64 {
    fields["Age"].flatMap { FieldList.members($0).first }.flatMap { DeltaSeconds.parse($0) } ?? 0
  }

  /// Returns the time at which the response was generated, or the time of its receipt if it has no date
  /// (RFC 9110 §6.6.1).
  private static func date(_ fields: HTTPFields, now: Int64) -> Int64 {
    fields["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
  }

  /// Returns `Expires` − `Date` (RFC 9111 §5.3). An invalid date, such as `0`, counts as past. If the field
  /// has several different values, the result is nil.
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

  /// Returns the seconds from `start` to `end`, at least 0 and at most `DeltaSeconds.maximum`.
  private static func seconds(from start: Int64, to end: Int64) -> Int64 {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    if overflow { return end > start ? DeltaSeconds.maximum : 0 }
    return min(max(difference, 0), DeltaSeconds.maximum)
  }
}
