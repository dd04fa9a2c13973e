import SystemCalls

/// The open connections of a server, with the tasks that serve them and handle their requests.
///
/// Not `Sendable`: the acceptor and the connections, which all run on the acceptor's actor, share it.
final class OpenConnections {
  typealias Table = ConnectionTable<SocketLoop.SocketID, PeerCredentials?>

  private struct Connection {
    let listener: ListenerKind
    let task: Task<Void, Never>
  }

  private var connections: [SocketLoop.SocketID: Connection] = [:]
  /// The connections that count against the limits, with their peers and phases.
  private var table: Table
  private var handlers: [SocketLoop.SocketID: Task<ControlReply, Never>] = [:]
  /// Whether the server stops: connections serve no further request, and handlers are cancelled.
  private(set) var isStopping = false

  /// - Parameters:
  ///   - limit: The maximum number of connections.
  ///   - peerLimit: The maximum number of connections of one process.
  init(limit: Int, peerLimit: Int) {
    table = Table(limit: limit, peerLimit: peerLimit)
  }

  // MARK: Limits

  /// Makes room for a connection, as `ConnectionTable.makeRoom` does.
  func makeRoom(for peer: PeerCredentials?) -> Table.Admission { table.makeRoom(for: peer) }

  /// Removes the connection whose closing does the least harm from those that count against the limits.
  /// - Returns: The connection, which the caller closes; nil if all are serving requests.
  func removeClosable() -> Table.Closing? {
    guard let closing = table.closable() else { return nil }
    table.remove(closing.id)
    return closing
  }

  /// Records the phase of a connection's request.
  func setPhase(_ phase: Table.Phase, of id: SocketLoop.SocketID) {
    table.setPhase(phase, of: id)
  }

  // MARK: Connections

  /// Adds a connection.
  /// - Parameter task: The task that serves the connection, and removes it at the end.
  func add(
    _ id: SocketLoop.SocketID, of peer: PeerCredentials?, from listener: ListenerKind,
    servedBy task: Task<Void, Never>
  ) {
    table.add(id, of: peer)
    connections[id] = Connection(listener: listener, task: task)
  }

  func remove(_ id: SocketLoop.SocketID) {
    connections[id] = nil
    table.remove(id)
  }

  /// The connections that were made through a kind of listener.
  func ids(from listener: ListenerKind) -> [SocketLoop.SocketID] {
    connections.filter { $0.value.listener == listener }.map(\.key)
  }

  // MARK: Handlers

  /// Registers the task that handles the current request of a connection; nil at its end.
  func setHandler(_ handler: Task<ControlReply, Never>?, of id: SocketLoop.SocketID) {
    handlers[id] = handler
    if isStopping { handler?.cancel() }
  }

  /// Cancels the handler of a connection's request, if there is one.
  func cancelHandler(of id: SocketLoop.SocketID) { handlers[id]?.cancel() }

  // MARK: Stopping

  func beginStopping() { isStopping = true }

  func cancelHandlers() { for handler in handlers.values { handler.cancel() } }

  /// Returns once no connection is served any more.
  func waitForEnd() async { for connection in connections.values { await connection.task.value } }
}
