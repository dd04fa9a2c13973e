import CLinux
import Glibc

/// One accepted connection. Used by its thread; only `abort` comes from elsewhere.
final class Connection: Sendable {
  let descriptor: Descriptor
  /// Counted from 0 in the order of acceptance.
  let index: Int
  /// Raised when the server stops.
  let stop: Signal

  init(_ descriptor: Descriptor, index: Int, stop: Signal) {
    self.descriptor = descriptor
    self.index = index
    self.stop = stop
    var on: Int32 = 1
    setsockopt(
      descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Appends what has arrived, waiting for at least one octet; `false` at the end of the stream.
  func receive(into buffer: inout [UInt8], atMost limit: Int = 16_384) -> Bool {
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: limit))
    let count = buffer.withUnsafeMutableBytes { bytes in
      let free = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return Descriptor.retrying { recv(descriptor.number, free.baseAddress, free.count, 0) }
    }
    buffer.removeLast(limit - max(0, count))
    return count > 0
  }

  /// Sends everything; `false` if the other side has gone.
  func send(_ bytes: some RandomAccessCollection<UInt8>, more: Bool = false) -> Bool {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    let sent = bytes.withContiguousStorageIfAvailable { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = UnsafeBufferPointer(rebasing: buffer[offset...])
        let count = Descriptor.retrying {
          Glibc.send(descriptor.number, rest.baseAddress, rest.count, flags)
        }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
    return sent ?? send(Array(bytes), more: more)
  }

  /// Sends part of a file; how many octets the kernel took, fewer when the other side has gone or
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
  func finish(within milliseconds: Int = 2_000) {
    shutdown(descriptor.number, Int32(SHUT_WR))
    var ignored: [UInt8] = []
    let readable = [(descriptor.number, POLLIN)]
    while !stop.isRaised,
      Signal.poll(readable, milliseconds: Int32(clamping: milliseconds))[0],
      receive(into: &ignored)
    {
      ignored.removeAll(keepingCapacity: true)
    }
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
