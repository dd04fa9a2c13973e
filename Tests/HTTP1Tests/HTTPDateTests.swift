import HTTP1
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
  @Test(
    "are parsed in all three formats",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func formats(_ text: String) {
    #expect(HTTPDate.parse(text) == 784_111_777)
    #expect(HTTPDate.parse(text, now: 1_700_000_000) == 784_111_777)
  }

  @Test(
    "agree with known times",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Mon, 18 Jan 2038 03:14:08 GMT", 2_147_397_248),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
    ] as [(String, Int64)])
  func moments(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.parse(text) == seconds)
    #expect(HTTPDate.format(seconds) == text)
  }

  @Test("are parsed as they were written, on days of nine centuries")
  func roundTrip() {
    for day in stride(from: Int64(-135_140), to: 200_000, by: 5) {
      let seconds = day * 86_400 + (day & 0xffff)
      if HTTPDate.parse(HTTPDate.format(seconds)) != seconds {
        Issue.record("day \(day) is read differently")
      }
    }
  }

  @Test("give a two-digit year the century that is at most 50 years ahead")
  func centuries() {
    let in2030: Int64 = 1_893_456_000
    #expect(HTTPDate.parse("Friday, 01-Jan-80 00:00:00 GMT", now: in2030) == 3_471_292_800)
    #expect(HTTPDate.parse("Friday, 01-Jan-81 00:00:00 GMT", now: in2030) == 347_155_200)
    let in2080: Int64 = 3_471_292_800
    #expect(HTTPDate.parse("Friday, 01-Jan-10 00:00:00 GMT", now: in2080) == 4_417_977_600)
  }

  @Test("never have more than four digits of the year, for any time of the clock")
  func lastCentury() throws {
    let seconds = try #require(HTTPDate.parse("Sunday, 12-Nov-47 08:49:37 GMT", now: .max))
    #expect(HTTPDate.format(seconds) == "Wed, 12 Nov 9947 08:49:37 GMT")
  }

  @Test(
    "are not parsed from anything else",
    arguments: [
      "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT",
      "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT",
    ])
  func garbage(_ text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test("or seconds are a Retry-After")
  func retryAfter() {
    #expect(RetryAfter.parse("120") == .seconds(120))
    #expect(RetryAfter.parse(" 0 ") == .seconds(0))
    #expect(RetryAfter.parse("1000000000000") == .seconds(1_000_000_000_000))
    #expect(RetryAfter.parse("99999999999999999999") == .seconds(.max))
    #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:49:37 GMT") == .date(784_111_777))
    for text in ["", "-1", "+1", "1.5", "soon"] { #expect(RetryAfter.parse(text) == nil) }
    #expect(RetryAfter.date(784_111_777).delay(now: 784_111_700) == 77)
    #expect(RetryAfter.date(784_111_777).delay(now: 784_111_800) == 0)
    #expect(RetryAfter.date(.max).delay(now: .min) == .max)
  }
}
