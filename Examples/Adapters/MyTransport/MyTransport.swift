import Models
import Synchronization
public import Transport
public import Wiring

/// Makes the transport known as `my-transport`.
public enum MyTransportPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("my-transport", for: .transport) { container in
      MyTransport(userAgent: try container.resolve(.settings).network.userAgent)
    }
  }
}

/// HTTP/1.1 without TLS: a thread and a connection for each transfer.
public final class MyTransport: Transport {
  private struct State {
    var transfers: [ObjectIdentifier: Transfer] = [:]
    var isShutDown = false
  }

  private let userAgent: String
  private let state = Mutex(State())

  public init(userAgent: String) { self.userAgent = userAgent }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    let transfer = try Transfer(request, sink, userAgent: userAgent)
    let isAccepted = state.withLock { state in
      if !state.isShutDown { state.transfers[ObjectIdentifier(transfer)] = transfer }
      return !state.isShutDown
    }
    guard isAccepted else { throw TransportError(.cancelled, url: request.url, detail: "") }
    let result: Result<TransportResponse, TransportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        DetachedThread.start { caller.resume(returning: transfer.run()) }
      }
    } onCancel: {
      transfer.cancel()
    }
    state.withLock { _ = $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
    return try result.get()
  }

  public func shutdown() async {
    let transfers = state.withLock { state in
      state.isShutDown = true
      return Array(state.transfers.values)
    }
    for transfer in transfers { transfer.cancel() }
  }
}
