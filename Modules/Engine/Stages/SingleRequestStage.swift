import LibraryAPI
import Models
import SystemCalls

/// Keeps the callers that wait until the scheduler admits their single requests, and reports how the requests
/// ended.
final class SingleRequestStage: Stage {
  private var lastNumber: UInt64 = 0
  private var waiting: [SingleRequests.ID: CheckedContinuation<Void, any Error>] = [:]
  /// The start of each request that was admitted, in seconds on the engine's clock.
  private var starts: [SingleRequests.ID: Double] = [:]

  func nextID() -> SingleRequests.ID {
    lastNumber += 1
    return SingleRequests.ID(lastNumber)
  }

  /// Resumes the continuation when the request may be sent.
  func add(
    _ id: SingleRequests.ID, _ host: HostName, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    guard lifecycle.isStarted, !lifecycle.isStopping else {
      return continuation.resume(throwing: LibraryError(.interrupted, ""))
    }
    waiting[id] = continuation
    transfers.send(.requestWanted(id, host))
  }

  /// Admits a request; part of an action of the scheduler.
  func start(_ id: SingleRequests.ID, at now: Double) {
    starts[id] = now
    waiting.removeValue(forKey: id)?.resume()
  }

  /// Refuses a request; part of an action of the scheduler.
  func refuse(_ refusal: SingleRequests.Refusal) {
    waiting.removeValue(forKey: refusal.id)?
      .resume(throwing: LibraryError(.network, "the host is unreachable: \(refusal.reason)"))
  }

  /// Ends the waiting for a request; does nothing if the request was admitted.
  func cancel(_ id: SingleRequests.ID) {
    guard let continuation = waiting.removeValue(forKey: id) else { return }
    continuation.resume(throwing: LibraryError(.interrupted, ""))
    transfers.send(.requestEnded(id))
  }

  /// Frees the slot of a request, and reports to the budget of the host how the request ended.
  func end(
    _ id: SingleRequests.ID, _ host: HostName, _ failure: DownloadFailure?, wasAnswered: Bool
  ) {
    let startedAt = starts.removeValue(forKey: id) ?? transfers.now
    if let failure {
      let retryAfter = failure.retryAfter.map { min($0, settings.network.retryCeiling) }
      transfers.reportFailure(
        host, startedAt: startedAt, wasAnswered: wasAnswered, failure, retryAfter)
    } else {
      transfers.send(.host(host, .answered(startedAt: startedAt)))
    }
    transfers.send(.requestEnded(id))
  }

  /// Ends the waiting of all callers.
  func cancelAll() {
    for continuation in waiting.values {
      continuation.resume(throwing: LibraryError(.interrupted, ""))
    }
    waiting = [:]
  }
}
