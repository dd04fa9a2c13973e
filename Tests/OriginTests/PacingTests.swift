import HTTP1
import Origin
import Testing

@Suite("Slow servers")
struct PacingTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("small", "small")
    try folder.write("large", pattern(100_000))
  }

  @Test("send no faster than their rate, and everything")
  func rate() async throws {
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.rate = 1_000_000
    let server = try OriginServer(configuration)
    let client = try RawClient(port: server.port)
    client.get("/large")
    #expect(client.response().body == pattern(100_000))
    let entry = await server.log.entries(count: 1)[0]
    #expect(entry.end.monotonic - entry.start.monotonic >= 95)
    #expect(entry.bytes == 100_000)
    #expect(entry.isComplete)
  }

  @Test("wait their latency before each response")
  func latency() async throws {
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.latency = .milliseconds(40)
    let server = try OriginServer(configuration)
    let client = try RawClient(port: server.port)
    client.get("/small")
    #expect(client.response().text == "small")
    let entry = await server.log.entries(count: 1)[0]
    #expect(entry.end.monotonic - entry.start.monotonic >= 39)
  }

  @Test("keep no other connection waiting")
  func independence() throws {
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.rate = 100
    let server = try OriginServer(configuration)
    let slow = try RawClient(port: server.port)
    slow.get("/large")
    #expect(slow.response(headOnly: true).head.status == 200)
    let fast = try RawClient(port: server.port)
    fast.get("/small")
    #expect(fast.response().text == "small")
    server.stop()
    #expect(server.log.entries.map(\.isComplete).sorted { !$0 && $1 } == [false, true])
  }

  @Test("shuffle: responses of simultaneous requests arrive in another order")
  func shuffle() async throws {
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.jitter = .milliseconds(100)
    configuration.seed = 3
    let server = try OriginServer(configuration)
    let clients = try (0..<8).map { _ in try RawClient(port: server.port) }
    for (index, client) in clients.enumerated() { client.get("/small?\(index)") }
    for client in clients { #expect(client.response().text == "small") }
    let entries = await server.log.entries(count: 8)
    let order = entries.map(\.target)
    #expect(order != order.sorted())
  }
}
