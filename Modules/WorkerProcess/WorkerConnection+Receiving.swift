import CLinux
import Glibc
import SystemCalls

extension WorkerConnection {
  /// As `receive(before:)`; what the helper writes to its standard error meanwhile goes to `tail`.
  func receive(
    before deadline: Deadline, alongside tail: ErrorTail?
  ) throws(WorkerError) -> Frame? {
    let waiting = Waiting(deadline: deadline, tail: tail)
    var descriptors: [OwnedDescriptor] = []
    guard
      let header = try receiveHeader(atMost: Frame.headerSize, &descriptors, waiting)
    else { return nil }
    return try receiveRest(of: FrameReader(header), descriptors, waiting)
  }

  /// Receives the only frame that may come: header and payload in one call, and what follows them is
  /// an error.
  func receiveAnswer(
    before deadline: Deadline, alongside tail: ErrorTail?
  ) throws(WorkerError) -> Frame? {
    // It cannot be there yet.
    guard try wait(for: Int16(POLLIN), before: deadline, alongside: tail) else {
      throw Self.lateness
    }
    let waiting = Waiting(deadline: deadline, tail: tail)
    var descriptors: [OwnedDescriptor] = []
    let most = Frame.headerSize + min(limits.maxPayload, Self.usualAnswer)
    guard let start = try receiveHeader(atMost: most, &descriptors, waiting) else { return nil }
    return try receiveRest(of: FrameReader(start), descriptors, waiting)
  }

  /// Bytes: larger ones take a second call.
  private static let usualAnswer = 64 << 10

  private static let lateness = WorkerError(.timedOut, "the helper does not answer")

  private struct Waiting {
    let deadline: Deadline
    let tail: ErrorTail?

    var isEndless: Bool { deadline == .never && tail == nil }
  }

  /// Receives a header, and of what follows it so much that all of it are `most` bytes.
  /// - Returns: nil when the connection ended before the first byte.
  private func receiveHeader(
    atMost most: Int, _ descriptors: inout [OwnedDescriptor], _ waiting: Waiting
  ) throws(WorkerError) -> [UInt8]? {
    var bytes = try receivePart(atMost: most, &descriptors, waiting)
    guard !bytes.isEmpty else { return nil }
    while bytes.count < Frame.headerSize {
      let part = try receivePart(atMost: most - bytes.count, &descriptors, waiting)
      guard !part.isEmpty else { throw .malformed("half a message") }
      bytes += part
    }
    return bytes
  }

  /// - Parameter start: the header, and as much of the payload as has come with it.
  private func receiveRest(
    of start: FrameReader, _ descriptors: [OwnedDescriptor], _ waiting: Waiting
  ) throws(WorkerError) -> Frame {
    var start = start
    let length = Int(try start.integer(UInt32.self))
    let kind = try start.integer(UInt8.self)
    let descriptorCount = Int(try start.integer(UInt8.self))
    guard length <= limits.maxPayload else {
      throw .malformed("a message of \(length) bytes; the limit is \(limits.maxPayload)")
    }
    guard descriptorCount == descriptors.count, descriptorCount <= limits.maxDescriptors else {
      throw .malformed("\(descriptors.count) open files with a message that should have fewer")
    }
    guard start.remainingCount <= length else { throw .malformed("more than an answer") }
    var payload = start.rest
    var surplus: [OwnedDescriptor] = []
    while payload.count < length {
      let part = try receivePart(atMost: length - payload.count, &surplus, waiting)
      guard !part.isEmpty else { throw .malformed("half a message") }
      guard surplus.isEmpty else { throw .malformed("open files in the middle of a message") }
      if payload.isEmpty { payload = part } else { payload += part }
    }
    return Frame(kind: kind, payload: payload, descriptors: descriptors)
  }

  /// Receives what is there, waiting for it.
  /// - Returns: nothing when the connection has ended.
  private func receivePart(
    atMost most: Int, _ descriptors: inout [OwnedDescriptor], _ waiting: Waiting
  ) throws(WorkerError) -> [UInt8] {
    while true {
      var raw: [Int32] = [-1, -1, -1, -1]
      var count: Int32 = 0
      var got = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
        got = imgdl_receive(
          socket.raw, buffer.baseAddress, most, &raw, &count, waiting.isEndless ? 1 : 0)
        filled = max(0, got)
      }
      if got >= 0 {
        guard count >= 0 else { throw .malformed("too many open files") }
        descriptors += raw.prefix(Int(count)).map { OwnedDescriptor($0) }
        return bytes
      }
      if errno == EAGAIN {
        guard
          try wait(for: Int16(POLLIN), before: waiting.deadline, alongside: waiting.tail)
        else { throw Self.lateness }
      } else if errno == ECONNRESET {
        throw WorkerError(.died, "the other side of a helper's connection is gone")
      } else if errno != EINTR {
        throw .system(.last("receive from a helper"))
      }
    }
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
