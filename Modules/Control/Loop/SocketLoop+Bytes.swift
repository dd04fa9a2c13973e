import CLinux
import Glibc
import SystemCalls
import Threading

extension SocketLoop {
  enum Received: Sendable, Equatable {
    /// The input has at least one byte.
    case bytes([UInt8])
    /// The peer has closed its side, the connection failed, or the socket is closed.
    case ended
    case timedOut
  }

  /// Waits until input arrives, and returns the bytes available, at most 32 KiB.
  func receive(_ id: SocketID, until deadline: Double? = nil) async -> Received {
    while true {
      if let received = readNow(id) { return received }
      switch await wait(id, for: .input, until: deadline) {
      case .ready, .woken: continue
      case .timedOut: return .timedOut
      case .closed: return .ended
      }
    }
  }

  enum Arrival: Sendable, Equatable {
    case bytes([UInt8])
    /// Another task called `wake`.
    case woken
    case ended
    case timedOut
  }

  /// Waits until input arrives, as `receive` does, or until another task calls `wake`.
  func arrival(_ id: SocketID, until deadline: Double) async -> Arrival {
    while true {
      switch readNow(id) {
      case .bytes(let bytes)?: return .bytes(bytes)
      case nil: break
      default: return .ended
      }
      switch await wait(id, for: .input, until: deadline) {
      case .ready: continue
      case .woken: return .woken
      case .timedOut: return .timedOut
      case .closed: return .ended
      }
    }
  }

  /// Reads the bytes that are available, at most 32 KiB.
  /// - Returns: nil if none is available.
  private func readNow(_ id: SocketID) -> Received? {
    guard let socket = watches[id.token]?.socket else { return .ended }
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 32_768) { buffer, count in
      result = recv(socket.raw, buffer.baseAddress, buffer.count, 0)
      count = max(0, result)
    }
    if result > 0 { return .bytes(bytes) }
    return result < 0 && Self.mayBeRepeated(errno) ? nil : .ended
  }

  enum SendResult: Sendable, Equatable {
    case complete
    /// The peer or the socket is closed.
    case closed
    case timedOut
  }

  /// Sends all bytes, at the speed at which the peer reads them.
  /// - Parameter stallTimeout: The time without progress after which sending is abandoned, in seconds; nil
  ///   means no limit.
  func send(_ id: SocketID, _ bytes: [UInt8], stallTimeout: Double? = nil) async -> SendResult {
    var sent = 0
    var deadline = stallTimeout.map { clock.now() + $0 }
    while sent < bytes.count {
      guard let socket = watches[id.token]?.socket else { return .closed }
      let count = bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
        return Glibc.send(socket.raw, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
        deadline = stallTimeout.map { clock.now() + $0 }
        continue
      }
      guard Self.mayBeRepeated(errno) else { return .closed }
      switch await wait(id, for: .output, until: deadline) {
      case .ready, .woken: continue
      case .timedOut: return .timedOut
      case .closed: return .closed
      }
    }
    return .complete
  }

  /// Sends as many bytes as the kernel accepts at once, on a socket that is not in the loop.
  nonisolated static func sendOnce(_ socket: OwnedDescriptor, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  enum AcceptResult: Sendable {
    /// A non-blocking socket, which the caller has to add to the loop.
    case socket(OwnedDescriptor)
    /// The process or the system has no descriptor or no memory for sockets left.
    case outOfDescriptors
    case closed
  }

  /// Waits for the next connection of a listening socket.
  func accept(_ listener: SocketID) async -> AcceptResult {
    while let socket = watches[listener.token]?.socket {
      let raw = imgdl_accept_nonblocking(socket.raw)
      if raw >= 0 { return .socket(OwnedDescriptor(raw)) }
      let code = errno
      if code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM {
        return .outOfDescriptors
      }
      // The client may have closed this connection already; the queue may hold further connections.
      if code == ECONNABORTED || code == EINTR { continue }
      guard Self.mayBeRepeated(code) else { return .closed }
      if await wait(listener, for: .input) == .closed { return .closed }
    }
    return .closed
  }

  /// Connects to a Unix domain socket.
  /// - Returns: The socket, or nil if the server's accept queue is full and the caller should retry later.
  /// - Throws: `ECONNREFUSED` or `ENOENT` if no process listens there.
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

  /// Sleeps until `time`, or until the task is cancelled.
  func pause(until time: Double) async { try? await clock.sleep(until: time) }

  private static func mayBeRepeated(_ code: Int32) -> Bool {
    code == EAGAIN || code == EWOULDBLOCK || code == EINTR
  }
}
