import Composition
import Models
import Transport
import Wiring

/// An adapter of the port, as the engine uses it.
struct AdapterFetcher: Fetcher {
  private let transport: any Transport
  private let url: HTTPURL

  init(_ name: String, _ url: String) throws {
    var settings = Settings()
    settings.adapters.transport = name
    var container = try Container(
      Adapters.catalogue(settings, spoolFolder: "/dev/shm"), choosing: Adapters.choices(settings))
    transport = try container.resolve(.transport)
    self.url = try HTTPURL(url)
  }

  func fetch() async throws {
    let response = try await transport.perform(
      TransportRequest(url: url, addresses: .any), into: Drain())
    guard response.head.status == 200 else { throw WrongAnswer(status: response.head.status) }
  }

  func end() async { await transport.shutdown() }
}

/// Takes everything and keeps nothing.
private final class Drain: BodySink {
  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision { .accept }
  func receive(_ bytes: RawSpan) throws(SinkError) {}
}
