/// A time as the signature names it: `20130524T000000Z`, always in UTC.
struct SigningTime: Sendable, Equatable {
  /// The day, such as `20130524`.
  let day: String
  /// The day and the time, such as `20130524T000000Z`.
  let text: String

  /// - Parameter seconds: Seconds since 1970-01-01 00:00 UTC; other centuries than the 20th to the 99th are
  ///   clamped.
  init(secondsSince1970 seconds: Int64) {
    let seconds = min(max(seconds, 0), 253_402_300_799)
    var days = seconds / 86_400
    var year: Int64 = 1970
    while days >= Self.length(ofYear: year) {
      days -= Self.length(ofYear: year)
      year += 1
    }
    var month = 1
    while days >= Self.length(ofMonth: month, year) {
      days -= Self.length(ofMonth: month, year)
      month += 1
    }
    day = "\(year)" + Self.digits(Int64(month)) + Self.digits(days + 1)
    let time = seconds % 86_400
    text =
      "\(day)T" + Self.digits(time / 3_600) + Self.digits(time / 60 % 60)
      + Self.digits(time % 60) + "Z"
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func length(ofYear year: Int64) -> Int64 { isLeap(year) ? 366 : 365 }

  private static func length(ofMonth month: Int, _ year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func digits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
