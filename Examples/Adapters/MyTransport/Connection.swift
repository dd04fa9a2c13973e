import Glibc
import Models
import Transport

/// A descriptor that can be waited for, and that becomes readable when the transfer is stopped.
///
/// It closes with its last reference, so that `give` never writes to another file of the same number.
final class StopSignal: Sendable {
  /// The reading end of a pipe, for poll(2).
  let descriptor: Int32
  private let writingEnd: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (descriptor, writingEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe has already been written to, and the caller that stops the transfer must not block.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  func give() { _ = write(writingEnd, "x", 1) }
}

/// One TCP connection. Every wait ends at a deadline, or when the transfer is stopped.
final class Connection {
  let clock: TransferClock
  /// The address of the server; nil if it is unknown.
  let address: IPAddress?
  private let url: HTTPURL
  private let stop: StopSignal
  private let socket: Int32
  private static let blockSize = 64 << 10

  /// Resolves the name and connects to the first address that takes the connection.
  init(
    _ url: HTTPURL, _ addresses: AddressPolicy, _ clock: TransferClock, _ stop: StopSignal
  ) throws(TransportError) {
    (self.url, self.clock, self.stop) = (url, clock, stop)
    let targets = try Resolver.addresses(of: url)
    let allowed = targets.filter { addresses.allows($0.address) }
    guard !allowed.isEmpty else {
      throw TransportError(
        .addressRefused, url: url, detail: "\(url.host) is at an address that is not allowed")
    }
    let deadline = clock.deadline(after: clock.limits.connectTimeout)
    var failure = TransportError(.connectionLost, url: url, detail: "")
    for target in allowed {
      do throws(TransportError) {
        socket = try Self.connect(target, url, clock, stop, before: deadline)
        address = target.address
        return
      } catch {
        guard error.code == .connectionRefused || error.code == .connectionLost else { throw error }
        failure = error
      }
    }
    throw failure
  }

  deinit { close(socket) }

  func send(_ bytes: [UInt8]) throws(TransportError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try wait(POLLOUT, bytesDelivered: 0)
      } else if errno != EINTR {
        throw lost(0)
      }
    }
  }

  /// Waits for the next bytes and appends them.
  /// - Returns: false at the end of the connection.
  func receive(into input: inout [UInt8], bytesDelivered: Int64) throws(TransportError) -> Bool {
    while true {
      try wait(POLLIN, bytesDelivered: bytesDelivered)
      var count = 0
      let block = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, filled in
        count = recv(socket, buffer.baseAddress, buffer.count, 0)
        filled = max(0, count)
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count >= 0 else { throw lost(bytesDelivered) }
      input += block
      clock.received(count)
      return count > 0
    }
  }

  func checkStopped(bytesDelivered: Int64) throws(TransportError) {
    var entry = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, 0) > 0 { throw Self.cancelled(url, bytesDelivered) }
  }

  private func wait(_ event: Int32, bytesDelivered: Int64) throws(TransportError) {
    let idle = clock.deadline(after: clock.limits.idleTimeout)
    while true {
      let deadline = min(idle, clock.totalDeadline, clock.speedDeadline)
      let isReady = try Self.wait(
        socket, event, stop, milliseconds: clock.milliseconds(until: deadline), url, bytesDelivered)
      if clock.totalDeadline <= clock.now {
        throw TransportError(
          .totalTimeout, url: url,
          detail: "\(url.origin) took longer than network.totalTimeout allows",
          bytesDelivered: bytesDelivered)
      }
      if clock.isTooSlow {
        throw TransportError(
          .lowSpeed, url: url, detail: SpeedWatch.reason(url, clock.limits),
          bytesDelivered: bytesDelivered)
      }
      if isReady { return }
      if idle <= clock.now {
        throw TransportError(
          .idleTimeout, url: url,
          detail: "\(url.origin) was silent for \(clock.limits.idleTimeout) s",
          bytesDelivered: bytesDelivered)
      }
    }
  }

  private func lost(_ bytesDelivered: Int64) -> TransportError {
    TransportError(
      .connectionLost, url: url,
      detail: "the connection to \(url.origin) was lost (\(String(cString: strerror(errno))))",
      bytesDelivered: bytesDelivered)
  }

  // MARK: Before there is a connection

  private static func connect(
    _ target: Resolver.Target, _ url: HTTPURL, _ clock: TransferClock, _ stop: StopSignal,
    before deadline: UInt64
  ) throws(TransportError) -> Int32 {
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(target.family, type, 0)
    guard socket >= 0 else {
      throw TransportError(.system, url: url, detail: "there are no sockets left for \(url.origin)")
    }
    do throws(TransportError) {
      let code = target.bytes.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) {
          Glibc.connect(socket, $0.baseAddress, socklen_t(bytes.count)) == 0 ? 0 : errno
        }
      }
      guard code == 0 || code == EINPROGRESS else { throw refused(url, code) }
      let limit = min(deadline, clock.totalDeadline)
      guard try wait(socket, POLLOUT, stop, milliseconds: clock.milliseconds(until: limit), url, 0)
      else {
        throw TransportError(
          .connectTimeout, url: url,
          detail: "\(url.origin) did not answer within \(clock.limits.connectTimeout) s")
      }
      var (problem, length) = (Int32(0), socklen_t(4))
      getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &length)
      guard problem == 0 else { throw refused(url, problem) }
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  private static func refused(_ url: HTTPURL, _ code: Int32) -> TransportError {
    TransportError(
      code == ECONNREFUSED ? .connectionRefused : .connectionLost, url: url,
      detail: "cannot connect to \(url.origin) (\(String(cString: strerror(code))))")
  }

  private static func cancelled(_ url: HTTPURL, _ bytesDelivered: Int64) -> TransportError {
    TransportError(.cancelled, url: url, detail: "", bytesDelivered: bytesDelivered)
  }

  /// - Returns: false if the deadline has passed first.
  private static func wait(
    _ socket: Int32, _ event: Int32, _ stop: StopSignal, milliseconds: Int32, _ url: HTTPURL,
    _ bytesDelivered: Int64
  ) throws(TransportError) -> Bool {
    var entries = [
      pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(event), revents: 0),
    ]
    poll(&entries, 2, milliseconds)
    if entries[0].revents != 0 { throw cancelled(url, bytesDelivered) }
    return entries[1].revents != 0
  }
}
