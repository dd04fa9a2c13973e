import HTTP1
import Models
import Origin
import Testing

@Suite("Faults")
struct FaultTests {
  static let size = 10_000
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("f.bin", pattern(Self.size))
  }

  private func server(
    _ fault: Fault, _ percent: Double = 100, seed: UInt64 = 1
  ) throws -> OriginServer {
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.faults = [FaultRate(fault, percent: percent)]
    configuration.seed = seed
    configuration.retryAfter = 7
    configuration.slowHeaderInterval = .milliseconds(1)
    return try OriginServer(configuration)
  }

  private func ask(
    _ server: OriginServer, _ fields: String = ""
  ) throws -> (RawClient, RawClient.Response) {
    let client = try RawClient(port: server.port)
    client.get("/f.bin", fields)
    return (client, client.response())
  }

  @Test("reset sends part of the body and then RST")
  func reset() async throws {
    let server = try server(.reset)
    let (client, response) = try ask(server)
    #expect(response.head.status == 200)
    #expect(!response.isComplete && response.body.count < Self.size)
    #expect(client.end == .reset)
    let entry = await server.log.entries(count: 1)[0]
    #expect(!entry.isComplete)
    #expect(entry.fault == .reset)
    #expect(entry.bytes < Int64(Self.size))
  }

  @Test("truncate sends part of the body and then FIN")
  func truncate() throws {
    let (client, response) = try ask(try server(.truncate))
    #expect(response.error?.code == .truncated)
    #expect(!response.body.isEmpty && response.body.count < Self.size)
    #expect(pattern(Self.size).starts(with: response.body))
    #expect(client.end == .finished)
  }

  @Test("stall sends part of the body and then nothing, until the client goes")
  func stall() async throws {
    let server = try server(.stall)
    let client = try RawClient(port: server.port)
    client.get("/f.bin")
    #expect(client.response(headOnly: true).head.status == 200)
    let entry = await server.log.entries(count: 1)[0]
    #expect(!entry.isComplete)
    client.close()
  }

  @Test(
    "429 and 503 have a Retry-After",
    arguments: [(Fault.tooManyRequests, 429), (.unavailable, 503)])
  func retryAfter(_ fault: Fault, _ status: Int) throws {
    let (_, response) = try ask(try server(fault))
    #expect(response.head.status == status)
    #expect(response.head.fields["Retry-After"] == "7")
    #expect(response.allowsReuse)
  }

  @Test("404 and html are complete answers of another kind")
  func otherAnswers() throws {
    #expect(try ask(try server(.notFound)).1.head.status == 404)
    let (_, page) = try ask(try server(.html))
    #expect(page.head.status == 200)
    #expect(page.head.fields["Content-Type"]?.hasPrefix("text/html") == true)
  }

  @Test("wrong-range answers with another range than the asked one")
  func wrongRange() throws {
    let (_, response) = try ask(try server(.wrongRange), "Range: bytes=100-199\r\n")
    #expect(response.head.status == 206)
    #expect(response.head.fields["Content-Range"] == "bytes 101-199/\(Self.size)")
    #expect(response.body == Array(pattern(Self.size)[101...199]))
    #expect(try ask(try server(.wrongRange)).1.head.status == 206)
  }

  @Test("ignore-range sends everything")
  func ignoreRange() throws {
    let (_, response) = try ask(try server(.ignoreRange), "Range: bytes=100-199\r\n")
    #expect(response.head.status == 200)
    #expect(response.body == pattern(Self.size))
  }

  @Test("etag-flip sends another tag each time and serves ranges nevertheless")
  func etagFlip() throws {
    let server = try server(.etagFlip)
    let (_, first) = try ask(server)
    let tag = try #require(first.head.fields["ETag"])
    let (_, second) = try ask(server, "Range: bytes=100-\r\nIf-Range: \(tag)\r\n")
    #expect(second.head.status == 206)
    #expect(second.head.fields["ETag"] != tag)
  }

  @Test("half-header ends inside the header section")
  func halfHeader() throws {
    let server = try server(.halfHeader)
    let client = try RawClient(port: server.port)
    client.get("/f.bin")
    let bytes = client.rest()
    #expect(!bytes.isEmpty)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n"))
  }

  @Test("slow-header is complete in the end")
  func slowHeader() throws {
    #expect(try ask(try server(.slowHeader)).1.body == pattern(Self.size))
  }

  @Test("bad-chunk and te-cl have invalid chunks")
  func framing() throws {
    let (_, chunked) = try ask(try server(.badChunk))
    #expect(chunked.error?.code == .chunk)
    #expect(!chunked.body.isEmpty)
    #expect(try ask(try server(.bothLengths)).1.error?.code == .chunk)
  }

  @Test("close is a good answer that ends the connection")
  func close() throws {
    let (client, response) = try ask(try server(.close))
    #expect(response.isComplete && !response.allowsReuse)
    #expect(client.rest().isEmpty)
  }

  @Test("strike as often as asked, the same requests for the same seed, in any order")
  func seeds() throws {
    let targets = (0..<400).map { "/missing-\($0)" }
    func statuses(_ targets: [String], seed: UInt64) throws -> [String: Int] {
      let server = try server(.unavailable, 25, seed: seed)
      let client = try RawClient(port: server.port)
      var statuses: [String: Int] = [:]
      for target in targets {
        client.get(target)
        statuses[target] = client.response().head.status
      }
      return statuses
    }
    let first = try statuses(targets, seed: 1)
    #expect(try statuses(targets.reversed(), seed: 1) == first)
    #expect(try statuses(targets, seed: 2) != first)
    let struck = first.values.filter { $0 == 503 }.count
    #expect((60...140).contains(struck))
  }

  @Test("together cannot strike more than every request")
  func percentages() throws {
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.faults = [FaultRate(.reset, percent: 60), FaultRate(.stall, percent: 50)]
    #expect(throws: OriginError.self) { try OriginServer(configuration) }
  }
}
