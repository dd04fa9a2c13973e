import CLinux
import Dispatch
import Glibc
import Synchronization

/// Listens on loopback addresses and gives each connection a thread of its own.
final class Listener: Sendable {
  let port: Int
  private let core: Core

  /// What the threads hold: not the listener, so that giving it up stops them.
  fileprivate final class Core: Sendable {
    struct State {
      var connections: [Int: Connection] = [:]
      var accepted = 0
      var isStopped = false
    }

    let stop: Signal
    let sockets: [Descriptor]
    let threads = DispatchGroup()
    let state = Mutex(State())
    let serve: @Sendable (Connection) -> Void

    init(
      stop: Signal, sockets: [Descriptor], serve: @escaping @Sendable (Connection) -> Void
    ) {
      self.stop = stop
      self.sockets = sockets
      self.serve = serve
    }
  }

  /// - Parameters:
  ///   - addresses: loopback addresses; all listen on the same port.
  ///   - port: 0 lets the system choose.
  ///   - serve: runs on the connection's thread; the connection is closed when it returns.
  init(
    addresses: [String], port: Int, serve: @escaping @Sendable (Connection) -> Void
  ) throws(OriginError) {
    guard let wanted = UInt16(exactly: port) else {
      throw OriginError(.address, "port \(port) is not between 0 and 65535")
    }
    var sockets: [Descriptor] = []
    var chosen = wanted
    for address in addresses {
      let socket = try LoopbackAddress(address, port: chosen).listen()
      if chosen == 0 { chosen = LoopbackAddress.port(of: socket) }
      sockets.append(socket)
    }
    guard !sockets.isEmpty else { throw OriginError(.address, "no address to listen on") }
    self.port = Int(chosen)
    core = Core(stop: try Signal(), sockets: sockets, serve: serve)
    core.threads.enter()
    let started = Thread.start { [core] in
      core.acceptConnections()
      core.threads.leave()
    }
    guard started else {
      core.threads.leave()
      throw OriginError(.resources, "no thread for the server")
    }
  }

  deinit { stop() }

  /// Connections accepted so far.
  var accepted: Int { core.state.withLock { $0.accepted } }

  /// Ends all connections and waits for their threads. Blocks for the time that takes, which is
  /// short: every wait of theirs ends with the signal.
  func stop() {
    core.stop.raise()
    let connections = core.state.withLock { state in
      state.isStopped = true
      return Array(state.connections.values)
    }
    // Ends the listening too: what still waits to be accepted is reset, new connections are refused.
    for socket in core.sockets { shutdown(socket.number, Int32(SHUT_RDWR)) }
    for connection in connections { connection.abort() }
    core.threads.wait()
  }
}

extension Listener.Core {
  func acceptConnections() {
    let interests = sockets.map { ($0.number, POLLIN) }
    while !stop.isRaised {
      let stopOrSockets = stop.poll(with: interests)
      for (socket, isReady) in zip(sockets, stopOrSockets) where isReady {
        let number = imgdl_accept_cloexec(socket.number)
        if number >= 0 {
          start(Descriptor(number))
        } else if errno == EMFILE || errno == ENFILE {
          // The waiting connection stays ready: look again when another may have ended.
          _ = stop.wait(milliseconds: 10)
        }
      }
    }
  }

  private func start(_ descriptor: Descriptor) {
    let connection: Connection? = state.withLock { state in
      guard !state.isStopped else { return nil }
      let connection = Connection(descriptor, index: state.accepted, stop: stop)
      state.accepted += 1
      state.connections[connection.index] = connection
      return connection
    }
    guard let connection else { return }
    threads.enter()
    let started = Thread.start { [self] in
      serve(connection)
      forget(connection)
      threads.leave()
    }
    if !started {
      forget(connection)
      threads.leave()
    }
  }

  private func forget(_ connection: Connection) {
    state.withLock { state in
      state.connections[connection.index] = nil
    }
  }
}
