import Models
import Testing

@Suite("Validators and ranges")
struct ValidatorTests {
  @Test(
    "An entity tag is read exactly",
    arguments: [
      ("\"abc\"", false, "\"abc\""), ("W/\"abc\"", true, "\"abc\""), ("\"\"", false, "\"\""),
      ("W/\"\"", true, "\"\""), ("\"a:b,c'\\\"", false, "\"a:b,c'\\\""),
      ("\"é\"", false, "\"é\""),
    ])
  func entityTag(text: String, isWeak: Bool, quoted: String) throws {
    let tag = try #require(EntityTag(text))
    #expect(tag.isWeak == isWeak)
    #expect(tag.quoted == quoted)
    #expect(tag.fieldValue == text)
    #expect(EntityTag(tag.fieldValue) == tag)
  }

  @Test(
    "A text that is not exactly one entity tag is invalid",
    arguments: [
      "", "abc", "\"", "\"abc", "abc\"", "w/\"abc\"", "W/abc", "W/", "W\"abc\"", " \"abc\"",
      "\"abc\" ", "\"a\", \"b\"", "\"a\"b\"", "\"a b\"", "\"a\tb\"", "\"a\u{7f}\"", "*",
      "W/\u{301}\"abc\"",
    ])
  func noEntityTag(text: String) {
    #expect(EntityTag(text) == nil)
  }

  @Test("Entity tags and dates are compared byte by byte")
  func comparison() {
    #expect(EntityTag("\"a\"") == EntityTag("\"a\""))
    #expect(EntityTag("\"a\"") != EntityTag("W/\"a\""))
    #expect(EntityTag("\"a\"") != EntityTag("\"A\""))
    // One character to people, two versions to a server.
    #expect(EntityTag("\"\u{e9}\"") != EntityTag("\"e\u{301}\""))
    #expect(Validator(lastModified: "\u{e9}") != Validator(lastModified: "e\u{301}"))
    #expect(Validator(lastModified: "") != Validator())
    #expect(Validator(lastModified: "x") == Validator(lastModified: "x"))
    let same = Set([Validator(lastModified: "x"), Validator(lastModified: "x"), Validator()])
    #expect(same.count == 2)
  }

  @Test("If-Range has a strong tag, or the date if there is no tag")
  func ifRange() {
    let date = "Mon, 01 Jan 2024 00:00:00 GMT"
    func value(_ tag: String?, _ date: String?) -> String? {
      Validator(entityTag: tag.flatMap { EntityTag($0) }, lastModified: date).ifRange
    }
    #expect(value("\"a\"", date) == "\"a\"")
    #expect(value("W/\"a\"", date) == nil)
    #expect(value(nil, date) == date)
    #expect(value(nil, nil) == nil)
    let fields = HTTPFields(["etag": "\"x\"", "LAST-MODIFIED": date])
    #expect(Validator(fields).entityTag?.quoted == "\"x\"")
    #expect(Validator(fields).lastModified == date)
    #expect(Validator(HTTPFields(["ETag": "broken"])) == Validator())
  }

  @Test(
    "A Content-Range is read exactly",
    arguments: [
      ("bytes 0-0/1", .range(first: 0, last: 0, total: 1)),
      ("bytes 5-9/10", .range(first: 5, last: 9, total: 10)),
      ("bytes 5-9/*", .range(first: 5, last: 9, total: nil)),
      ("BYTES 5-9/10", .range(first: 5, last: 9, total: 10)),
      ("bytes 00-09/010", .range(first: 0, last: 9, total: 10)),
      ("bytes */0", .unsatisfied(total: 0)),
      ("bytes */999999999999999999", .unsatisfied(total: 999_999_999_999_999_999)),
    ] as [(String, ContentRange)])
  func contentRange(text: String, expected: ContentRange) {
    #expect(ContentRange(text) == expected)
  }

  @Test(
    "A doubtful Content-Range is invalid",
    arguments: [
      "", "bytes", "bytes ", "bytes 0-9", "bytes 0-9/", "bytes 0-9/9", "bytes 9-5/10",
      "bytes -5/10",
      "bytes 5-/10", "bytes */*", "bytes *-9/10", "bytes 0-9/10/11", "bytes 0-5-9/10",
      "items 0-9/10",
      "bytes=0-9/10", "bytes  0-9/10", " bytes 0-9/10", "bytes 0-9/10 ", "bytes 0 - 9/10",
      "bytes +0-9/10", "bytes 0x0-9/10", "bytes ٠-9/10", "bytes 0-9/9999999999999999999",
      "bytes 0-9223372036854775807/*", "bytes */9223372036854775808", "bytes\u{301} 0-9/10",
      "bytes \u{301}0-9/10", "bytes\t0-9/10",
    ])
  func noContentRange(text: String) {
    #expect(ContentRange(text) == nil)
  }
}
