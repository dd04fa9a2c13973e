import Models
import Testing

@testable import Transport

@Suite("Cookies")
struct CookieFileTests {
  private func line(
    _ domain: String, _ subdomains: Bool, _ path: String, secure: Bool = false,
    expires: Int = 0, _ name: String, _ value: String
  ) -> String {
    [
      domain, subdomains ? "TRUE" : "FALSE", path, secure ? "TRUE" : "FALSE", "\(expires)", name,
      value,
    ].joined(separator: "\t")
  }

  private func sent(_ lines: [String], _ url: String, now: Int64 = 1_000) throws -> String? {
    try CookieFile(lines.joined(separator: "\n")).fieldValue(for: try HTTPURL(url), now: now)
  }

  @Test("A cookie of a domain goes to the names below it, one of a host to that host (§5.1.3)")
  func domains() throws {
    let wide = [line(".example.org", true, "/", "a", "1")]
    let narrow = [line("example.org", false, "/", "a", "1")]
    for (url, isWide, isNarrow) in [
      ("http://example.org/", true, true), ("http://EXAMPLE.org./", true, true),
      ("http://a.b.example.org/", true, false), ("http://badexample.org/", false, false),
      ("http://org/", false, false), ("http://example.org.evil/", false, false),
    ] {
      #expect(try (sent(wide, url) == "a=1") == isWide, "\(url)")
      #expect(try (sent(narrow, url) == "a=1") == isNarrow, "\(url)")
    }
  }

  @Test("A name without a dot and an address have nothing below them")
  func narrowDomains() throws {
    #expect(try sent([line(".org", true, "/", "a", "1")], "http://example.org/") == nil)
    #expect(try sent([line("localhost", true, "/", "a", "1")], "http://localhost/") == "a=1")
    let address = [line("127.0.0.1", true, "/", "a", "1")]
    #expect(try sent(address, "http://127.0.0.1/") == "a=1")
    #expect(try sent([line("0.0.1", true, "/", "a", "1")], "http://127.0.0.1/") == nil)
  }

  @Test("A later line replaces the cookie of an earlier one, or deletes it")
  func later() throws {
    let old = line("e.org", true, "/", "sid", "old")
    #expect(try sent([old, line("e.org", true, "/", "sid", "new")], "http://e.org/") == "sid=new")
    #expect(
      try sent([old, "#HttpOnly_" + line("e.org", true, "/", "sid", "new")], "http://e.org/")
        == "sid=new")
    #expect(
      try sent([old, line("e.org", true, "/", expires: 1, "sid", "x")], "http://e.org/") == nil)
    let other = [old, line("e.org", true, "/p", "sid", "p"), line("e.org", true, "/", "b", "1")]
    #expect(try sent(other, "http://e.org/p") == "sid=p; sid=old; b=1")
  }

  @Test("Paths count by whole segments (§5.1.4), secure ones on https, expired ones not at all")
  func rules() throws {
    let path = [line("e.org", false, "/pics", "a", "1")]
    for (url, expected) in [
      ("http://e.org/pics", true), ("http://e.org/pics/", true), ("http://e.org/pics/x?y", true),
      ("http://e.org/picsx", false), ("http://e.org/", false),
    ] {
      #expect(try (sent(path, url) != nil) == expected, "\(url)")
    }
    let secure = [line("e.org", false, "/", secure: true, "a", "1")]
    #expect(try sent(secure, "https://e.org/") == "a=1")
    #expect(try sent(secure, "http://e.org/") == nil)
    let mortal = [line("e.org", false, "/", expires: 1_000, "a", "1")]
    #expect(try sent(mortal, "http://e.org/", now: 999) == "a=1")
    #expect(try sent(mortal, "http://e.org/", now: 1_000) == nil)
  }

  @Test("Longer paths are first, then the order of the file (§5.4)")
  func order() throws {
    let lines = [
      line("e.org", false, "/", "a", "1"), line(".e.org", true, "/p/", "b", "2"),
      line("e.org", false, "/", "c", "3"), line("e.org", false, "/p", "d", ""),
    ]
    #expect(try sent(lines, "http://e.org/p/x") == "b=2; d=; a=1; c=3")
  }

  @Test("Comments, empty lines and CRLF are read; HttpOnly cookies are cookies")
  func forms() throws {
    let text =
      "# Netscape HTTP Cookie File\r\n\r\n#HttpOnly_" + line("e.org", false, "/", "a", "1")
      + "\r\ne.org\tFALSE\t/\tFALSE\t0\tb\r\n"
    #expect(try CookieFile(text).fieldValue(for: HTTPURL("http://e.org/"), now: 0) == "a=1; b=")
    #expect(try CookieFile("").isEmpty)
  }

  @Test("A time may have a fraction or be missing, as browser extensions write it")
  func times() throws {
    for (time, isSent) in [
      ("2000.25", true), ("999.9", false), ("", true), ("0", true), ("0.5", false), ("-5", false),
    ] {
      let text = "e.org\tFALSE\t/\tFALSE\t\(time)\ta\t1"
      #expect(try (sent([text], "http://e.org/") != nil) == isSent, "\(time)")
    }
  }

  @Test("A bad line is left out and reported, and the others are used")
  func badLinesAmongOthers() throws {
    let bad = (0..<20).map { "e.org\tMAYBE\t/\tFALSE\t0\tsecret\($0)\tv" }
    let file = try CookieFile(
      (bad + [line("e.org", false, "/", "a", "1")]).joined(separator: "\n"))
    #expect(try file.fieldValue(for: HTTPURL("http://e.org/"), now: 0) == "a=1")
    #expect(file.problemCount == 20)
    #expect(file.problems.map(\.line) == Array(1...CookieFile.maximumProblems))
    #expect(file.problems.allSatisfy { !$0.reason.contains("secret") })
  }

  @Test("A bad line is named by its number, without its content")
  func badLines() throws {
    for (bad, words) in [
      ("e.org FALSE / FALSE 0 secret value", "fields"),
      ("e.org\tMAYBE\t/\tFALSE\t0\tsecret\tv", "TRUE or FALSE"),
      ("e.org\tTRUE\t/\tFALSE\tsoon\tsecret\tv", "time"),
      ("\tTRUE\t/\tFALSE\t0\tsecret\tv", "domain"),
      ("e.org\tTRUE\t/\tFALSE\t0\tsecret\tv;x", "cannot be sent"),
      ("e.org\tTRUE\t/\tFALSE\t0\t\t", "neither"),
    ] {
      do {
        _ = try CookieFile("# comment\n" + bad)
        Issue.record("\(bad) was taken")
      } catch {
        #expect(error.line == 2)
        #expect(error.reason.contains(words), "\(error.reason)")
        #expect(!error.reason.contains("secret"))
      }
    }
  }
}

