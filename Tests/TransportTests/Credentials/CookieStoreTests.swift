import Models
import Testing

@testable import Transport

@Suite("Cookies of servers") struct CookieStoreTests {
  private func sent(
    _ fields: [String], by setter: String = "http://e.org/a/b", to url: String = "http://e.org/a/c",
    at time: Int64 = 1_000
  ) throws -> String {
    var store = CookieStore()
    for field in fields { store.add(field, from: try HTTPURL(setter), now: 1_000) }
    return store.pairs(for: try HTTPURL(url), now: time).map { "\($0.name)=\($0.value)" }
      .joined(separator: "; ")
  }

  @Test("A cookie goes to the host that has set it, and to no other")
  func hosts() throws {
    for (field, isKept) in [
      ("a=1", true), ("a=1; Domain=e.org", true), ("a=1; Domain=.E.org", true),
      ("a=1; Domain=org", true), ("a=1; Domain=x.e.org", false), ("a=1; Domain=other.org", false),
    ] {
      #expect(try (sent([field]) == "a=1") == isKept, "\(field)")
      for url in ["http://x.e.org/a/c", "http://org/a/c", "http://bade.org/a/c"] {
        #expect(try sent([field], to: url) == "", "\(field) to \(url)")
      }
    }
    // Cookies do not distinguish ports (RFC 6265 §8.5).
    #expect(try sent(["a=1"], to: "http://e.org:81/a/c") == "a=1")
  }

  @Test("The path is that of the attribute, or the folder of the URL (§5.1.4)")
  func paths() throws {
    for (field, url, isSent) in [
      ("a=1", "http://e.org/a", true), ("a=1", "http://e.org/ab", false),
      ("a=1", "http://e.org/", false), ("a=1; Path=/", "http://e.org/", true),
      ("a=1; Path=x", "http://e.org/a/", true), ("a=1; path=/z", "http://e.org/z/1", true),
      ("a=1; Path=/z", "http://e.org/a/c", false),
    ] {
      #expect(try (sent([field], to: url) == "a=1") == isSent, "\(field) to \(url)")
    }
    #expect(try sent(["a=1; Path=/", "b=2", "c=3; Path=/a"]) == "b=2; c=3; a=1")
  }

  @Test("Max-Age takes precedence over Expires, and a past time deletes the cookie (§5.3)")
  func expiry() throws {
    for (attributes, time, isSent) in [
      ("Max-Age=5", 1_004, true), ("Max-Age=5", 1_005, false), ("Max-Age=0", 1_000, false),
      ("Max-Age=-1", 1_000, false), ("Max-Age=x", 9_999, true),
      ("Max-Age=99999999999999999999", 9_999, true),
      ("Expires=Thu, 01 Jan 1970 00:20:00 GMT", 1_199, true),
      ("Expires=Thu, 01-Jan-70 00:20:00 GMT", 1_200, false),
      ("Expires=Thu, 01 Jan 1970 00:20:00 GMT; Max-Age=500", 1_400, true),
      ("Expires=nonsense", 9_999, true), ("Expires=Wed, 01 Jan 2070 00:00:00 GMT", 9_999, true),
    ] as [(String, Int64, Bool)] {
      #expect(try (sent(["a=1; " + attributes], at: time) == "a=1") == isSent, "\(attributes)")
    }
    #expect(try sent(["a=1", "a=2; Max-Age=0"]) == "")
    #expect(try sent(["a=1", "a=2"]) == "a=2")
  }

  @Test("A secure cookie stays on https, and http neither sets nor replaces one")
  func secure() throws {
    let secure = "https://e.org/a/b"
    #expect(try sent(["a=1; Secure"], by: secure, to: "https://e.org/a/c") == "a=1")
    #expect(try sent(["a=1; Secure"], by: secure) == "")
    #expect(try sent(["a=1; Secure"], to: "https://e.org/a/c") == "")
    #expect(try sent(["__Secure-a=1"], by: secure, to: "https://e.org/a/c") == "")
    var store = CookieStore()
    store.add("a=1; Secure", from: try HTTPURL(secure), now: 0)
    store.add("a=2", from: try HTTPURL("http://e.org/a/b"), now: 0)
    #expect(store.pairs(for: try HTTPURL(secure), now: 0).map(\.value) == ["1"])
  }

  @Test("What cannot be a cookie is ignored", arguments: ["", "a", "=1", "a=\u{1}", " ;a=1"])
  func useless(_ field: String) throws { #expect(try sent([field]) == "") }

  @Test("The number and the size of the cookies have limits")
  func limits() throws {
    let many = (0..<200).map { "c\($0)=1" }
    #expect(try sent(many).split(separator: ";").count == CookieStore.maximumPerHost)
    #expect(try sent(many).hasSuffix("c199=1"))
    let long = String(repeating: "x", count: SetCookie.maximumLength)
    #expect(try sent(["a=\(long)"]) == "")
    let large = (0..<60).map { "c\($0)=\(long.dropLast(10))" }
    #expect(try sent(large).utf8.count <= CookieStore.maximumBytes)
  }

  @Test(
    "Dates are read in every form that servers write (§5.1.1)",
    arguments: [
      "Wed, 09 Jun 2021 10:18:14 GMT", "Wed, 09-Jun-21 10:18:14 GMT",
      "Wednesday, 09-Jun-2021 10:18:14",
      "Wed Jun  9 10:18:14 2021", "9 june 2021 10:18:14 UTC",
    ])
  func dates(_ text: String) { #expect(CookieDate.parse(text) == 1_623_233_894) }

  @Test(
    "What is no date has none",
    arguments: ["", "Wed", "2021-06-09T10:18:14Z", "32 Jan 2021 00:00:00"])
  func noDates(_ text: String) { #expect(CookieDate.parse(text) == nil) }
}
