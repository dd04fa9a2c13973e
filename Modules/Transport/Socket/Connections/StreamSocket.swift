import CLinux
import Glibc
import SystemCalls
import Transport

/// The result of reading from or writing to a socket, encrypted or not.
enum StreamResult: Equatable {
  case bytes(Int)
  /// The operation would block; with `forOutput` it waits until the socket is writable, otherwise
  /// until it is readable.
  case wouldBlock(forOutput: Bool)
  /// The peer has ended its side; `isClean` is false for TLS without close_notify.
  case ended(isClean: Bool)
  /// The connection failed; the reason is a text for messages.
  case failed(String)
}

/// The calls on a non-blocking TCP socket.
enum StreamSocket {
  enum ConnectResult {
    case connected, inProgress
    case failed(errno: Int32)
  }

  static func open(_ address: SocketAddress) throws(SystemError) -> OwnedDescriptor {
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let raw = socket(address.familyCode, type, 0)
    guard raw >= 0 else { throw .last("open a socket") }
    let descriptor = OwnedDescriptor(raw)
    var on: Int32 = 1
    // A request is one small segment, which must not wait for an acknowledgement (Nagle's
    // algorithm).
    setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  static func connect(_ descriptor: Int32, to address: SocketAddress) -> ConnectResult {
    let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
    if result == 0 { return .connected }
    // An interrupted connect continues in the background.
    return errno == EINPROGRESS || errno == EINTR ? .inProgress : .failed(errno: errno)
  }

  /// Returns the `errno` with which a connect in the background has ended; 0 means success.
  static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code
  }

  /// Returns the error code for a connect that failed with an `errno`.
  static func connectCode(_ code: Int32) -> TransportError.Code {
    switch code {
    case ECONNREFUSED: .connectionRefused
    case ETIMEDOUT: .connectTimeout
    case ENOMEM, ENOBUFS, EADDRNOTAVAIL, EAGAIN: .system
    default: .connectionLost
    }
  }

  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer)
    -> StreamResult
  {
    result(ofReading: recv(descriptor, buffer.baseAddress, buffer.count, 0))
  }

  /// Returns the result of reading one byte, without removing it from the input.
  static func peek(_ descriptor: Int32) -> StreamResult {
    var byte: UInt8 = 0
    return result(
      ofReading: recv(
        descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)))
  }

  static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> StreamResult {
    let count = Glibc.send(
      descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    if count >= 0 { return .bytes(count) }
    return isTemporary(errno) ? .wouldBlock(forOutput: true) : .failed(reason(errno))
  }

  private static func result(ofReading count: Int) -> StreamResult {
    if count > 0 { return .bytes(count) }
    if count == 0 { return .ended(isClean: true) }
    return isTemporary(errno) ? .wouldBlock(forOutput: false) : .failed(reason(errno))
  }

  private static func isTemporary(_ code: Int32) -> Bool {
    code == EAGAIN || code == EWOULDBLOCK || code == EINTR
  }

  /// Returns the kernel's text for the `errno` of the last call on this thread.
  static func lastReason() -> String { reason(errno) }

  /// Returns the kernel's text for an error number.
  static func reason(_ code: Int32) -> String {
    SystemError(errno: code, call: "").reason
  }
}
