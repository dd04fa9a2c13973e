import Models
import Testing
import Transport

@testable import Engine

@Suite("Request fields of the user") struct UserFieldsTests {
  private static let fields = HTTPFields([
    "Authorization": "Bearer s", "Cookie": "c=1", "X-Api-Key": "k", "Accept-Language": "de",
    "User-Agent": "U/1",
  ])
  private static let open = HTTPFields(["Accept-Language": "de", "User-Agent": "U/1"])

  @Test(
    "Credentials go to the origin of the source, to what a list of the user names, and to permitted hosts",
    arguments: [
      ("http://h/list", [], "http://h/next", true), ("http://h/list", [], "http://h:81/a", false),
      ("http://h/list", [], "https://h/a", false), ("http://h/list", [], "http://x.h/a", false),
      ("http://h/list", ["cdn.example"], "http://a.cdn.example/", true),
      ("http://h/list", ["cdn.example"], "http://badcdn.example/", false),
      ("http://h/list", ["*"], "http://other/", true),
      ("http://h/list", ["i:81"], "http://i:81/", true),
      ("http://h/list", ["i:81"], "http://i/", false),
      ("file:/lists/a.txt", [], "http://any/", true), ("content:00", [], "http://any/", true),
    ] as [(String, [String], String, Bool)])
  func origins(source: String, hosts: [String], url: String, isWhole: Bool) throws {
    let user = UserFields(Self.fields, hosts: CredentialHosts(hosts))
    let sent = user.fields(for: try HTTPURL(url).origin, CredentialScope(ofSource: source))
    #expect(sent == (isWhole ? Self.fields : Self.open))
    #expect(
      user.fields(for: try HTTPURL("http://z/").origin, .none)
        == (hosts == ["*"] ? Self.fields : Self.open))
  }

  @Test("The fields of a list take precedence, except for the user's Referer")
  func lists() {
    let entry = HTTPFields(["Referer": "http://page/", "Accept-Language": "fr"])
    for (referer, sent) in [(nil, "http://page/"), ("http://mine/", "http://mine/")]
      as [(String?, String)]
    {
      var fields = Self.open
      if let referer { fields.set("Referer", referer) }
      let user = UserFields(fields)
      user.add(entry, to: &fields)
      #expect(fields["Referer"] == sent && fields["Accept-Language"] == "fr")
    }
  }

  @Test(
    "Requests with and without credentials have different keys, those of two pages of a site the same"
  )
  func keys() {
    let user = UserFields(Self.fields)
    func key(_ url: String, _ scope: CredentialScope, _ referer: String? = nil) -> RequestKey {
      var naming = RequestNaming(user, scope)
      var fields = HTTPFields()
      if let referer { fields.set("Referer", referer) }
      return naming.name(url, fields, isPublic: false).request
    }
    #expect(key("http://h/a", .everyEntry) != key("http://h/a", .none))
    #expect(key("http://h/a", .none, "http://p/1") == key("http://h/a", .none, "http://p/2"))
    #expect(key("http://h/a", .none, "http://p/1") != key("http://h/a", .none, "http://q/1"))
    #expect(key("http://h/a", .none, "http://p/1") != key("http://h/a", .none))
  }
}
