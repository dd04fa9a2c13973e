public import LibraryAPI
public import Models
public import ProgressTree

/// An update that a client receives about a library.
public enum ControlUpdate: Sendable, Equatable {
  /// The complete state, to which later updates apply. The first update of a stream, repeated with
  /// `followsGap` after events were lost.
  case snapshot(LibraryStatus, followsGap: Bool)
  case event(LibraryEvent)
  /// The library's progress, sent at most ten times per second.
  case progress(LibraryProgress)
}

extension ControlClient {
  /// Returns all events from the call on, until the engine has ended. A slow reader loses the oldest events,
  /// which leaves a gap in `seq`.
  public func eventStream() async -> AsyncStream<LibraryEvent> {
    guard let updates = try? await updates() else { return AsyncStream { $0.finish() } }
    let (stream, continuation) = AsyncStream.makeStream(
      of: LibraryEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    let forwarding = Task.detached {
      for await update in updates {
        if case .event(let event) = update { continuation.yield(event) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in forwarding.cancel() }
    return stream
  }

  /// Returns a snapshot and all later updates. The stream reconnects after an interruption, and ends when the
  /// engine has ended.
  /// - Parameters:
  ///   - progress: Whether to include progress, while transfers run.
  ///   - records: The records whose progress to include besides the totals; nil, or more than 100 records,
  ///     includes all.
  public func updates(
    progress: Bool = false, of records: Set<RecordID>? = nil
  ) async throws(LibraryError) -> AsyncStream<ControlUpdate> {
    var path = "/v1/events" + (progress ? "?progress=1" : "")
    if progress, let records, records.count <= ProgressScope.recordLimit {
      path += "&records=" + records.sorted().map(\.description).joined(separator: ",")
    }
    var follower = Follower(engine: engine)
    let first = try await connector.openStream(path)
    let target = path
    let (stream, continuation) = AsyncStream.makeStream(
      of: ControlUpdate.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    let following = Task.detached { [connector] in
      var next: ClientExchange? = first
      while var exchange = next {
        let shouldReconnect = try? await connector.closing(&exchange) {
          (exchange: inout ClientExchange) async in
          await follower.readStream(&exchange) { continuation.yield($0) }
        }
        exchange.close()
        // Do not reconnect to a server whose stream contained no valid update.
        guard shouldReconnect == true, !Task.isCancelled else { break }
        next = try? await connector.openStream(target, lastEvent: follower.last)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in following.cancel() }
    return stream
  }

  /// The number of updates buffered for a slow reader.
  private static let buffer = 4_096
}

/// Reads the event streams of one library over consecutive connections, and remembers the last event.
private struct Follower: Sendable {
  let engine: String
  /// The id of the last event received, as text (`ENGINE-SEQ`), for reconnecting; nil before the first event.
  private(set) var last: String?

  init(engine: String) { self.engine = engine }

  /// Reads the stream until its connection ends.
  /// - Returns: Whether to reconnect: the stream contained at least one valid update, and the server still
  ///   runs the same engine.
  mutating func readStream(
    _ exchange: inout ClientExchange, _ tell: (ControlUpdate) -> Void
  ) async -> Bool {
    var reader = EventStreamReader()
    var hasReceivedUpdate = false
    while let portion = try? await exchange.portion() {
      guard let events = try? reader.receive(portion) else { return hasReceivedUpdate }
      for event in events {
        if let id = event.id { last = id }
        switch update(event) {
        case .update(let update):
          hasReceivedUpdate = true
          tell(update)
        case .unknown: continue
        case .otherEngine: return false
        }
      }
    }
    return hasReceivedUpdate
  }

  private enum Meaning {
    case update(ControlUpdate)
    /// An event that this client does not know, for example from a newer server.
    case unknown
    case otherEngine
  }

  private func update(_ event: EventStreamReader.Event) -> Meaning {
    do throws(ControlError) {
      switch event.name {
      case "message":
        return .update(.event(try JSONText.decode(EventMessage.self, from: event.data).event()))
      case "progress":
        let message = try JSONText.decode(ProgressMessage.self, from: event.data)
        return .update(.progress(try message.progress()))
      case "snapshot":
        let message = try JSONText.decode(SnapshotMessage.self, from: event.data)
        guard message.engine == engine else { return .otherEngine }
        return .update(.snapshot(try message.status.status(), followsGap: message.followsGap))
      default: return .unknown
      }
    } catch {
      return .unknown
    }
  }
}
