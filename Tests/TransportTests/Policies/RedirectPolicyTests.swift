import Models
import Testing
import Transport

@Suite("Redirect policy")
struct RedirectPolicyTests {
  private func policy(
    _ url: String = "http://a.example/x/y", fields: HTTPFields = HTTPFields(), max: Int = 10
  ) throws -> RedirectPolicy {
    var limits = TransferLimits()
    limits.maxRedirects = max
    return RedirectPolicy(
      TransportRequest(url: try HTTPURL(url), fields: fields, limits: limits, addresses: .any))
  }

  private func code(
    _ policy: inout RedirectPolicy, _ status: Int, _ fields: HTTPFields
  ) -> TransportError.Code? {
    do throws(TransportError) {
      _ = try policy.handle(status: status, fields: fields)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("Only the five statuses with a Location of their own are redirects")
  func statuses() throws {
    for status in [200, 206, 300, 304, 305, 306, 404, 503] {
      var policy = try policy()
      #expect(try policy.handle(status: status, fields: HTTPFields(["Location": "/z"])) == .deliver)
      #expect(policy.count == 0)
    }
    for status in [301, 302, 303, 307, 308] {
      var policy = try policy()
      #expect(try policy.handle(status: status, fields: HTTPFields(["Location": "/z"])) == .follow)
      #expect(policy.url.description == "http://a.example/z")
      #expect(policy.count == 1)
    }
  }

  @Test(
    "A Location is resolved against the URL that answered",
    arguments: [
      ("z", "http://a.example/x/z"), ("../z", "http://a.example/z"),
      ("?q", "http://a.example/x/y?q"),
      ("//b.example/z", "http://b.example/z"), ("https://b.example", "https://b.example/"),
      ("/z#frag", "http://a.example/z"), ("HTTP://A.example:80/z", "http://a.example/z"),
    ])
  func resolution(_ location: String, _ expected: String) throws {
    var policy = try policy()
    #expect(try policy.handle(status: 302, fields: HTTPFields(["Location": location])) == .follow)
    #expect(policy.url.description == expected)
  }

  @Test(
    "The bytes of a Location that are not UTF-8 are requested as they are",
    arguments: [
      ([0x2f, 0xe9, 0x78], "/%E9x"), ([0x2f, 0xc3, 0xa9, 0x78], "/%C3%A9x"),
      ([0x2f, 0x93, 0xfa, 0x3f, 0xe4], "/%93%FA?%E4"),
    ] as [([UInt8], String)])
  func otherEncoding(_ location: [UInt8], _ expected: String) throws {
    var policy = try policy()
    var fields = HTTPFields()
    fields.append(name: Array("Location".utf8).span.bytes, value: location.span.bytes)
    #expect(try policy.handle(status: 302, fields: fields) == .follow)
    #expect(policy.url.description == "http://a.example" + expected)
  }

  @Test(
    "A Location that leads nowhere is a bad redirect",
    arguments: [
      "file:///etc/passwd", "ftp://b.example/", "data:,x", "javascript:alert(1)",
      "http://user:secret@b.example/", "http://", "///", "http://b.example:99999/", "http:z",
    ])
  func unusable(_ location: String) throws {
    var policy = try policy()
    #expect(code(&policy, 302, HTTPFields(["Location": location])) == .badRedirect)
  }

  @Test("A redirect needs one Location")
  func missing() throws {
    var policy = try policy()
    #expect(code(&policy, 302, HTTPFields()) == .badRedirect)
    #expect(code(&policy, 302, HTTPFields(["Location": "/a", "location": "/b"])) == .badRedirect)
    #expect(code(&policy, 302, HTTPFields(["Location": "/a", "location": "/a"])) == nil)
  }

  @Test("A circle is found at once")
  func circle() throws {
    var policy = try policy()
    #expect(code(&policy, 302, HTTPFields(["Location": "y"])) == .tooManyRedirects)
    #expect(code(&policy, 302, HTTPFields(["Location": "/1"])) == nil)
    #expect(code(&policy, 302, HTTPFields(["Location": "/2"])) == nil)
    #expect(code(&policy, 302, HTTPFields(["Location": "/x/y"])) == .tooManyRedirects)
  }

  @Test("A redirect to the same URL is no circle if it sets a cookie, and one if the cookie stays")
  func cookieWall() throws {
    let url = try HTTPURL("http://a.example/x")
    var request = TransportRequest(url: url, addresses: .any)
    request.cookies = CookieJar(now: { 0 })
    var policy = RedirectPolicy(request)
    let wall = HTTPFields(["Location": "/x", "Set-Cookie": "pass=1; Path=/"])
    #expect(code(&policy, 302, wall) == nil)
    #expect(policy.url == url && policy.fields["Cookie"] == "pass=1")
    #expect(code(&policy, 302, wall) == .tooManyRedirects)
    // A server that changes the cookie each time is stopped by the number of redirects.
    request.limits.maxRedirects = 3
    var endless = RedirectPolicy(request)
    for number in 0..<3 {
      let next = HTTPFields(["Location": "/x", "Set-Cookie": "n=\(number)"])
      #expect(code(&endless, 302, next) == nil)
    }
    #expect(
      code(&endless, 302, HTTPFields(["Location": "/x", "Set-Cookie": "n=9"])) == .tooManyRedirects)
  }

  @Test("Cookies of servers go to the host that has set them, on every hop")
  func cookies() throws {
    var request = TransportRequest(
      url: try HTTPURL("http://a.example/x"), fields: HTTPFields(["Cookie": "own=1; a=2"]),
      addresses: .any)
    request.cookies = CookieJar(now: { 0 })
    var policy = RedirectPolicy(request)
    #expect(policy.fields["Cookie"] == "own=1; a=2")
    for (location, set, sent) in [
      ("http://b.example/", "a=3; Path=/", nil), ("http://b.example/2", "b=1", "b=1"),
      // The user's own field does not come back, the server's cookie does.
      ("http://a.example/y", "b=2", "a=3"), ("http://a.example/z", "c=4", "a=3; c=4"),
    ] {
      let response = HTTPFields(["Location": location, "Set-Cookie": set])
      #expect(code(&policy, 302, response) == nil)
      #expect(policy.fields["Cookie"] == sent, "\(location)")
    }
  }

  @Test(
    "Another origin gets the origin of the referring page, and a plain one nothing of a secure one",
    arguments: [
      ("http://a.example/1", "http://p.example/q?r", "http://b.example/", "http://p.example/"),
      ("http://a.example/1", "http://p.example/q?r", "http://a.example/2", "http://p.example/q?r"),
      ("https://a.example/1", "https://p.example/q", "http://b.example/", nil),
      ("https://a.example/1", "https://p.example/q", "https://b.example/", "https://p.example/"),
    ] as [(String, String, String, String?)])
  func referrer(_ url: String, _ page: String, _ next: String, _ sent: String?) throws {
    var policy = try policy(url, fields: HTTPFields(["Referer": page]))
    #expect(code(&policy, 302, HTTPFields(["Location": next])) == nil)
    #expect(policy.fields["Referer"] == sent)
  }

  @Test("No more redirects than allowed are followed")
  func limit() throws {
    var policy = try policy(max: 2)
    #expect(code(&policy, 302, HTTPFields(["Location": "/1"])) == nil)
    #expect(code(&policy, 302, HTTPFields(["Location": "/2"])) == nil)
    #expect(code(&policy, 302, HTTPFields(["Location": "/3"])) == .tooManyRedirects)
    var none = try self.policy(max: 0)
    #expect(code(&none, 302, HTTPFields(["Location": "/1"])) == .tooManyRedirects)
  }

  @Test("The caller's fields stay within the origin and are not sent again after a return")
  func fields() throws {
    let fields = HTTPFields(["Authorization": "secret", "Cookie": "a", "X-Key": "b"])
    var policy = try policy(fields: fields)
    #expect(try policy.handle(status: 302, fields: HTTPFields(["Location": "/z"])) == .follow)
    #expect(policy.fields == fields)
    #expect(!policy.hasLeftOrigin)
    for other in ["http://a.example:81/", "http://a.example/back"] {
      #expect(try policy.handle(status: 302, fields: HTTPFields(["Location": other])) == .follow)
      #expect(policy.fields.fields.isEmpty)
      #expect(policy.hasLeftOrigin)
    }
  }

  @Test(
    "A range goes along to another origin, unless its version is identified by a date",
    arguments: [
      (["Range": "bytes=5-"], ["Range"]),
      (["Range": "bytes=5-", "If-Range": "\"v1\""], ["If-Range", "Range"]),
      (["Range": "bytes=5-", "If-Range": "Tue, 01 Jul 2025 10:00:00 GMT"], []),
      (["Range": "bytes=5-", "If-Range": "W/\"v1\""], []),
      (["If-Range": "\"v1\""], []),
      (["If-None-Match": "\"v1\"", "If-Modified-Since": "Tue, 01 Jul 2025 10:00:00 GMT"], []),
    ] as [(KeyValuePairs<String, String>, [String])])
  func ranges(sent: KeyValuePairs<String, String>, kept: [String]) throws {
    var fields = HTTPFields(sent)
    fields.append("Authorization", "secret")
    fields.append("Accept", "image/png")
    var policy = try policy(fields: fields)
    for other in ["http://b.example/z", "http://c.example/z", "http://a.example/back"] {
      #expect(try policy.handle(status: 302, fields: HTTPFields(["Location": other])) == .follow)
      #expect(policy.fields.fields.map(\.name).sorted() == kept)
      for name in kept { #expect(policy.fields[name] == fields[name]) }
    }
  }

  @Test("A request with credentials is not led from https to http")
  func downgrade() throws {
    var secret = try policy("https://a.example/", fields: HTTPFields(["Authorization": "secret"]))
    #expect(code(&secret, 302, HTTPFields(["Location": "http://a.example/"])) == .badRedirect)
    #expect(code(&secret, 302, HTTPFields(["Location": "https://b.example/"])) == nil)
    var open = try policy("https://a.example/", fields: HTTPFields(["Range": "bytes=1-"]))
    #expect(code(&open, 302, HTTPFields(["Location": "http://a.example/"])) == nil)
    #expect(open.fields.fields.map(\.name) == ["Range"])
  }

  @Test("A server's text is escaped in the message, and truncated")
  func escaping() throws {
    var policy = try policy()
    do throws(TransportError) {
      _ = try policy.handle(
        status: 302,
        fields: HTTPFields([
          "Location": "ftp://\u{1b}[31m\u{202e}" + String(repeating: "a", count: 9_000)
        ]))
      Issue.record("followed")
    } catch {
      #expect(error.detail.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
      #expect(!error.detail.unicodeScalars.contains("\u{202e}"))
      #expect(error.detail.utf8.count < 600)
    }
  }

  @Test("A redirect is followed only if the request permits its URL")
  func permitted() throws {
    var request = TransportRequest(url: try HTTPURL("http://a.example/"), addresses: .any)
    request.permittedRedirects = [
      try HTTPURL("http://b.example/1"), try HTTPURL("http://a.example/x"),
    ]
    var policy = RedirectPolicy(request)
    #expect(code(&policy, 302, HTTPFields(["Location": "/y"])) == .redirectNotPermitted)
    #expect(code(&policy, 302, HTTPFields(["Location": "/x"])) == nil)
    #expect(
      code(&policy, 302, HTTPFields(["Location": "http://b.example/2"])) == .redirectNotPermitted)
    #expect(code(&policy, 302, HTTPFields(["Location": "http://b.example/1"])) == nil)
    #expect(policy.url.description == "http://b.example/1")
  }
}
