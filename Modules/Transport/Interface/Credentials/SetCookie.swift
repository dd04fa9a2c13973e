import Models

/// One `Set-Cookie` field, parsed as RFC 6265 §5.2 describes. Unknown attributes are ignored.
struct SetCookie: Equatable {
  let name: String
  let value: String
  /// The value of `Path`, if it begins with a slash.
  var path: String?
  /// The value of `Domain` in lower case and without a leading dot; nil if there is none.
  var domain: String?
  var isSecure = false
  /// The value of `Max-Age` in seconds.
  var maxAge: Int64?
  /// The value of `Expires` in seconds since 1970.
  var expires: Int64?

  /// The largest length of name and value together in bytes, as browsers have it (RFC 6265 §6.1).
  static let maximumLength = 4_096

  /// - Returns: nil if the field names no cookie, or one that cannot be sent.
  init?(_ field: String) {
    let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      return nil
    }
    name = Self.trimmed(pair[..<equals])
    value = Self.trimmed(pair[pair.index(after: equals)...])
    guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumLength,
      !name.utf8.contains(where: Self.isControl), !value.utf8.contains(where: Self.isControl)
    else { return nil }
    for part in parts.dropFirst() { read(part) }
  }

  private mutating func read(_ attribute: Substring.UTF8View) {
    let equals = attribute.firstIndex(of: UInt8(ascii: "=")) ?? attribute.endIndex
    let text = Self.trimmed(attribute[equals...].dropFirst())
    switch Self.trimmed(attribute[..<equals]).lowercased() {
    case "path": path = text.hasPrefix("/") ? text : nil
    case "domain":
      let name = text.lowercased().drop { $0 == "." }
      domain = name.isEmpty ? nil : String(name)
    case "secure": isSecure = true
    case "max-age":
      let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
      maxAge = text.hasPrefix("-") ? 0 : Int64(digits) ?? .max
    case "expires": expires = CookieDate.parse(text) ?? expires
    default: break
    }
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> String {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return String(Substring(bytes))
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }
}

/// The dates in `Expires`, which servers write in many ways (RFC 6265 §5.1.1).
enum CookieDate {
  /// Returns the seconds since 1970; nil for a text without a date.
  static func parse(_ text: String) -> Int64? {
    var time: (hour: Int64, minute: Int64, second: Int64)?
    var (day, month, year): (Int64?, Int64?, Int64?)
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if time == nil, let found = clock(token) {
        time = found
      } else if day == nil, let number = number(token, 1...2) {
        day = number
      } else if month == nil, let found = self.month(token) {
        month = found
      } else if year == nil, let number = number(token, 2...4) {
        year = number < 70 ? number + 2_000 : number < 100 ? number + 1_900 : number
      }
    }
    guard let time, let day, let month, let year, year >= 1_601, (1...31).contains(day),
      time.hour < 24, time.minute < 60, time.second < 60
    else { return nil }
    return days(year, month, day) * 86_400 + time.hour * 3_600 + time.minute * 60 + time.second
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
    default: false
    }
  }

  /// Parses `hour:minute:second`.
  private static func clock(
    _ token: Substring.UTF8View
  ) -> (hour: Int64, minute: Int64, second: Int64)? {
    let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], 1...2),
      let minute = number(parts[1], 1...2),
      let second = number(parts[2], 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func number(_ token: Substring.UTF8View, _ lengths: ClosedRange<Int>) -> Int64? {
    let digits = token.prefix { (0x30...0x39).contains($0) }
    guard lengths.contains(digits.count) else { return nil }
    return Int64(String(Substring(digits)))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func month(_ token: Substring.UTF8View) -> Int64? {
    let name = String(Substring(token)).prefix(3).lowercased()
    return months.firstIndex(of: name).map { Int64($0) + 1 }
  }

  /// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from
  /// March, so that the leap day is the last one of a year.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let years = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return years * 365 + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1
      - 719_468
  }
}
