import JSON
import Models
import Testing
@testable import Aria2

@Suite("Options of the server")
struct ServerOptionsTests {
  private static func server(_ options: [(name: String, value: String)] = []) throws
    -> ServerOptions
  {
    try ServerOptions(options, root: "/library", proxies: ("http://proxy.example:3128", ""))
  }

  private static func values(_ options: [(name: String, value: String)]) throws -> OptionValues {
    var values = OptionValues()
    for (name, value) in options { try values.set(name, to: value) }
    return values
  }

  @Test("aria2's standard values are effective until others are set")
  func standardValues() throws {
    var server = try Self.server()
    #expect((server.concurrency, server.overallLimit, server.resultLimit) == (5, 0, 1_000))
    try server.change([
      .init("max-concurrent-downloads", .string("2")),
      .init("max-overall-download-limit", .string("1K")),
      .init("max-download-result", .string("0")),
    ])
    #expect((server.concurrency, server.overallLimit, server.resultLimit) == (2, 1_024, 0))
  }

  @Test("a change with one invalid option changes none, and options of one download are left out")
  func changing() throws {
    var server = try Self.server()
    for (name, value) in [
      ("dir", "/elsewhere"), ("all-proxy", "http://other.example"), ("header", "Host: b.example"),
      ("max-concurrent-downloads", "0"),
    ] {
      #expect(throws: RPCError.self) {
        try server.change([.init("user-agent", .string("me")), .init(name, .string(value))])
      }
      #expect(server.values == OptionValues())
    }
    try server.change(
      ["gid", "pause", "out", "checksum", "referer"].map {
        let texts = [
          "gid": "00000000000000ab", "pause": "true",
          "checksum": "md5=\(String(repeating: "0", count: 32))",
        ]
        return .init($0, .string(texts[$0] ?? "a"))
      })
    #expect(server.values.names == ["referer"])
  }

  @Test(
    "the limit of the library is taken over, within the range of the option",
    arguments: [(0, 5), (-1, 5), (7, 7), (5_000, 1_024)])
  func adopting(limit: Int, concurrency: Int) throws {
    var server = try Self.server()
    server.adoptConcurrency(limit)
    #expect(server.concurrency == concurrency)
  }

  @Test("an option without an effect is named once, and at most a thousand are")
  func ignored() throws {
    var server = try Self.server([("save-session", "/elsewhere/a.txt")])
    let options = try Self.values([("timeout", "5"), ("dir", "a"), ("unknown", "")])
    #expect(server.takeIgnored(of: server.values) == ["save-session"])
    #expect(server.takeIgnored(of: options) == ["timeout", "unknown"])
    #expect(server.takeIgnored(of: options) == [])
    let many = try Self.values((0..<1_100).map { ("x\($0)", "") })
    #expect(server.takeIgnored(of: many).count == 997)
  }

  @Test("an option of a download comes before that of the server")
  func downloads() throws {
    let server = try Self.server([
      ("dir", "/library/a"), ("max-download-limit", "1K"), ("user-agent", "server"),
    ])
    let none = OptionValues()
    #expect(try server.folder(of: none).title == "a" && server.rateLimit(of: none) == 1_024)
    #expect(server.folderPath(of: none) == "/library/a")
    let own = try Self.values([
      ("dir", "/library/b/c"), ("max-download-limit", "0"), ("user-agent", "client"),
    ])
    #expect(server.folderPath(of: own) == "/library/b/c" && server.rateLimit(of: own) == 0)
    #expect(try server.fields(of: own, uri: "")["User-Agent"] == "client")
    #expect(try server.fields(of: none, uri: "")["User-Agent"] == "server")
  }

  @Test("the checked options of a download name its folder relative to the library")
  func checking() throws {
    let server = try Self.server()
    let options = try Self.values([
      ("dir", "/library/b/c"), ("gid", "00000000000000ab"), ("pause", "true"),
      ("http-proxy", "http://proxy.example:3128"),
    ])
    let checked = try server.checked(options, uri: "http://a.example/")
    #expect(checked.names == ["dir", "http-proxy"] && checked["dir"] == "b/c")
    for (name, value) in [("dir", ".."), ("https-proxy", "http://proxy.example:3128")] {
      let options = try Self.values([(name, value)])
      #expect(throws: RPCError.self) { try server.checked(options, uri: "") }
    }
  }
}
