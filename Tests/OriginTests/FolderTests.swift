import Foundation
import HTTP1
import Models
import Origin
import Testing

@Suite("A served folder")
struct FolderTests {
  let folder: ScratchFolder
  let server: OriginServer

  init() throws {
    folder = try ScratchFolder()
    try folder.write("ten.txt", "0123456789")
    try folder.write("empty.png", "")
    try folder.write("a b/\u{e9}.jpg", pattern(300_000))
    server = try OriginServer(OriginConfiguration(folder: folder.path))
  }

  private func ask(
    _ target: String, _ fields: String = "", method: String = "GET"
  ) throws -> RawClient.Response {
    let client = try RawClient(port: server.port)
    client.get(target, fields, method: method)
    return client.response(toHEAD: method == "HEAD")
  }

  @Test("gives files with type, length and validators")
  func file() throws {
    let response = try ask("/ten.txt?query")
    #expect(response.head.status == 200)
    #expect(response.text == "0123456789")
    #expect(response.head.fields["Content-Type"] == "text/plain")
    #expect(response.head.fields["Accept-Ranges"] == "bytes")
    let tag = try #require(response.head.fields["ETag"].flatMap { EntityTag($0) })
    #expect(!tag.isWeak)
    #expect(HTTPDate.parse(try #require(response.head.fields["Last-Modified"])) != nil)
    #expect(response.allowsReuse)
  }

  @Test("gives large files under encoded names, byte for byte")
  func largeFile() throws {
    let response = try ask("/a%20b/%C3%A9.jpg")
    #expect(response.body == pattern(300_000))
    #expect(response.head.fields["Content-Type"] == "image/jpeg")
  }

  @Test("gives empty files")
  func emptyFile() throws {
    let response = try ask("/empty.png")
    #expect(response.head.status == 200)
    #expect(response.isComplete && response.body.isEmpty)
  }

  @Test("answers HEAD with the same fields and no body")
  func head() throws {
    let response = try ask("/ten.txt", method: "HEAD")
    #expect(response.head.status == 200)
    #expect(response.head.fields["Content-Length"] == "10")
    #expect(response.isComplete && response.body.isEmpty)
  }

  static let ranges: [(String, Int, String, String?)] = [
    ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=5-", 206, "56789", "bytes 5-9/10"),
    ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("bytes=-3", 206, "789", "bytes 7-9/10"),
    ("bytes=-99", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, "", "bytes */10"),
    ("bytes=99999999999999999999-", 416, "", "bytes */10"), ("bytes=-0", 416, "", "bytes */10"),
    ("bytes=4-2", 200, "0123456789", nil), ("bytes=0-1,3-4", 200, "0123456789", nil),
    ("lines=1-2", 200, "0123456789", nil), ("bytes=a-", 200, "0123456789", nil),
  ]

  @Test("honours one range", arguments: ranges)
  func range(_ value: String, _ status: Int, _ body: String, _ contentRange: String?) throws {
    let response = try ask("/ten.txt", "Range: \(value)\r\n")
    #expect(response.head.status == status)
    #expect(response.text == body)
    #expect(response.head.fields["Content-Range"] == contentRange)
  }

  @Test("honours If-Range by strong tag or date, and sends everything otherwise")
  func ifRange() throws {
    let first = try ask("/ten.txt")
    let tag = try #require(first.head.fields["ETag"])
    let date = try #require(first.head.fields["Last-Modified"])
    for (condition, status) in [(tag, 206), (date, 206), ("\"other\"", 200), ("W/\(tag)", 200)] {
      let response = try ask("/ten.txt", "Range: bytes=5-\r\nIf-Range: \(condition)\r\n")
      #expect(response.head.status == status)
    }
  }

  @Test("answers 304 while the file is the same")
  func notModified() throws {
    let first = try ask("/ten.txt")
    let tag = try #require(first.head.fields["ETag"])
    let date = try #require(first.head.fields["Last-Modified"])
    for (field, status) in [
      ("If-None-Match: \(tag)", 304), ("If-None-Match: \"a\", W/\(tag)", 304),
      ("If-None-Match: \"a\"", 200), ("If-Modified-Since: \(date)", 304),
      ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
      ("If-None-Match: \"a\"\r\nIf-Modified-Since: \(date)", 200),
    ] {
      let response = try ask("/ten.txt", field + "\r\n")
      #expect(response.head.status == status, "\(field)")
      #expect(response.isComplete)
    }
    try folder.write("ten.txt", "012345678X")
    #expect(try ask("/ten.txt", "If-None-Match: \(tag)\r\n").head.status == 200)
  }

  @Test(
    "leads nowhere else",
    arguments: [
      "/../secret", "/%2e%2e/secret", "/a%20b/../../secret", "/..%2fsecret", "/link", "/sub/secret",
      "/fifo", "/", "/a%20b", "/a%20b/", "//ten.txt", "/./ten.txt", "/ten.txt%00", "/missing",
    ])
  func escapes(_ target: String) throws {
    let outside = try ScratchFolder()
    try outside.write("secret", "secret")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: outside.path + "/secret")
    try manager.createSymbolicLink(
      atPath: folder.path + "/sub", withDestinationPath: outside.path)
    mkfifo(folder.path + "/fifo", 0o600)
    #expect(try ask(target).head.status == 404)
  }

  @Test("answers several requests on one connection, also sent at once")
  func keepAlive() throws {
    let client = try RawClient(port: server.port)
    client.get("/ten.txt")
    #expect(client.response().text == "0123456789")
    let request = "GET /ten.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=0-1\r\n\r\n"
    client.send(request + request)
    #expect(client.response().text == "01")
    #expect(client.response().text == "01")
    #expect(server.connectionCount == 1)
  }

  @Test(
    "closes the connection on request of the client",
    arguments: [
      "GET /ten.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      "GET /ten.txt HTTP/1.0\r\n\r\n",
    ])
  func close(_ request: String) throws {
    let client = try RawClient(port: server.port)
    client.send(request)
    let response = client.response()
    #expect(response.text == "0123456789")
    #expect(!response.allowsReuse)
    #expect(client.rest().isEmpty)
    #expect(client.end == .finished)
  }

  @Test("refuses invalid requests and other methods")
  func refusals() throws {
    let client = try RawClient(port: server.port)
    client.send("GARBAGE\r\n\r\n")
    #expect(client.response().head.status == 400)
    #expect(client.rest().isEmpty)
    let response = try ask("/ten.txt", "Content-Length: 0\r\n", method: "DELETE")
    #expect(response.head.status == 405)
    #expect(response.head.fields["Allow"] == "GET, HEAD")
  }

  @Test("ends idle connections when it stops")
  func stop() throws {
    let idle = try RawClient(port: server.port)
    idle.get("/ten.txt")
    _ = idle.response()
    server.stop()
    #expect(idle.rest().isEmpty)
    #expect(idle.end == .finished)
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
  }
}
