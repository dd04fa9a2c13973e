/// A transport that adds the user's credentials to every request of another transport. Those that a request has
/// already take precedence.
public struct CredentialedTransport: Transport {
  private let transport: any Transport
  private let credentials: Credentials

  public init(_ transport: any Transport, _ credentials: Credentials) {
    self.transport = transport
    self.credentials = credentials
  }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    try await transport.perform(credentialed(request), into: sink)
  }

  public func begin(
    _ request: TransportRequest, into sink: any BodySink,
    whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
  ) -> any Cancellable {
    transport.begin(credentialed(request), into: sink, whenEnded: whenEnded)
  }

  private func credentialed(_ request: TransportRequest) -> TransportRequest {
    var request = request
    request.credentials = request.credentials.map { $0.over(credentials) } ?? credentials
    return request
  }

  public func setRateLimit(bytesPerSecond: Int) {
    transport.setRateLimit(bytesPerSecond: bytesPerSecond)
  }

  public func shutdown() async { await transport.shutdown() }
}
