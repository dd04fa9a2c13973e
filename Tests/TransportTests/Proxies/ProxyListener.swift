import Glibc
import Models
import Synchronization
import SystemCalls
import Threading

/// The sockets of a proxy on loopback, with a thread for each connection.
final class ProxyListener: Sendable {
  private struct State: Sendable {
    var connections = 0
    var open: [Int32] = []
  }

  private let listener: OwnedDescriptor
  private let state = Mutex(State())
  private let serve: @Sendable (_ listener: ProxyListener, _ raw: Int32) -> Void
  let port: Int

  /// - Parameter serve: serves a connection until it ends. The listener lives until `stop`.
  init(_ serve: @escaping @Sendable (_ listener: ProxyListener, _ raw: Int32) -> Void) throws {
    self.serve = serve
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    listener = OwnedDescriptor(raw)
    var address = Self.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(raw, $0, length) | listen(raw, 64) | getsockname(raw, $0, &length)
      }
    }
    guard result == 0 else { throw SystemError.last("listen") }
    port = Int(UInt16(bigEndian: address.sin_port))
    try BlockingThread("test-proxy") { [self] in accept() }
  }

  /// That clients made.
  var connections: Int { state.withLock { $0.connections } }

  func stop() {
    // Inside the lock: a number that is no longer in the list may be another socket's.
    state.withLock { state in
      for raw in state.open { shutdown(raw, Int32(SHUT_RDWR)) }
    }
    shutdown(listener.raw, Int32(SHUT_RDWR))
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    return address
  }

  private func accept() {
    while true {
      let raw = Glibc.accept(listener.raw, nil, nil)
      guard raw >= 0 else { return }
      state.withLock { state in
        state.open.append(raw)
        state.connections += 1
      }
      _ = try? BlockingThread("test-proxy") { [self] in
        serve(self, raw)
        state.withLock { $0.open.removeAll { $0 == raw } }
        close(raw)
      }
    }
  }

  /// Connects to a port of 127.0.0.1, sends `answer` to the client, and passes bytes in both directions
  /// until one side ends. Does nothing if no server listens there.
  func relay(_ raw: Int32, toPort port: Int, answer: [UInt8]) {
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(other) }
    var address = Self.loopback(port: port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return }
    _ = send(raw, answer, answer.count, Int32(MSG_NOSIGNAL))
    state.withLock { $0.open.append(other) }
    relay(raw, other)
    state.withLock { $0.open.removeAll { $0 == other } }
  }

  private func relay(_ a: Int32, _ b: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var polled = [a, b].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, 2, -1) > 0 else { return }
      for (event, target) in zip(polled, [b, a]) where event.revents != 0 {
        let count = recv(event.fd, &buffer, buffer.count, 0)
        guard count > 0, send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else {
          return
        }
      }
    }
  }
}
