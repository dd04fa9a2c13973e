import Glibc
import Models
import Synchronization
import SystemCalls
import Threading

@testable import TransportSocket

/// A proxy on loopback: relays what CONNECT asks for to 127.0.0.1, and answers other requests itself.
final class TestProxy: Sendable {
  enum Answer: Sendable {
    /// 200, and the way to the port that was named.
    case tunnel
    /// These bytes, and the end of the connection.
    case bytes(String)
    /// The end of the connection.
    case nothing
    /// Nothing at all, until the client goes.
    case silence
  }

  private struct State: Sendable {
    var heads: [String] = []
    var connections = 0
    var open: [Int32] = []
  }

  private let listener: OwnedDescriptor
  private let state = Mutex(State())
  private let script: @Sendable (_ head: String) -> Answer
  let port: Int

  init(_ script: @escaping @Sendable (_ head: String) -> Answer) throws {
    self.script = script
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

  /// What clients sent, up to the empty line.
  var heads: [String] { state.withLock { $0.heads } }

  /// That clients made.
  var connections: Int { state.withLock { $0.connections } }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The proxy lives until this is called.
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
        serve(raw)
        state.withLock { $0.open.removeAll { $0 == raw } }
        close(raw)
      }
    }
  }

  private func serve(_ raw: Int32) {
    while let head = readHead(raw) {
      state.withLock { $0.heads.append(head) }
      switch script(head) {
      case .tunnel: return tunnel(raw, head)
      case .bytes(let text):
        let bytes = Array(text.utf8)
        _ = send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if !head.hasPrefix("GET ") { return }
      case .nothing: return
      case .silence:
        var byte: UInt8 = 0
        _ = recv(raw, &byte, 1, 0)
        return
      }
    }
  }

  private func readHead(_ raw: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard recv(raw, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func tunnel(_ raw: Int32, _ head: String) {
    let target = head.split(separator: " ").dropFirst().first ?? ""
    let port = target.split(separator: ":").last.flatMap { Int($0) } ?? 0
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(other) }
    var address = Self.loopback(port: port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let answer = result == 0 ? "HTTP/1.1 200 Connected\r\nContent-Length: 7\r\n\r\n" : ""
    _ = send(raw, Array(answer.utf8), answer.utf8.count, Int32(MSG_NOSIGNAL))
    guard result == 0 else { return }
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
