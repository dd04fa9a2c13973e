import Synchronization
import Transport

/// Counts the requests of a transport, retries included.
final class RequestCounter: Sendable {
  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .relaxed) }

  /// Returns a transport that forwards requests to `transport` and counts them.
  func counting(_ transport: any Transport) -> any Transport {
    CountingTransport(counter: self, transport: transport)
  }

  private struct CountingTransport: Transport {
    let counter: RequestCounter
    let transport: any Transport

    @concurrent
    func perform(
      _ request: TransportRequest, into sink: any BodySink
    ) async throws(TransportError) -> TransportResponse {
      counter.number.wrappingAdd(1, ordering: .relaxed)
      return try await transport.perform(request, into: sink)
    }

    func begin(
      _ request: TransportRequest, into sink: any BodySink,
      whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any Cancellable {
      counter.number.wrappingAdd(1, ordering: .relaxed)
      return transport.begin(request, into: sink, whenEnded: whenEnded)
    }

    func shutdown() async { await transport.shutdown() }
  }
}