@Suite("Netrc")
struct NetrcTests {
  private func user(_ text: String, _ host: String) throws -> BasicCredentials? {
    try Netrc(text).credentials(for: host)
  }

  @Test("An entry is for exactly its host; the first one counts")
  func hosts() throws {
    let text = """
      machine example.org login me password pass
      machine Other.example # comment
        login "a \\"b\\"" password "c\\\\d"
      machine example.org login late password x
      """
    #expect(try user(text, "example.org") == BasicCredentials(user: "me", password: "pass"))
    #expect(try user(text, "other.example") == BasicCredentials(user: "a \"b\"", password: "c\\d"))
    #expect(try user(text, "www.example.org") == nil)
  }

  @Test("default, accounts and macros are read and left alone")
  func rest() throws {
    let text = "macdef init\ncd /pub\nmachine trap login x\n\ndefault login any password one\n"
    #expect(try user(text, "trap") == nil)
    #expect(try user(text, "default") == nil)
    #expect(
      try user("machine a account b login c", "a") == BasicCredentials(user: "c", password: ""))
    #expect(try user("machine a", "a") == nil)
    #expect(try Netrc("").isEmpty)
  }

  @Test("An entry without a login has an empty user name")
  func withoutLogin() throws {
    #expect(
      try user("machine a password b", "a") == BasicCredentials(user: "", password: "b"))
    #expect(
      try user("machine a password b\nmachine c login d", "c")
        == BasicCredentials(user: "d", password: ""))
  }

  @Test("An invalid line is reported by its number")
  func errors() throws {
    for (text, line) in [
      ("machine a\nlogin", 2), ("machine a login b\npasword c", 2), ("machine a login \"b\n", 1),
      ("machine a login b:c", 1), ("machine", 1),
    ] {
      do {
        _ = try Netrc(text)
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.line == line, "\(text): \(error)")
      }
    }
  }
}

@Suite("Credentials and redirects")
struct CredentialRedirectTests {
  private func request(_ url: String, fields: HTTPFields = HTTPFields()) throws -> TransportRequest
  {
    var request = TransportRequest(url: try HTTPURL(url), fields: fields, addresses: .any)
    request.credentials = Credentials(
      cookies: try CookieFile(
        """
        a.example\tFALSE\t/\tFALSE\t0\ta\t1
        a.example\tFALSE\t/deep\tFALSE\t0\tdeep\t1
        a.example\tFALSE\t/\tTRUE\t0\tsecure\t1
        b.example\tFALSE\t/\tFALSE\t0\tb\t2
        """),
      netrc: try Netrc("machine b.example login me password x"), now: { 0 })
    return request
  }

