/// Any transport, with credentials for every request.
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
    var request = request
    request.credentials = credentials
    return try await transport.perform(request, into: sink)
  }

  public func shutdown() async { await transport.shutdown() }
}
