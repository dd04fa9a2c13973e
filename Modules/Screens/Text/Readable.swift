import Models

/// Numbers formatted for display.
enum Readable {
  /// Returns a duration such as `0:42`, `12:03`, `3:04:05` or `5 d`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 86_400 * 1_000 else { return "" }
    let total = Int(seconds.rounded(.up))
    if total >= 86_400 { return "\(total / 86_400) d" }
    let (hours, minutes, rest) = (total / 3_600, total / 60 % 60, total % 60)
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }

  static func rate(_ bytesPerSecond: Double) -> String {
    guard bytesPerSecond >= 1, bytesPerSecond < 1e15 else { return "" }
    return ByteText.short(Int64(bytesPerSecond)) + "/s"
  }

  /// Returns a duration such as `85 ms`, `1.4 s` or `2:03`.
  static func milliseconds(_ value: Double) -> String {
    guard value.isFinite, value >= 0, value < 1e12 else { return "" }
    if value < 999.5 { return "\(Int(value.rounded())) ms" }
    guard value < 60_000 else { return duration(value / 1_000) }
    let tenths = Int((value / 100).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// Returns a number with separators, such as `1,234`.
  static func count(_ value: Int) -> String {
    let digits = String(abs(value))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + text
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