  private func passwords(_ lines: String...) throws -> HostPasswords {
    HostPasswords(try lines.map { try #require(HostPassword(line: $0)) })
  }

  @Test("A password goes to the origin or port that its entry names, the most exact entry first")
  func servers() throws {
    let credentials = Credentials(
      netrc: try Netrc("machine a.example login me password netrc"),
      users: try passwords(
        "https://a.example: u:origin", "a.example:8080: u:port", "http://a.example:8080: u:both",
        "b.example: u:host", "http://[::1]:81: u:six"))
    for (url, password) in [
      ("https://a.example/x", "u:origin"), ("https://a.example:443/", "u:origin"),
      ("http://a.example/", "me:netrc"), ("http://a.example:443/", "me:netrc"),
      ("https://a.example:8443/", "me:netrc"), ("https://a.example:8080/", "u:port"),
      ("http://a.example:8080/", "u:both"), ("http://b.example/", "u:host"),
      ("https://B.example:9/", "u:host"), ("http://[::1]:81/", "u:six"), ("http://[::1]/", nil),
      ("http://x.b.example/", nil),
    ] {
      var fields = HTTPFields()
      credentials.add(to: &fields, for: try HTTPURL(url))
      let parts = password?.split(separator: ":").map(String.init)
      let expected = parts.map { BasicCredentials(user: $0[0], password: $0[1]).fieldValue }
      #expect(fields["Authorization"] == expected, "\(url)")
    }
  }

  private func follow(_ policy: inout RedirectPolicy, _ location: String) throws {
    let action = try policy.handle(
      status: 302, fields: HTTPFields(["Location": location]))
    #expect(action == .follow)
  }

  @Test("The password of the user's URL stays within its origin, that of a file within its host")
  func users() throws {
    let users = try passwords("a.example: u:a.example", "b.example: u:b.example")
    func password(_ policy: RedirectPolicy) -> String? { policy.fields["Authorization"] }
    func coded(_ user: String, _ password: String) -> String {
      BasicCredentials(user: user, password: password).fieldValue
    }
    var request = try request("http://b.example/")
    request.credentials = Credentials(
      netrc: try Netrc("machine b.example login me password x"), users: users)
    var policy = RedirectPolicy(request)
    #expect(password(policy) == coded("u", "b.example"))
    try follow(&policy, "/2")
    #expect(password(policy) == coded("u", "b.example"))
    try follow(&policy, "http://a.example/")
    #expect(password(policy) == nil)
    try follow(&policy, "http://b.example:81/")
    #expect(password(policy) == coded("me", "x"))
    // A request for a URL that a redirect of another origin has named is no different.
    request.hasLeftOrigin = true
    #expect(password(RedirectPolicy(request)) == coded("me", "x"))
  }

  @Test("Each hop gets the cookies of its URL, and no others")
  func hops() throws {
    var policy = RedirectPolicy(
      try request("http://a.example/", fields: HTTPFields(["X-Mine": "y"])))
    #expect(policy.fields.fields.map(\.name) == ["X-Mine", "Cookie"])
    #expect(policy.fields["Cookie"] == "a=1")
    try follow(&policy, "/deep/x")
    #expect(policy.fields["Cookie"] == "deep=1; a=1")
    #expect(policy.fields["X-Mine"] == "y")
    try follow(&policy, "http://b.example/")
    #expect(policy.fields["Cookie"] == "b=2")
    #expect(
      policy.fields["Authorization"] == BasicCredentials(user: "me", password: "x").fieldValue)
    #expect(policy.fields["X-Mine"] == nil)
    try follow(&policy, "http://c.example/")
    #expect(policy.fields.fields.isEmpty)
    try follow(&policy, "https://a.example/")
    #expect(policy.fields["Cookie"] == "a=1; secure=1")
  }

  @Test("The caller's field takes precedence over a file")
  func precedence() throws {
    let policy = RedirectPolicy(
      try request(
        "http://b.example/", fields: HTTPFields(["Cookie": "mine", "Authorization": "Bearer y"])))
    #expect(policy.fields.all("Cookie") == ["mine"])
    #expect(policy.fields.all("Authorization") == ["Bearer y"])
  }

  @Test("A request with a password does not go from https to http; cookies know it themselves")
  func downgrade() throws {
    var password = RedirectPolicy(try request("https://b.example/"))
    #expect(throws: TransportError.self) {
      try password.handle(status: 302, fields: HTTPFields(["Location": "http://b.example/"]))
    }
    var cookies = RedirectPolicy(try request("https://a.example/"))
    #expect(cookies.fields["Cookie"] == "a=1; secure=1")
    try follow(&cookies, "http://a.example/")
    #expect(cookies.fields["Cookie"] == "a=1")
  }
}
