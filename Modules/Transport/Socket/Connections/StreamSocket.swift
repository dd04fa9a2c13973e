import CLinux
import Glibc
import SystemCalls
import Transport

/// The result of reading from or writing to a socket, encrypted or not.
enum StreamResult: Equatable {
  case bytes(Int)
  /// `forOutput`: it is room to write that is missing.
  case wouldBlock(forOutput: Bool)
  /// The peer has ended its side; `isClean` is false for TLS without close_notify.
  case ended(isClean: Bool)
  /// The connection is broken, for this reason in words.
  case failed(String)
}

/// Calls on a non-blocking TCP socket, without the words around them.
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
    // A request is one small segment: it must not wait for an acknowledgement.
    setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  static func connect(_ descriptor: Int32, to address: SocketAddress) -> ConnectResult {
    let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
    if result == 0 { return .connected }
    // Interrupted means that it continues in the background.
    return errno == EINPROGRESS || errno == EINTR ? .inProgress : .failed(errno: errno)
  }

  /// The result of a connect in the background; 0 is success.
  static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code
  }

  /// The error code of a transfer whose connect failed with an `errno`.
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

  /// Whether something is there to be read, without taking it.
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

  /// The kernel's words for what the call made last on this thread met.
  static func lastReason() -> String { reason(errno) }

  /// The kernel's words for an error number.
  static func reason(_ code: Int32) -> String {
    SystemError(errno: code, call: "").reason
  }
}
