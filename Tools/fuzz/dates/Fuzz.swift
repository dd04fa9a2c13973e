import HTTP1
import Models

/// Dates, waiting times and ages from servers: a date that is written parses to the same date, a wait is never
/// negative, and no number overflows. The first eight bytes are the time of the clock.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let now = input.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  let text = String(decoding: input.dropFirst(8), as: UTF8.self)
  for clock in [now, nil] {
    if let date = HTTPDate.parse(text, now: clock) { checkDate(date) }
    checkDelay(text, now: clock)
  }
  demand(HTTPDate.format(now).utf8.count == 29, "the date of \(now)")
  checkAge(text)
  return 0
}

private func checkDate(_ date: Int64) {
  // 0000-01-01 to 9999-12-31, and one second that may be a leap second.
  demand((-62_167_219_200...253_402_300_800).contains(date), "\(date) has no four digits of year")
  let written = HTTPDate.format(date)
  if date < 253_402_300_800 {
    demand(HTTPDate.parse(written) == date, "\(date) was written as \(written)")
  }
}

private func checkDelay(_ text: String, now: Int64?) {
  guard let delay = RetryAfter.parse(text, now: now) else { return }
  for moment in [now ?? 0, 0, .max, .min] {
    demand(delay.delay(now: moment) >= 0, "\(text) is a wait of \(delay.delay(now: moment))")
  }
  if case .seconds(let seconds) = delay {
    demand(RetryAfter.parse(String(seconds), now: now) == delay, "\(text) written down again")
  }
}

/// Against arithmetic that cannot overflow.
private func checkAge(_ text: String) {
  let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  let age = DeltaSeconds.parse(text)
  demand((age != nil) == isNumber, "\(text): \(String(describing: age))")
  guard let age else { return }
  let digits = String(text.drop { $0 == "0" })
  let exact =
    digits.utf8.count > 12 ? DeltaSeconds.maximum : min(Int64(digits) ?? 0, DeltaSeconds.maximum)
  demand(age == exact, "\(text) is \(age)")
}
