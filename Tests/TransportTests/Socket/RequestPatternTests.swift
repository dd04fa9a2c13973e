import Models
import Testing
import Transport

@testable import TransportSocket

@Suite("Request pattern")
struct RequestPatternTests {
  private let transport = SocketTransport()

  private func pattern(
    _ scheme: HTTPURL.Scheme = .http, _ host: String = "a.example", _ port: Int = 80,
    _ fields: HTTPFields = HTTPFields(["X": "1"]), encoding: String = "identity",
    proxy: String? = nil
  ) throws -> RequestPattern {
    let origin = HTTPURL.Origin(scheme: scheme, host: host, port: port)
    return try transport.pattern(origin, fields, encoding, try proxy.map { try ProxyServer($0) })
  }

  @Test("One pattern serves requests that differ in their target only")
  func reuse() throws {
    let first = try pattern()
    let second = try pattern()
    #expect(first === second)
    let requests = try ["/a", "/b?c"].map {
      String(decoding: try first.request(target: $0), as: UTF8.self)
    }
    #expect(requests[0].hasPrefix("GET /a HTTP/1.1\r\nHost: a.example\r\nUser-Agent: "))
    #expect(requests[0].hasSuffix("Accept-Encoding: identity\r\nX: 1\r\n\r\n"))
    #expect(requests[1] == requests[0].replacing("GET /a ", with: "GET /b?c "))
  }

  @Test("Nothing of one request gets into another that differs in anything else")
  func difference() throws {
    func check(_ other: () throws -> RequestPattern) throws {
      let (first, other, again) = (try pattern(), try other(), try pattern())
      #expect(first !== other && first.fields != other.fields)
      #expect(first !== again && first.fields == again.fields)
    }
    try check { try pattern(.http, "b.example") }
    try check { try pattern(.http, "a.example", 81) }
    try check { try pattern(.http, "a.example", 80, HTTPFields()) }
    try check { try pattern(.http, "a.example", 80, HTTPFields(["X": "2"])) }
    try check { try pattern(encoding: "gzip") }
    try check { try pattern(proxy: "http://me:secret@proxy.example:3128") }
    let plain = try pattern(.http, "a.example", 443)
    let secure = try pattern(.https, "a.example", 443)
    #expect(plain !== secure)
    #expect(plain.fields["Host"] == "a.example:443" && secure.fields["Host"] == "a.example")
  }

  @Test("Fields that the transport writes itself are the caller's to give only where it says so")
  func own() throws {
    let fields = HTTPFields([
      "host": "other", "user-agent": "mine", "ACCEPT": "image/*", "Transfer-Encoding": "chunked",
      "content-length": "3", "Proxy-Authorization": "Basic eDp5", "Cookie": "a=1",
    ])
    #expect(
      try pattern(.http, "a.example", 80, fields).fields
        == HTTPFields([
          "Host": "a.example", "User-Agent": "mine", "Accept": "image/*",
          "Accept-Encoding": "identity", "Cookie": "a=1",
        ]))
  }
}
