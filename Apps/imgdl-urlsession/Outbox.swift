import Dispatch
import TransportURLSession
import WorkerProcess

/// Sends events in order, without ever holding up the one who has them. What waits is bounded: a
/// head, one progress and an end for each exchange.
final class Outbox: Sendable {
  private let connection: WorkerConnection
  private let queue = DispatchQueue(label: "outbox")

  init(_ connection: WorkerConnection) { self.connection = connection }

  func send(_ event: HelperEvent) {
    queue.async { [connection] in
      // The other side is gone: the main thread sees that too, and ends the program.
      try? connection.send(event.frame)
    }
  }
}
