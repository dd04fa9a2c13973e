import Models
import Testing

@Suite struct HostPasswordTests {
  @Test(
    "An entry names a host, a port of it or an origin",
    arguments: [
      ("Host.example: me:pw", HostPassword.Scope.host("host.example"), "me", "pw"),
      ("h:me:pw", .host("h"), "me", "pw"), ("h: me:a: b", .host("h"), "me", "a: b"),
      ("h:me:a: b", .host("h"), "me", "a: b"),
      ("h:me:http://x: b", .host("h"), "me", "http://x: b"),
      ("h: me:", .host("h"), "me", ""), ("[2001:DB8::1]: me:pw", .host("2001:db8::1"), "me", "pw"),
      ("H:8080: me:pw", .port(8080, host: "h"), "me", "pw"),
      ("[::1]:443:\tme:pw", .port(443, host: "::1"), "me", "pw"),
      // Without a space, digits are the name of the user.
      ("h:8080:pw", .host("h"), "8080", "pw"),
      ("HTTPS://h: me:pw", .origin(.init(scheme: .https, host: "h", port: 443)), "me", "pw"),
      ("http://h:81/: me:pw", .origin(.init(scheme: .http, host: "h", port: 81)), "me", "pw"),
      (
        "http://[::1]:81: me:p:w", .origin(.init(scheme: .http, host: "::1", port: 81)), "me", "p:w"
      ),
    ])
  func entries(_ line: String, _ scope: HostPassword.Scope, _ user: String, _ password: String)
    throws
  {
    let entry = try #require(HostPassword(line: line))
    #expect(entry.scope == scope && entry.user == user && entry.password == password)
    #expect(line.hasPrefix(entry.key + ":"))
  }

  @Test(
    "What names no server, no user or no password is refused, and its error shows nothing of it",
    arguments: [
      "", "h", "h: me", "h: :pw", ": me:pw", "h:0: me:pw", "h:65536: me:pw", "http://h:me:pw",
      "https://h/path: me:pw", "https://h?q: me:pw", "ftp://h: me:pw", "http://: me:pw",
      "https://u:p@h: me:pw", "::1: me:pw", "[::1: me:pw", "h: me:p\u{1}w", "a b: me:pw",
    ])
  func mistakes(_ line: String) {
    #expect(HostPassword(line: line) == nil)
    var settings = Settings()
    let error = #expect(throws: SettingError.self) {
      try SettingsSchema.set("network.users", to: .list([line]), in: &settings)
    }
    #expect(error?.description.hasPrefix("network.users: this is not a list of passwords") == true)
  }
}
