import SystemCalls

/// Reads the sockets of one loop, no faster than the rate limit, all into one buffer. Confined to its
/// loop.
///
/// A socket that finds nothing left of the rate is not watched until there is something; such sockets
/// have their turns in the order in which they came to wait.
final class SocketReader {
  /// Reads of one connection in a row, before the others have their turn.
  static let readsInARow = 16

  /// One buffer for all sockets, because none of them keeps bytes in it.
  private let buffer: UnsafeMutableRawBufferPointer
  private let limiter: RateLimiter?
  /// Sockets that wait for the rate limit, and until when.
  private var paused: [ConnectedSocket] = []
  private var pausedUntil = Moment.never
  /// Tokens of sockets with input that the poller cannot see, inside of TLS.
  private var unread: [UInt64] = []

  /// - Parameter sectionBytes: a header or trailer section so long that does not fit yet has to, with
  ///   room to read more.
  init(sectionBytes: Int, limiter: RateLimiter?) {
    let size = max(1 << 20, sectionBytes &+ 65_536)
    buffer = .allocate(byteCount: size, alignment: 64)
    self.limiter = limiter
  }

  deinit { buffer.deallocate() }

  /// Reads behind `kept`, which is copied to the beginning of the buffer.
  /// - Returns: nil if the socket has to wait for the rate limit.
  func read(_ socket: ConnectedSocket, after kept: [UInt8] = []) -> StreamResult? {
    guard let limiter, !socket.hasHungUp else { return readUnlimited(socket, after: kept) }
    if socket.isPaused { return nil }
    let granted = limiter.acquire()
    guard granted > 0 else {
      socket.pause(at: Machine.monotonicNanoseconds)
      paused.append(socket)
      pausedUntil = limiter.nextTime
      return nil
    }
    if !kept.isEmpty { buffer.copyBytes(from: kept) }
    let end = min(buffer.count, kept.count + granted)
    let result = socket.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept.count..<end]))
    if case .bytes(let count) = result {
      limiter.release(granted - count)
    } else {
      limiter.release(granted)
    }
    return result
  }

  /// Reads as `read` does, without the rate limit: for answers of proxies.
  func readUnlimited(_ socket: ConnectedSocket, after kept: [UInt8]) -> StreamResult {
    if !kept.isEmpty { buffer.copyBytes(from: kept) }
    return socket.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept.count...]))
  }

  /// A part of the buffer, valid until the next read.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[range])
  }

  /// Whether an idle socket can serve another request. Changes the buffer.
  func isStillGood(_ socket: ConnectedSocket) -> Bool { socket.isStillGood(buffer) }

  // MARK: - Those that wait

  /// The socket may have more input now, although the poller would not report it.
  func readLater(_ socket: ConnectedSocket) { unread.append(socket.token) }

  var hasUnread: Bool { !unread.isEmpty }

  /// - Returns: the tokens that were given to `readLater`.
  func drainUnread() -> [UInt64] {
    guard !unread.isEmpty else { return [] }
    defer { unread = [] }
    return unread
  }

  /// When `drainPaused` will have something; `Moment.never` while no socket waits.
  var nextTime: UInt64 { pausedUntil }

  /// - Returns: the sockets that wait for the rate limit, if their time has come.
  func drainPaused(_ now: UInt64) -> [ConnectedSocket] {
    guard pausedUntil <= now else { return [] }
    pausedUntil = Moment.never
    defer { paused = [] }
    return paused
  }
}
