import HTTP1
import Models
import SystemCalls
import Testing
@testable import Control

/// The checks of requests through the loopback listener, each field by itself.
@Suite("Checks of web requests")
struct WebRequestChecksTests {
  private static let key = [UInt8](repeating: 1, count: 32)
  private static let name = "0123456789abcdef0123456789abcdef"
  private static let page = "\(name).localhost:4840"
  private let checks = WebRequestChecks(
    origin: WebOrigin(name: Self.name, port: 4_840), key: Self.key)
  private let session = AccessToken.issue(
    .session, expiry: 100, key: Self.key, random: SystemRandomSource())
  private let bearer = AccessToken.issue(
    .bearer, expiry: 100, key: Self.key, random: SystemRandomSource())

  private func request(
    _ method: String, host: String? = page, _ more: [(String, String)] = []
  ) throws -> ControlRequest {
    var fields = HTTPFields()
    if let host { fields.append("Host", host) }
    for (name, value) in more { fields.append(name, value) }
    return ControlRequest(
      method: method, target: try RequestTarget("/v1/status"), fields: fields, body: [],
      keepsConnection: true, listener: .loopback)
  }

  /// The status code of the refusal; 200 if the request is admitted.
  private func status(
    _ method: String, host: String? = page, now: Int64 = 0, _ more: [(String, String)] = []
  ) throws -> Int {
    let request = try request(method, host: host, more)
    do throws(ControlError) {
      _ = try checks.check(request, now: now)
      return 200
    } catch {
      return error.status
    }
  }

  private var cookie: (String, String) { ("Cookie", "imgdl-session=\(session)") }
  private var authorization: (String, String) { ("Authorization", "Bearer \(bearer)") }

  @Test(
    "another host is misdirected, independent of the rest of the request",
    arguments: [
      nil, "", "localhost", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:48400", "evil.test:4840",
      "127.0.0.1.evil.test:4840", "localhost.:4840", "localhost.evil.test:4840", "[::1]",
      "[::ffff:127.0.0.1]:4840", "0.0.0.0:4840", "127.0.0.2:4840", "127.1:4840", "\(page).",
      "\(page)@evil.test", "evil.test/\(page)", "x.\(page)", "\(name).localhost", " \(page)",
      "\(name).localhost:04840", "localhost:4840 ",
      "fedcba9876543210fedcba9876543210.localhost:4840",
    ])
  func hosts(_ host: String?) throws {
    #expect(try status("GET", host: host, [cookie]) == 421)
    #expect(try status("GET", host: host, [authorization]) == 421)
    #expect(try status("POST", host: host, [cookie, ("Origin", "http://\(host ?? "")")]) == 421)
  }

  @Test("the page's name admits the cookie, in any case of letters; an address needs a token")
  func names() throws {
    #expect(try status("GET", [cookie]) == 200)
    #expect(try status("GET", host: Self.page.uppercased(), [cookie]) == 200)
    for host in ["127.0.0.1:4840", "[::1]:4840", "localhost:4840"] {
      #expect(try status("GET", host: host, [cookie]) == 401)
      #expect(try status("GET", host: host, [authorization]) == 200)
    }
  }

  @Test(
    "pages of other sites are refused, before the cookie is checked",
    arguments: [
      ("Origin", "http://evil.test"), ("Origin", "null"), ("Origin", ""),
      ("Origin", "https://\(page)"), ("Origin", "http://\(name).localhost:4841"),
      ("Origin", "http://localhost:4840"), ("Origin", "http://127.0.0.1:4840"),
      ("Origin", "http://\(page)/"), ("Origin", "http://\(page).evil.test"),
      ("Referer", "http://evil.test/"), ("Referer", "http://evil.test/http://\(page)/"),
      ("Referer", "http://\(page).evil.test/"), ("Referer", "http://\(page)@evil.test/"),
      ("Referer", "http://\(page)0/"), ("Referer", "about:blank"), ("Referer", ""),
      ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
      ("Sec-Fetch-Site", ""), ("Sec-Fetch-Site", "Same-Origin"),
    ])
  func senders(_ name: String, _ value: String) throws {
    let field = (name, value)
    for method in ["GET", "HEAD", "POST", "DELETE"] {
      #expect(try status(method, [field]) == 403)
      #expect(try status(method, [field, cookie]) == 403)
      #expect(try status(method, [field, authorization]) == 403)
      // A good field beside it, or of the same name, does not help.
      let good = ("Origin", "http://\(Self.page)")
      #expect(try status(method, [field, good, cookie]) == 403)
      #expect(try status(method, [good, ("Sec-Fetch-Site", "same-origin"), field, cookie]) == 403)
    }
  }

  @Test("the page itself is admitted by any of the three fields")
  func own() throws {
    for field in [
      ("Origin", "http://\(Self.page)"), ("Referer", "http://\(Self.page)/records/1"),
      ("Referer", "http://\(Self.page)"), ("Sec-Fetch-Site", "same-origin"),
      ("Sec-Fetch-Site", "none"),
    ] {
      #expect(try status("POST", [field, cookie]) == 200)
      #expect(try status("GET", [field, cookie]) == 200)
      #expect(try status("POST", [field]) == 401)
    }
  }

  @Test("a change without any of the three fields needs a token")
  func unreported() throws {
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
      #expect(try status(method, [cookie]) == 403)
      #expect(try status(method, [authorization]) == 200)
      #expect(try status(method, host: "localhost:4840", [authorization]) == 200)
    }
    #expect(try status("GET", [cookie]) == 200)
  }

  @Test("a session is not accepted as a Bearer token, nor a Bearer token as a session")
  func kinds() throws {
    #expect(try status("GET", [("Authorization", "Bearer \(session)")]) == 401)
    #expect(try status("GET", [("Cookie", "imgdl-session=\(bearer)")]) == 401)
    #expect(try status("GET", [("Authorization", "Basic \(bearer)"), cookie]) == 200)
    #expect(try status("GET", [("Authorization", "Bearer x"), cookie]) == 401)
    #expect(try status("GET", [("Authorization", "bearer \(bearer)")]) == 200)
  }

  @Test("the cookie is found among others, also after an old one of the same name")
  func cookies() throws {
    let name = WebRequestChecks.cookieName
    #expect(try status("GET", [("Cookie", "a=b; \(name)=\(session); c=d")]) == 200)
    #expect(try status("GET", [("Cookie", "\(name)=old; \(name)=\(session)")]) == 200)
    #expect(try status("GET", [("Cookie", "x\(name)=\(session)")]) == 401)
    #expect(try status("GET", [("Cookie", "\(name)x=\(session)")]) == 401)
    #expect(try status("GET", [("Cookie", "a=\(name)=\(session)")]) == 401)
    #expect(try status("GET", now: 100, [cookie]) == 401)
    #expect(try status("GET") == 401)
  }
}
