/// Dates of HTTP fields (RFC 9110 §5.6.7), in whole seconds since 1970-01-01 00:00 UTC.
public enum HTTPDate {
  /// Parses all three formats: IMF-fixdate, RFC 850 and asctime; nil for any other text.
  /// - Parameter now: The current time in seconds since 1970, which determines the century of RFC 850's
  ///   two-digit years: a date more than 50 years ahead is in the past. Without `now`, 69 to 99 mean 19xx and
  ///   00 to 68 mean 20xx.
  public static func parse(_ text: some StringProtocol, now: Int64? = nil) -> Int64? {
    if let plain = text.utf8.withContiguousStorageIfAvailable(plainFixdate), let seconds = plain {
      return seconds
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    switch words.count {
    case 6: return fixdate(words.map { Substring($0) })
    case 5: return asctime(words.map { Substring($0) })
    case 4: return rfc850(words.map { Substring($0) }, now: now)
    default: return nil
    }
  }

  /// Returns whether `Last-Modified` is a strong validator: the response was sent at least a minute
  /// after the modification, so that neither the file's clock nor a second change within the same
  /// second can hide a change (RFC 9110 §8.8.2.2). The result is false without a `Date`.
  public static func isStrong(lastModified: String, date: String?) -> Bool {
    guard let modified = parse(lastModified), let sent = date.flatMap({ parse($0) }) else {
      return false
    }
    return sent >= modified + 60
  }

  /// Formats an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Years outside 0 to 9999 are
  /// clamped.
  public static func format(_ seconds: Int64) -> String {
    let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let day = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let time = seconds - day * 86_400
    let date = CivilDate(day: day)
    let weekday = weekdays[Int(((day + 4) % 7 + 7) % 7)].prefix(3)
    return "\(weekday), \(digits(date.day)) \(months[Int(date.month) - 1]) "
      + "\(digits(date.year, 4)) "
      + "\(digits(time / 3_600)):\(digits(time / 60 % 60)):\(digits(time % 60)) GMT"
  }

  /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixdate(_ words: [Substring]) -> Int64? {
    guard words[0].utf8.last == ASCII.comma, isWeekday(words[0].dropLast(), long: false),
      words[5] == "GMT", let day = number(words[1], length: 2), let month = month(words[2]),
      let year = number(words[3], length: 4)
    else { return nil }
    return seconds(year: year, month: month, day: day, time: words[4])
  }

  /// Parses an IMF-fixdate without copying, since every response has one or two dates; nil means that the
  /// general parser must be tried.
  private static func plainFixdate(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    let shape: StaticString = "Sun, 00 Jan 0000 00:00:00 GMT"
    guard bytes.count == shape.utf8CodeUnitCount else { return nil }
    let fits = shape.withUTF8Buffer { shape in
      shape.indices.allSatisfy { index in
        switch shape[index] {
        case UInt8(ascii: "0"): ASCII.isDigit(bytes[index])
        case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "G"),
          UInt8(ascii: "M"), UInt8(ascii: "T"):
          bytes[index] == shape[index]
        default: true
        }
      }
    }
    guard fits, index(of: bytes, at: 0, in: "SunMonTueWedThuFriSat") != nil,
      let month = index(of: bytes, at: 8, in: "JanFebMarAprMayJunJulAugSepOctNovDec")
    else { return nil }
    func number(_ start: Int, _ length: Int) -> Int64 {
      bytes[start..<(start + length)].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    let date = CivilDate(year: number(12, 4), month: month + 1, day: number(5, 2))
    let (hour, minute, second) = (number(17, 2), number(20, 2), number(23, 2))
    guard date.exists, hour < 24, minute < 60, second <= 60 else { return nil }
    return date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// Returns the index in `names` of the three-letter name at the offset `start` of the bytes; nil if it is
  /// not in `names`.
  private static func index(
    of bytes: UnsafeBufferPointer<UInt8>, at start: Int, in names: StaticString
  ) -> Int64? {
    names.withUTF8Buffer { names in
      stride(from: 0, to: names.count, by: 3).first { name in
        (0..<3).allSatisfy { bytes[start + $0] == names[name + $0] }
      }.map { Int64($0 / 3) }
    }
  }

  /// Parses a date such as `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ words: [Substring], now: Int64?) -> Int64? {
    let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
    guard words[0].utf8.last == ASCII.comma, isWeekday(words[0].dropLast(), long: true),
      words[3] == "GMT", parts.count == 3, let day = number(parts[0], length: 2),
      let month = month(parts[1]), let short = number(parts[2], length: 2)
    else { return nil }
    guard let now else {
      let year = short + (short >= 69 ? 1_900 : 2_000)
      return seconds(year: year, month: month, day: day, time: words[2])
    }
    let thisYear = CivilDate(day: min(max(now, 0), 253_402_300_799) / 86_400).year
    var year = thisYear - thisYear % 100 + short
    if year > thisYear + 50 { year -= 100 }
    if year < thisYear - 49 && year <= 9_899 { year += 100 }
    return seconds(year: year, month: month, day: day, time: words[2])
  }

  /// Parses a date such as `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ words: [Substring]) -> Int64? {
    guard isWeekday(words[0], long: false), let month = month(words[1]),
      let day = number(words[2], length: words[2].utf8.count == 1 ? 1 : 2),
      let year = number(words[4], length: 4)
    else { return nil }
    return seconds(year: year, month: month, day: day, time: words[3])
  }

  private static func seconds(year: Int64, month: Int64, day: Int64, time: Substring) -> Int64? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    let date = CivilDate(year: year, month: month, day: day)
    guard parts.count == 3, let hour = number(parts[0], length: 2), hour < 24,
      let minute = number(parts[1], length: 2), minute < 60,
      let second = number(parts[2], length: 2), second <= 60, date.exists
    else { return nil }
    return date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isWeekday(_ text: Substring, long: Bool) -> Bool {
    weekdays.contains { long ? text == $0 : text == $0.prefix(3) }
  }

  private static func month(_ text: Substring) -> Int64? {
    months.firstIndex { text == $0 }.map { Int64($0) + 1 }
  }

  private static func number(_ text: Substring, length: Int) -> Int64? {
    guard text.utf8.count == length, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
    return Int64(text)
  }

  private static func digits(_ value: Int64, _ width: Int = 2) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

/// A date of the proleptic Gregorian calendar, for years 0 to 9999.
struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// - Parameter day: The number of days since 1970-01-01.
  init(day number: Int64) {
    // Years are counted from March, so that the leap day is the last one; 719,468 days lie between 0000-03-01
    // and 1970-01-01. The first estimate of the year may be one too high and is then corrected.
    let days = number + 719_468
    var year = days * 400 / 146_097 + 1
    while Self.daysBefore(marchYear: year) > days { year -= 1 }
    let rest = days - Self.daysBefore(marchYear: year)
    let index = (5 * rest + 2) / 153
    day = rest - (153 * index + 2) / 5 + 1
    month = index < 10 ? index + 3 : index - 9
    self.year = month <= 2 ? year + 1 : year
  }

  var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let index = month <= 2 ? month + 9 : month - 3
    return Self.daysBefore(marchYear: marchYear) + (153 * index + 2) / 5 + day - 1 - 719_468
  }

  var exists: Bool {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && day >= 1 && day <= lengths[Int(month) - 1]
  }

  private static func daysBefore(marchYear year: Int64) -> Int64 {
    year * 365 + floored(year, 4) - floored(year, 100) + floored(year, 400)
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}
