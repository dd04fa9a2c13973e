import SystemCalls
import Testing
import WorkerProcess

@Suite(.timeLimit(.minutes(60))) struct WorkerConnectionTests {
  let ours: WorkerConnection
  let theirs: WorkerConnection
  /// The socket under `theirs`, for bytes that are no frames.
  let raw: OwnedDescriptor

  init() throws {
    let (a, b) = try Channels.socketPair()
    ours = WorkerConnection(a, limits: FrameLimits(maxPayload: 1_000_000))
    theirs = WorkerConnection(b, limits: FrameLimits(maxPayload: 2_000_000))
    raw = try b.duplicate()
  }

  @Test("frames arrive in order with their kinds and payloads")
  func order() throws {
    for kind in 0..<UInt8(20) {
      try theirs.send(Frame(kind: kind, payload: Array(repeating: kind, count: Int(kind))))
    }
    for kind in 0..<UInt8(20) {
      let frame = try #require(try ours.receive())
      #expect(frame.kind == kind)
      #expect(frame.payload == Array(repeating: kind, count: Int(kind)))
    }
  }

  @Test("a payload larger than the socket's buffer arrives whole")
  func large() async throws {
    let payload = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    async let sent: Void = OwnThread.run { [theirs] in
      try theirs.send(Frame(kind: 1, payload: payload))
    }
    let frame = try await OwnThread.run { [ours] in try ours.receive() }
    try await sent
    #expect(frame?.payload == payload)
  }

  @Test("an open file travels with its frame and reads the same file")
  func descriptors() throws {
    let file = try Channels.memoryFile("test")
    try file.write(all: [4, 5, 6 as UInt8].span.bytes)
    let sent = try file.status()
    try ours.send(Frame(kind: 1))
    try ours.send(Frame(kind: 2, payload: [9], descriptors: [file, file]))
    file.close()

    let first = try #require(try theirs.receive())
    #expect(first.descriptors.isEmpty)
    let second = try #require(try theirs.receive())
    #expect(second.descriptors.count == 2)
    for descriptor in second.descriptors {
      #expect(try descriptor.status().inode == sent.inode)
      #expect(try descriptor.bytes(count: 9, at: 0) == [4, 5, 6])
    }
  }

  @Test("open files beyond the receiver's limit are an error and are closed")
  func tooManyDescriptors() throws {
    let strict = WorkerConnection(
      try raw.duplicate(), limits: FrameLimits(maxPayload: 10, maxDescriptors: 0))
    let (reading, writing) = try Channels.pipe()
    try ours.send(Frame(kind: 1, descriptors: [writing]))
    writing.close()
    let error = try #require(throws: WorkerError.self) { try strict.receive() }
    #expect(error.code == .malformed)
    // The writing side is closed, so the pipe has ended.
    #expect(try reading.remainingBytes(limit: 1).isEmpty)
  }

  @Test("a frame over the limit is refused by the sender, and by the receiver before it is read")
  func oversized() throws {
    let big = Frame(kind: 1, payload: Array(repeating: 0, count: 1_000_001))
    let refused = try #require(throws: WorkerError.self) { try ours.send(big) }
    #expect(refused.code == .malformed)

    try raw.write(all: [0xff, 0xff, 0xff, 0xff, 1, 0 as UInt8].span.bytes)
    let error = try #require(throws: WorkerError.self) { try ours.receive() }
    #expect(error.code == .malformed)
    #expect(error.description.contains("4294967295"))
  }

  @Test("the end between frames is nil, in the middle of one an error")
  func ends() throws {
    try theirs.send(Frame(kind: 1))
    try raw.write(all: [9, 0, 0, 0, 1, 0, 1, 2 as UInt8].span.bytes)
    theirs.close()
    #expect(try ours.receive()?.kind == 1)
    let error = try #require(throws: WorkerError.self) { try ours.receive() }
    #expect(error.code == .malformed)
    #expect(try ours.receive() == nil)
  }

  @Test("waiting for a frame, and for room to send one, ends at the deadline")
  func deadlines() throws {
    let deadline = Deadline.after(seconds: 0.02)
    let receive = try #require(throws: WorkerError.self) { try ours.receive(before: deadline) }
    #expect(receive.code == .timedOut)
    #expect(deadline.hasPassed)

    let send = try #require(throws: WorkerError.self) {
      while true {
        try ours.send(Frame(kind: 1, payload: [0]), before: .after(seconds: 0.02))
      }
    }
    #expect(send.code == .timedOut)
  }

  @Test("closing the connection ends a blocked receive on another thread")
  func closing() async throws {
    async let frame = OwnThread.run { [ours] in try ours.receive() }
    ours.close()
    #expect(try await frame == nil)
    let error = try #require(throws: WorkerError.self) { try ours.send(Frame(kind: 1)) }
    #expect(error.code == .died)
  }

  @Test("a helper's loop answers in order and ends with its socket")
  func service() async throws {
    async let code = OwnThread.run { [theirs] in
      WorkerService.serve(theirs) { $0.kind == 0 ? nil : Frame(kind: $0.kind &+ 1) }
    }
    for kind: UInt8 in [1, 0, 5] { try ours.send(Frame(kind: kind)) }
    let answers = try await OwnThread.run { [ours] in [try ours.receive(), try ours.receive()] }
    #expect(answers.map { $0?.kind } == [2, 6])
    ours.close()
    #expect(try await code == 0)
  }
}
