import CLinux
import Glibc
import SystemCalls
import Threading

extension SocketLoop {
  enum Received: Sendable, Equatable {
    /// At least one.
    case bytes([UInt8])
    /// The peer sends nothing more, or the socket is closed.
    case ended
    case timedOut
  }

  /// What is there, at most 32 KiB; waits for the first byte.
  func receive(_ id: SocketID, until deadline: Double? = nil) async -> Received {
    while let socket = watches[id.token]?.socket {
      var result = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 32_768) { buffer, count in
        result = recv(socket.raw, buffer.baseAddress, buffer.count, 0)
        count = max(0, result)
      }
      if result > 0 { return .bytes(bytes) }
      guard result < 0, Self.mayBeRepeated(errno) else { return .ended }
      switch await wait(id, for: .input, until: deadline) {
      case .ready, .woken: continue
      case .timedOut: return .timedOut
      case .closed: return .ended
      }
    }
    return .ended
  }

  enum Sent: Sendable, Equatable {
    case whole
    /// Nobody reads it any more.
    case gone
    case timedOut
  }

  /// Sends everything, however slowly it is read.
  /// - Parameter patience: seconds without a byte after which it is abandoned; nil means none.
  func send(_ id: SocketID, _ bytes: [UInt8], patience: Double? = nil) async -> Sent {
    var sent = 0
    var deadline = patience.map { clock.now() + $0 }
    while sent < bytes.count {
      guard let socket = watches[id.token]?.socket else { return .gone }
      let count = bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
        return Glibc.send(socket.raw, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
        deadline = patience.map { clock.now() + $0 }
        continue
      }
      guard Self.mayBeRepeated(errno) else { return .gone }
      switch await wait(id, for: .output, until: deadline) {
      case .ready, .woken: continue
      case .timedOut: return .timedOut
      case .closed: return .gone
      }
    }
    return .whole
  }

  /// Sends what there is room for, to a socket that is not of the loop.
  nonisolated static func sendOnce(_ socket: OwnedDescriptor, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  enum Accepted: Sendable {
    /// Does not block; still to be added.
    case socket(OwnedDescriptor)
    /// The process or the machine has no descriptor left.
    case outOfDescriptors
    case closed
  }

  /// The next connection of a socket that listens.
  func accept(_ listener: SocketID) async -> Accepted {
    while let socket = watches[listener.token]?.socket {
      let raw = imgdl_accept_nonblocking(socket.raw)
      if raw >= 0 { return .socket(OwnedDescriptor(raw)) }
      let code = errno
      if code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM {
        return .outOfDescriptors
      }
      // The connection may have been given up already; the next may be there.
      if code == ECONNABORTED || code == EINTR { continue }
      guard Self.mayBeRepeated(code) else { return .closed }
      if await wait(listener, for: .input) == .closed { return .closed }
    }
    return .closed
  }

  /// Connects to a socket of the Unix domain.
  /// - Returns: nil when its queue is full: try again later.
  /// - Throws: `ECONNREFUSED` and `ENOENT` when nobody listens there.
  func connect(to path: String) throws(SystemError) -> SocketID? {
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let raw = socket(AF_UNIX, type, 0)
    guard raw >= 0 else { throw .last("open a socket") }
    let descriptor = OwnedDescriptor(raw, path: path)
    guard imgdl_unix_connect(raw, path) == 0 else {
      if errno == EAGAIN { return nil }
      throw .last("connect to", path: path)
    }
    return try add(descriptor)
  }

  /// Returns at that time, or at once when the task is cancelled.
  func pause(until time: Double) async { try? await clock.sleep(until: time) }

  private static func mayBeRepeated(_ code: Int32) -> Bool {
    code == EAGAIN || code == EWOULDBLOCK || code == EINTR
  }
}
