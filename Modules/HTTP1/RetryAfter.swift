/// The value of a Retry-After field (RFC 9110 §10.2.3).
public enum RetryAfter: Sendable, Equatable {
  case seconds(Int64)
  /// A point in time, in seconds since 1970-01-01 00:00 UTC.
  case date(Int64)

  /// Parses a field value; `nil` for any other form. Numbers of seconds that overflow are clamped.
  ///
  /// - Parameter now: The current time in seconds since 1970, which determines the century of a
  ///   two-digit year.
  public static func parse(_ value: some StringProtocol, now: Int64? = nil) -> RetryAfter? {
    let text = FieldList.trim(Substring(value))
    guard !text.isEmpty else { return nil }
    if text.utf8.allSatisfy(ASCII.isDigit) { return .seconds(Int64(text) ?? .max) }
    return HTTPDate.parse(text, now: now).map { .date($0) }
  }

  /// Returns the time to wait from `now` on in seconds; 0 for a date in the past.
  public func delay(now: Int64) -> Int64 {
    switch self {
    case .seconds(let seconds): return seconds
    case .date(let date):
      let (difference, overflow) = date.subtractingReportingOverflow(now)
      return overflow ? .max : max(0, difference)
    }
  }
}
