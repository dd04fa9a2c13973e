import Models
import Testing

@testable import Transport

@Suite("Proxies, chosen")
struct ProxyRulesTests {
  private func isDirect(_ url: String, _ exceptions: [String]) throws -> Bool {
    let proxy = try ProxyServer("http://proxy.example:3128")
    let rules = ProxyRules(http: proxy, https: proxy, exceptions: exceptions)
    return rules.proxy(for: try HTTPURL(url)) == nil
  }

  @Test("Each scheme has its own proxy")
  func schemes() throws {
    let proxy = try ProxyServer("http://proxy.example:3128")
    let rules = ProxyRules(http: nil, https: proxy, exceptions: [])
    #expect(rules.proxy(for: try HTTPURL("http://a.example/")) == nil)
    #expect(rules.proxy(for: try HTTPURL("https://a.example/")) == proxy)
    #expect(ProxyRules(Settings().network).proxy(for: try HTTPURL("http://a.example/")) == nil)
  }

  @Test("Names count with all below them, addresses and prefixes by number, ports where named")
  func exceptions() throws {
    for (url, exception, expected) in [
      ("http://example.org/", "example.org", true),
      ("http://EXAMPLE.org./", "example.org", true),
      ("http://a.b.example.org/", "example.org", true),
      ("http://a.b.example.org/", ".example.org", true),
      ("http://a.b.example.org/", "*.example.org", true),
      ("http://badexample.org/", "example.org", false),
      ("http://example.org.evil/", "example.org", false),
      ("http://example.org:8080/", "example.org:8080", true),
      ("http://example.org/", "example.org:8080", false),
      ("https://anything/", "*", true),
      ("http://10.1.2.3/", "10.0.0.0/8", true), ("http://11.1.2.3/", "10.0.0.0/8", false),
      ("http://10.1.2.3/", "10.1.2.3", true), ("http://10.1.2.3:81/", "10.1.2.3:80", false),
      ("http://[2001:db8::5]/", "2001:db8::/32", true), ("http://[::1]/", "::1", true),
      ("http://[::1]/", "[::1]:80", true), ("http://10.1.2.3/", "0.0.0.0/0", true),
      ("http://[::1]/", "0.0.0.0/0", false), ("http://ten/", "10.0.0.0/8", false),
      ("http://a.example/", "", false), ("http://a.example/", ".", false),
      ("http://a.example/", "a.example:x", false), ("http://10.1.2.3/", "10.0.0.0/33", false),
    ] {
      #expect(try isDirect(url, [exception]) == expected, "\(url) \(exception)")
    }
  }

  @Test("A proxy is read from its URL, and shows no password")
  func server() throws {
    let full = try ProxyServer("http://us%20er:p%40ss:w@Proxy.Example:3128/")
    #expect(full.host == "proxy.example" && full.port == 3128)
    #expect(full.user == "us er" && full.password == "p@ss:w")
    #expect("\(full)" == "proxy.example:3128")
    #expect(try ProxyServer("proxy.example").port == 1_080)
    #expect(try ProxyServer("http://proxy.example:80").port == 80)
    #expect("\(try ProxyServer("http://[::1]:8080"))" == "[::1]:8080")
    #expect(try ProxyServer("[::1]").port == 1_080)
    for bad in [
      "", "socks4://proxy.example", "socks://proxy.example", "https://proxy.example", "http://",
      "http://proxy.example/x",
      "http://proxy.example:99999", "http://secret:hunter2@", "http://se%0Acret@proxy.example",
      "http://a b", "http://proxy.example?x",
    ] {
      #expect(throws: HTTPURLError.self, "\(bad)") { try ProxyServer(bad) }
      do {
        _ = try ProxyServer(bad)
      } catch {
        #expect(!"\(error)".contains("secret") && !"\(error)".contains("hunter2"))
      }
    }
  }

  @Test("A SOCKS proxy is read from its URL, and its password is not shown")
  func socks() throws {
    let full = try ProxyServer("SOCKS5h://us%3Aer:p%40ss@Proxy.Example:9050/")
    #expect(full.kind == .socks5 && full.host == "proxy.example" && full.port == 9_050)
    #expect(full.user == "us:er" && full.password == "p@ss")
    #expect("\(full)" == "proxy.example:9050")
    #expect(try ProxyServer("socks5://[::1]").port == 1_080)
    #expect(try ProxyServer("socks5://h:1") == ProxyServer("socks5h://h:1"))
    #expect(try ProxyServer("socks5://h:1") != ProxyServer("http://h:1"))
    #expect(try ProxyServer("socks5://me@h").password == "")
    let (long, tooLong) = (String(repeating: "x", count: 255), String(repeating: "x", count: 256))
    #expect(try ProxyServer("socks5://\(long):\(long)@h").user == long)
    for bad in [
      "\(tooLong):p@h", "me:\(tooLong)@h", ":secret@h", "secret%00:p@h", "h/x", "h?x", "",
    ] {
      #expect(throws: HTTPURLError.self, "\(bad)") { try ProxyServer("socks5://\(bad)") }
      do {
        _ = try ProxyServer("socks5://\(bad)")
      } catch {
        #expect(!"\(error)".contains("secret") && !"\(error)".contains("xxx"))
      }
    }
    let shown = SettingsSchema.shown(.text("socks5h://me:secret@h:1"), of: .proxy)
    #expect(shown == .text("socks5://***@h:1"))
  }

  @Test("User and password go in base64 (RFC 7617, RFC 4648)")
  func base64() {
    let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
    for (text, coded) in known { #expect(BasicCredentials.base64(Array(text.utf8)) == coded) }
    let aladdin = BasicCredentials(user: "Aladdin", password: "open sesame")
    #expect(aladdin.fieldValue == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
  }
}
