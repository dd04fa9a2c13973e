import CLinux
import Glibc
import SystemCalls

extension WorkerConnection {
  /// Receives a frame like `receive(before:)`, and meanwhile reads the helper's standard error into `tail`.
  func receive(
    within limit: WaitLimit, alongside tail: ErrorTail?
  ) throws(WorkerError) -> Frame? {
    let waiting = Waiting(limit: limit, tail: tail)
    var descriptors: [OwnedDescriptor] = []
    guard
      let header = try receiveHeader(atMost: Frame.headerSize, &descriptors, waiting)
    else { return nil }
    return try receiveRest(of: FrameReader(header), descriptors, waiting)
  }

  /// Receives the answer to a request, header and payload in one call if possible. Data after the answer is
  /// an error, because a request has only one answer.
  func receiveAnswer(
    within limit: WaitLimit, alongside tail: ErrorTail?
  ) throws(WorkerError) -> Frame? {
    // Waiting comes first: the helper has only just received the request, so the answer cannot have arrived.
    let waiting = Waiting(limit: limit, tail: tail)
    try waitForInput(waiting)
    var descriptors: [OwnedDescriptor] = []
    let most = Frame.headerSize + min(limits.maxPayload, Self.initialPayloadBytes)
    guard let start = try receiveHeader(atMost: most, &descriptors, waiting) else { return nil }
    return try receiveRest(of: FrameReader(start), descriptors, waiting)
  }

  /// The number of payload bytes that the first call can receive; a larger answer needs further calls.
  private static let initialPayloadBytes = 64 << 10

  private struct Waiting {
    let limit: WaitLimit
    let tail: ErrorTail?

    var isEndless: Bool { limit.isEndless && tail == nil }
  }

  /// Receives a header, together with as much of the payload as has arrived.
  /// - Parameter most: The maximum number of bytes to receive, header included.
  /// - Returns: The received bytes; nil if the connection was closed before the first one.
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

  /// Receives the rest of a frame.
  /// - Parameter start: The header, and the part of the payload that was received with it.
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
    guard start.remainingCount <= length else { throw .malformed("more data than one message") }
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

  /// Receives the available bytes; waits if there are none.
  /// - Returns: The bytes; empty if the connection has been closed.
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
        try waitForInput(waiting)
      } else if errno == ECONNRESET {
        throw WorkerError(.died, "the other end of a helper's connection is closed")
      } else if errno != EINTR {
        throw .system(.last("receive from a helper"))
      }
    }
  }

  /// Whether `receive` would find data, or the end of the connection, without waiting.
  public func hasInput() throws(WorkerError) -> Bool {
    try wait(for: Int16(POLLIN), within: .deadline(Deadline(nanoseconds: 0))) == nil
  }

  private func waitForInput(_ waiting: Waiting) throws(WorkerError) {
    if let end = try wait(for: Int16(POLLIN), within: waiting.limit, alongside: waiting.tail) {
      throw .late(end, "the helper does not respond")
    }
  }

  /// Waits until the socket is ready or has been closed.
  /// - Returns: What ended the time, if it ended first.
  func wait(
    for events: Int16, within limit: WaitLimit, alongside tail: ErrorTail? = nil
  ) throws(WorkerError) -> WorkTime.End? {
    var nextCheck = limit.firstCheck
    while true {
      // poll(2) ignores the second entry if its descriptor is -1.
      var entries = [
        pollfd(fd: socket.raw, events: events, revents: 0),
        pollfd(fd: tail?.raw ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&entries, 2, nextCheck.pollTimeout)
      if ready < 0 {
        if errno == EINTR { continue }
        throw .system(.last("wait for a helper"))
      }
      if entries[1].revents != 0 { tail?.drain() }
      if entries[0].revents != 0 { return nil }
      guard nextCheck.hasPassed else { continue }
      switch limit.check(now: .now) {
      case .over(let end): return end
      case .again(let moment): nextCheck = moment
      }
    }
  }
}
