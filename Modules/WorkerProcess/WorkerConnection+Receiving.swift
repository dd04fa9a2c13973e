import CLinux
import Glibc
import SystemCalls

extension WorkerConnection {
  /// As `receive(before:)`; what the helper writes to its standard error meanwhile goes to `tail`.
  func receive(
    before deadline: Deadline, alongside tail: ErrorTail?
  ) throws(WorkerError) -> Frame? {
    var header = [UInt8](repeating: 0, count: Frame.headerSize)
    var descriptors: [OwnedDescriptor] = []
    guard try fill(&header, &descriptors, before: deadline, alongside: tail, mayEnd: true) else {
      return nil
    }
    var reader = FrameReader(header)
    let length = Int(try reader.integer(UInt32.self))
    let kind = try reader.integer(UInt8.self)
    let descriptorCount = Int(try reader.integer(UInt8.self))
    guard length <= limits.maxPayload else {
      throw .malformed("a message of \(length) bytes; the limit is \(limits.maxPayload)")
    }
    guard descriptorCount == descriptors.count, descriptorCount <= limits.maxDescriptors else {
      throw .malformed("\(descriptors.count) open files with a message that should have fewer")
    }
    var payload = [UInt8](repeating: 0, count: length)
    var surplus: [OwnedDescriptor] = []
    _ = try fill(&payload, &surplus, before: deadline, alongside: tail, mayEnd: false)
    guard surplus.isEmpty else { throw .malformed("open files in the middle of a message") }
    return Frame(kind: kind, payload: payload, descriptors: descriptors)
  }

  /// Receives until `buffer` is full.
  /// - Returns: false when the connection ended before the first byte and `mayEnd` allows that.
  private func fill(
    _ buffer: inout [UInt8], _ descriptors: inout [OwnedDescriptor], before deadline: Deadline,
    alongside tail: ErrorTail?, mayEnd: Bool
  ) throws(WorkerError) -> Bool {
    var filled = 0
    while filled < buffer.count {
      var raw: [Int32] = [-1, -1, -1, -1]
      var count: Int32 = 0
      let got = buffer.withUnsafeMutableBytes { all in
        let rest = UnsafeMutableRawBufferPointer(rebasing: all[filled...])
        return imgdl_receive(socket.raw, rest.baseAddress, rest.count, &raw, &count)
      }
      if got > 0 {
        guard count >= 0 else { throw .malformed("too many open files") }
        descriptors += raw.prefix(Int(count)).map { OwnedDescriptor($0) }
        filled += got
      } else if got == 0 {
        if filled == 0 && mayEnd { return false }
        throw .malformed("half a message")
      } else if errno == EAGAIN {
        guard try wait(for: Int16(POLLIN), before: deadline, alongside: tail) else {
          throw WorkerError(.timedOut, "the helper does not answer")
        }
      } else if errno == ECONNRESET {
        throw WorkerError(.died, "the other side of a helper's connection is gone")
      } else if errno != EINTR {
        throw .system(.last("receive from a helper"))
      }
    }
    return true
  }

  /// Whether `receive` would find something, or the end, at once.
  public func hasInput() throws(WorkerError) -> Bool {
    try wait(for: Int16(POLLIN), before: Deadline(nanoseconds: 0))
  }

  /// Waits until the socket is ready or has ended.
  /// - Returns: false when the deadline passed first.
  func wait(
    for events: Int16, before deadline: Deadline, alongside tail: ErrorTail? = nil
  ) throws(WorkerError) -> Bool {
    while true {
      // A negative descriptor is one that poll passes over.
      var entries = [
        pollfd(fd: socket.raw, events: events, revents: 0),
        pollfd(fd: tail?.raw ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&entries, 2, deadline.pollTimeout)
      if ready < 0 {
        if errno == EINTR { continue }
        throw .system(.last("wait for a helper"))
      }
      if entries[1].revents != 0 { tail?.drain() }
      if entries[0].revents != 0 { return true }
      if deadline.hasPassed { return false }
    }
  }
}
