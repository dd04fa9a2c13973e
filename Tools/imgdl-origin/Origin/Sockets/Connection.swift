import CLinux
import Glibc
import Synchronization

/// One accepted connection. Used by its thread; only `abort` comes from elsewhere.
final class Connection: Sendable {
  let descriptor: Descriptor
  /// Counted from 0 in the order of acceptance.
  let index: Int
  /// Raised when the server stops.
  let stop: Signal
  /// Set once, before the first byte.
  private let secured = Mutex<(any SecureStream)?>(nil)

  init(_ descriptor: Descriptor, index: Int, stop: Signal) {
    self.descriptor = descriptor
    self.index = index
    self.stop = stop
    var on: Int32 = 1
    setsockopt(
      descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Encrypts everything that follows; `false` if the two sides could not agree on how.
  func secure(with security: any ConnectionSecurity) -> Bool {
    guard let stream = security.secure(descriptor.number) else { return false }
    secured.withLock { $0 = stream }
    return true
  }

  private var stream: (any SecureStream)? { secured.withLock { $0 } }

  /// Appends what has arrived, waiting for at least one byte; `false` at the end of the stream.
  func receive(into buffer: inout [UInt8], atMost limit: Int = 16_384) -> Bool {
    let stream = stream
    // Bytes that are never written are appended one by one in builds without optimization.
    return withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { room in
      let count = stream?.receive(into: room) ?? receive(into: room)
      guard count > 0 else { return false }
      buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<count]))
      return true
    }
  }

  /// What is on the wire, encrypted or not.
  private func receive(into free: UnsafeMutableRawBufferPointer) -> Int {
    Descriptor.retrying { recv(descriptor.number, free.baseAddress, free.count, 0) }
  }

  /// Sends everything; `false` if the other side has gone.
  /// - Parameter isEncrypted: as far as the connection is.
  func send(
    _ bytes: some RandomAccessCollection<UInt8>, more: Bool = false, isEncrypted: Bool = true
  ) -> Bool {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    let stream = isEncrypted ? stream : nil
    let sent = bytes.withContiguousStorageIfAvailable { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = UnsafeBufferPointer(rebasing: buffer[offset...])
        let count =
          stream?.send(UnsafeRawBufferPointer(rest))
          ?? Descriptor.retrying {
            Glibc.send(descriptor.number, rest.baseAddress, rest.count, flags)
          }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
    return sent ?? send(Array(bytes), more: more, isEncrypted: isEncrypted)
  }

  /// Sends part of a file; how many bytes the kernel took, fewer when the other side has gone or
  /// the file has become shorter.
  func send(_ file: Descriptor, offset: Int64, length: Int64) -> Int64 {
    var position = off_t(offset)
    let end = off_t(offset + length)
    while position < end {
      let size = Int(min(Int64(end) - Int64(position), 1 << 20))
      let count = Descriptor.retrying {
        imgdl_sendfile(descriptor.number, file.number, &position, size)
      }
      guard count > 0 else { break }
    }
    return Int64(position) - offset
  }

  /// Ends the stream with FIN and waits until the other side has done so too: closing with unread
  /// input would reset the connection and lose what is on its way.
  /// - Parameter isClean: an encrypted stream is told its end before.
  func finish(within milliseconds: Int = 2_000, isClean: Bool = true) {
    if isClean { stream?.end() }
    shutdown(descriptor.number, Int32(SHUT_WR))
    var ignored = [UInt8](repeating: 0, count: 16_384)
    let readable = [(descriptor.number, POLLIN)]
    while !stop.isRaised,
      Signal.poll(readable, milliseconds: Int32(clamping: milliseconds))[0],
      ignored.withUnsafeMutableBytes({ receive(into: $0) }) > 0
    {}
  }

  /// Makes the close that follows send RST.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Wakes the connection's thread out of any call; from another thread.
  func abort() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}
