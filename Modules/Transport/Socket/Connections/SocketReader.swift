import SystemCalls

/// Reads the sockets of one event loop into one shared buffer, within the rate limit. Confined to
/// that loop.
///
/// A socket for which the rate limit leaves no bytes is not watched until bytes are available; such
/// sockets are served in the order in which they began to wait.
final class SocketReader {
  /// The maximum number of consecutive reads of one connection, before other connections are read.
  static let maximumConsecutiveReads = 16
  /// The maximum time in nanoseconds for which sockets wait for bytes, because the rate limit may be
  /// raised or lifted meanwhile.
  static let maximumPause: UInt64 = 1_000_000_000

  /// The buffer into which all sockets are read, because no socket keeps bytes in it between two
  /// reads.
  private let buffer: UnsafeMutableRawBufferPointer
  private let limiter: RateLimiter
  /// The sockets that wait for the rate limit.
  private var paused: [ConnectedSocket] = []
  private var nextReadTime = Moment.never
  /// The tokens of sockets whose TLS holds decrypted input, which the poller does not report.
  private var unread: [UInt64] = []

  /// - Parameter sectionBytes: The maximum size of a header or trailer section. The buffer holds an
  ///   incomplete section of that size and further bytes.
  init(sectionBytes: Int, limiter: RateLimiter) {
    let size = max(1 << 20, sectionBytes &+ 65_536)
    buffer = .allocate(byteCount: size, alignment: 64)
    self.limiter = limiter
  }

  deinit { buffer.deallocate() }

  /// Copies `kept`, the unprocessed input of the previous read, to the beginning of the buffer, and
  /// reads the socket after it.
  /// - Parameter own: The rate limit of the only transfer that uses the socket; nil if it has none.
  /// - Returns: The result; nil if the socket must wait for a rate limit.
  func read(
    _ socket: ConnectedSocket, after kept: [UInt8] = [], own: RateLimiter? = nil
  ) -> StreamResult? {
    guard limiter.hasLimit || own != nil, !socket.hasHungUp else {
      return readUnlimited(socket, after: kept)
    }
    if socket.isPaused { return nil }
    let granted = acquire(own)
    guard granted > 0 else {
      let now = Machine.monotonicNanoseconds
      nextReadTime = min(nextReadTime, now &+ Self.maximumPause)
      socket.pause(at: now)
      paused.append(socket)
      return nil
    }
    if !kept.isEmpty { buffer.copyBytes(from: kept) }
    let end = min(buffer.count, kept.count + granted)
    let result = socket.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept.count..<end]))
    var unread = granted
    if case .bytes(let count) = result { unread -= count }
    limiter.release(unread)
    own?.release(unread)
    return result
  }

  /// Acquires bytes of both limits. If one of them has none, its next time is when the sockets that
  /// wait are tried again.
  private func acquire(_ own: RateLimiter?) -> Int {
    let shared = limiter.acquire()
    guard shared > 0 else {
      nextReadTime = min(nextReadTime, limiter.nextTime)
      return 0
    }
    guard let own else { return shared }
    let single = own.acquire()
    let granted = min(shared, single)
    limiter.release(shared - granted)
    own.release(single - granted)
    if granted == 0 { nextReadTime = min(nextReadTime, own.nextTime) }
    return granted
  }

  /// Reads like `read` without the rate limit, for the responses of proxies.
  func readUnlimited(_ socket: ConnectedSocket, after kept: [UInt8]) -> StreamResult {
    if !kept.isEmpty { buffer.copyBytes(from: kept) }
    return socket.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept.count...]))
  }

  /// Returns a part of the buffer, valid until the next read.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[range])
  }

  /// Returns whether an idle socket can serve another request. Overwrites the buffer.
  func isReusable(_ socket: ConnectedSocket) -> Bool { socket.isReusable(buffer) }

  // MARK: - Waiting sockets

  /// Schedules another read of a socket that may have input which the poller does not report.
  func readLater(_ socket: ConnectedSocket) { unread.append(socket.token) }

  var hasUnread: Bool { !unread.isEmpty }

  /// - Returns: The tokens passed to `readLater` since the last call.
  func drainUnread() -> [UInt64] {
    guard !unread.isEmpty else { return [] }
    defer { unread = [] }
    return unread
  }

  /// The time at which `drainPaused` returns sockets again; `Moment.never` while no socket waits.
  var nextTime: UInt64 { nextReadTime }

  /// - Returns: The sockets that waited for the rate limit; none before bytes are available.
  func drainPaused(_ now: UInt64) -> [ConnectedSocket] {
    guard nextReadTime <= now else { return [] }
    nextReadTime = Moment.never
    defer { paused = [] }
    return paused
  }
}
