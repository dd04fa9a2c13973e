import HTTP1
import Models
import Origin
import Testing

@Suite("The scripted server")
struct ScriptedServerTests {
  private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

  @Test("plays one script a connection, the last one again for further ones")
  func scripts() throws {
    let server = try ScriptedServer(scripts: [
      [.readRequest, .reset], [.readRequest, .sendString(Self.good), .close],
    ])
    let first = try RawClient(port: server.port)
    first.get("/1")
    _ = first.rest()
    #expect(first.end == .reset)
    for target in ["/2", "/3"] {
      let client = try RawClient(port: server.port)
      client.get(target)
      #expect(client.response().text == "hi")
      #expect(client.rest().isEmpty)
      #expect(client.end == .finished)
    }
    #expect(server.requests.map(\.head?.target) == ["/1", "/2", "/3"])
    #expect(server.requests.map(\.connection) == [0, 1, 2])
    #expect(server.connectionCount == 3)
  }

  @Test("answers requests by a closure, several on one connection")
  func responder() throws {
    let server = try ScriptedServer { connection, index, request in
      let body = "\(connection) \(index) \(request.head?.target ?? "")"
      return [.sendString("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }
    let first = try RawClient(port: server.port)
    first.get("/a")
    #expect(first.response().text == "0 0 /a")
    first.get("/b")
    #expect(first.response().text == "0 1 /b")
    let second = try RawClient(port: server.port)
    second.get("/c")
    #expect(second.response().text == "1 0 /c")
  }

  @Test("waits at a gate until the test opens it")
  func gates() async throws {
    let reached = try Gate()
    let gate = try Gate()
    let server = try ScriptedServer(scripts: [
      [
        .readRequest, .sendString("HTTP/1.1 "), .open(reached), .hold(gate),
        .sendString("200 OK\r\n\r\n"),
      ]
    ])
    let client = try RawClient(port: server.port)
    client.get("/")
    await reached.wait()
    #expect(client.receive())
    #expect(!gate.isOpen)
    gate.open()
    #expect(gate.isOpen)
    let response = client.response()
    #expect(response.head.status == 200)
    #expect(response.isComplete)
  }

  @Test("sends in small pieces, and bytes that are not HTTP")
  func pieces() throws {
    let garbage: [UInt8] = [0, 0xff, 0x0d, 0x0a]
    let server = try ScriptedServer(scripts: [
      [.readRequest, .sendSlowly(Array(Self.good.utf8), chunk: 5), .send(garbage)]
    ])
    let client = try RawClient(port: server.port)
    client.get("/")
    #expect(client.response().text == "hi")
    #expect(client.rest() == garbage)
  }

  @Test("records requests byte by byte, bad ones too")
  func recording() async throws {
    let server = try ScriptedServer(scripts: [[.readRequest, .readRequest]])
    let client = try RawClient(port: server.port)
    let good = "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    client.send(good + "b a d\r\n\r\n")
    let requests = await server.requests(count: 2)
    #expect(requests[0].bytes == Array(good.utf8))
    #expect(requests[0].head?.fields["host"] == "a")
    #expect(requests[0].body == Array("abc".utf8))
    #expect(requests[1].head == nil)
    #expect(requests[1].error != nil)
    #expect(requests[1].bytes == Array("b a d\r\n\r\n".utf8))
  }

  @Test("holds a connection until the client goes, and stops while it holds")
  func hold() async throws {
    let gone = try Gate()
    let server = try ScriptedServer(scripts: [
      [.hold(nil), .open(gone)], [.hold(nil)], [.hold(try Gate())],
    ])
    let leaving = try RawClient(port: server.port)
    leaving.close()
    await gone.wait()
    let second = try RawClient(port: server.port)
    let third = try RawClient(port: server.port)
    server.stop()
    #expect(second.rest().isEmpty)
    #expect(third.rest().isEmpty)
  }
}
