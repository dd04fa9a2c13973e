import HTTP1
import Models
import Testing

@testable import Engine

@Suite("Freshness")
struct FreshnessTests {
  /// Tue, 14 Nov 2023 22:13:20 GMT.
  private static let now: Int64 = 1_700_000_000

  /// Seconds that an answer which came now stays fresh.
  private static func left(
    _ fields: KeyValuePairs<String, String>, status: Int = 200, delay: Int64 = 0
  ) -> Int64? {
    Freshness.freshUntil(
      HTTPFields(fields), status: status, requestedAt: now - delay, receivedAt: now
    ).map { $0 - now }
  }

  private static func date(_ offset: Int64) -> String { HTTPDate.format(now + offset) }

  struct Answer: Sendable, CustomTestStringConvertible {
    let name: String
    let fields: KeyValuePairs<String, String>
    let left: Int64?
    var testDescription: String { name }

    init(_ name: String, _ fields: KeyValuePairs<String, String>, _ left: Int64?) {
      (self.name, self.fields, self.left) = (name, fields, left)
    }
  }

  private static let answers: [Answer] = [
    Answer("nothing said", [:], nil),
    Answer("only validators", ["ETag": "\"a\"", "Last-Modified": date(-1_000_000)], nil),
    Answer("max-age", ["Cache-Control": "max-age=60"], 60),
    Answer("max-age and Date", ["Cache-Control": "max-age=60", "Date": date(0)], 60),
    Answer("made earlier", ["Cache-Control": "max-age=60", "Date": date(-20)], 40),
    Answer("made too early", ["Cache-Control": "max-age=60", "Date": date(-60)], nil),
    Answer("the server's clock is ahead", ["Cache-Control": "max-age=60", "Date": date(500)], 60),
    Answer("Age", ["Cache-Control": "max-age=60", "Age": "25"], 35),
    Answer("Age beyond Date", ["Cache-Control": "max-age=60", "Age": "25", "Date": date(-9)], 35),
    Answer("Date beyond Age", ["Cache-Control": "max-age=60", "Age": "9", "Date": date(-25)], 35),
    Answer("Age is up", ["Cache-Control": "max-age=60", "Age": "60"], nil),
    Answer("Age of several", ["Cache-Control": "max-age=60", "Age": "5, 50"], 55),
    Answer("Age that is none", ["Cache-Control": "max-age=60", "Age": "-50"], 60),
    Answer(
      "Age beyond 64 bits", ["Cache-Control": "max-age=60", "Age": "99999999999999999999"], nil),
    Answer("Expires", ["Expires": date(90), "Date": date(0)], 90),
    Answer("Expires without Date", ["Expires": date(90)], 90),
    Answer("Expires counts from Date", ["Expires": date(90), "Date": date(30)], 60),
    Answer("Expires of an older answer", ["Expires": date(90), "Date": date(-30)], 90),
    Answer("Expires and Age", ["Expires": date(90), "Date": date(0), "Age": "40"], 50),
    Answer("Expires in the past", ["Expires": date(-1), "Date": date(-2)], nil),
    Answer("Expires at once", ["Expires": date(0), "Date": date(0)], nil),
    Answer("Expires: 0", ["Expires": "0"], nil),
    Answer("Expires: -1", ["Expires": "-1"], nil),
    Answer("Expires twice, the same", ["Expires": date(90), "expires": date(90)], 90),
    Answer("Expires twice, different", ["Expires": date(90), "Expires": date(91)], nil),
    Answer("a Date that is none", ["Expires": date(90), "Date": "yesterday"], 90),
    Answer("max-age over Expires", ["Cache-Control": "max-age=60", "Expires": date(900)], 60),
    Answer("max-age=0 over Expires", ["Cache-Control": "max-age=0", "Expires": date(900)], nil),
    Answer(
      "a bad max-age over Expires", ["Cache-Control": "max-age=x", "Expires": date(900)], nil),
    Answer("only s-maxage", ["Cache-Control": "s-maxage=60"], nil),
    Answer("s-maxage is not ours", ["Cache-Control": "s-maxage=0, max-age=60"], 60),
    Answer("private", ["Cache-Control": "private, max-age=60"], 60),
    Answer("no-store", ["Cache-Control": "no-store, max-age=60"], nil),
    Answer("no-cache", ["Cache-Control": "no-cache, max-age=60"], nil),
    Answer("no-cache of names", ["Cache-Control": "no-cache=\"A\", max-age=60"], nil),
    Answer("no-store with Expires", ["Cache-Control": "no-store", "Expires": date(90)], nil),
    Answer("must-revalidate alone", ["Cache-Control": "must-revalidate"], nil),
    Answer("must-revalidate", ["Cache-Control": "max-age=60, must-revalidate"], 60),
    Answer("immutable alone", ["Cache-Control": "immutable"], nil),
    Answer("immutable", ["Cache-Control": "max-age=60, immutable"], 60),
    Answer("Vary: *", ["Cache-Control": "max-age=60", "Vary": "*"], nil),
    Answer("Vary: * among others", ["Cache-Control": "max-age=60", "Vary": "Accept, *"], nil),
    Answer("Vary", ["Cache-Control": "max-age=60", "Vary": "Accept-Encoding"], 60),
    Answer("max-age beyond 2^31", ["Cache-Control": "max-age=99999999999999999999"], 1 << 31),
  ]

  @Test("An answer is fresh for as long as its fields say", arguments: answers)
  func fields(answer: Answer) {
    #expect(Self.left(answer.fields) == answer.left)
  }

  @Test("The response time counts, and Age is added to it")
  func delay() {
    #expect(Self.left(["Cache-Control": "max-age=60"], delay: 10) == 50)
    #expect(Self.left(["Cache-Control": "max-age=60", "Age": "20"], delay: 10) == 30)
    #expect(Self.left(["Cache-Control": "max-age=60", "Date": Self.date(-10)], delay: 10) == 50)
    #expect(Self.left(["Cache-Control": "max-age=60"], delay: -10) == 60)
  }

  @Test("Only responses that contain or confirm the whole content are kept as fresh")
  func status() {
    for status in [200, 203, 206, 304] {
      #expect(Self.left(["Cache-Control": "max-age=60"], status: status) == 60)
    }
    for status in [201, 204, 301, 307, 404, 410, 416, 500] {
      #expect(Self.left(["Cache-Control": "max-age=60"], status: status) == nil)
    }
  }

  @Test("No clock and no number makes it trap")
  func extremes() {
    let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, 1_700_000_000, .max - 1, .max]
    for requestedAt in numbers {
      for receivedAt in numbers {
        for age in ["0", "9223372036854775807"] {
          let until = Freshness.freshUntil(
            HTTPFields([
              "Cache-Control": "max-age=2147483648", "Age": age,
              "Date": "Thu, 01 Jan 1970 00:00:00 GMT",
            ]), status: 200, requestedAt: requestedAt, receivedAt: receivedAt)
          #expect(until ?? .max > receivedAt || receivedAt == .max)
        }
      }
    }
  }
}
