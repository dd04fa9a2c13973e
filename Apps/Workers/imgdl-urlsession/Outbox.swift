import Dispatch
import TransportURLSession
import WorkerProcess

/// Sends events in order without blocking their sender. The queue is bounded: it holds at most a head, one
/// progress report and an end for each exchange.
final class Outbox: Sendable {
  private let connection: WorkerConnection
  private let queue = DispatchQueue(label: "outbox")

  init(_ connection: WorkerConnection) { self.connection = connection }

  func send(_ event: HelperEvent) {
    queue.async { [connection] in
      // If the adapter has closed the socket, the main thread notices that too, and ends the program.
      try? connection.send(event.frame)
    }
  }
}
