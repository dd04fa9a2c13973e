import Models
import SystemCalls
import Threading
import Transport

/// A connection that uses HTTP/2: assigns a stream to each transfer, passes received frames to the streams,
/// and sends the session's frames. Confined to its event loop.
///
/// Each method appends its outcomes to `events`, which the caller handles after the call has returned.
/// Therefore no transfer begins or ends while frames are being read.
final class HTTP2Connection: DeadlineHolder {
  enum Event {
    /// The stream has ended. The connection keeps the stream until `remove` is called.
    case ended(HTTP2Stream, HTTP2Stream.Outcome)
    /// The server allows this number of open streams.
    case resized(Int)
    /// The connection accepts no more streams; existing ones continue.
    case retired
  }

  /// The number of streams that are opened before the server has set its limit (RFC 9113 §6.5.2).
  private static let assumedStreams = 100

  let socket: ConnectedSocket
  let origin: HTTPURL.Origin
  /// The number of completed exchanges.
  private(set) var served = 0
  /// Whether the connection accepts no more streams.
  private(set) var isRetired = false
  private(set) var isClosed = false
  /// Whether input has ended or the connection failed; nothing more is read or written then.
  private var isBroken = false
  /// The connection's earliest entry in the deadline queue of the loop.
  var armedDeadline = ArmedDeadline()

  private let registry: Registry
  private let reader: SocketReader
  private let flushQueue: HTTP2FlushQueue
  private let session: HTTP2Session
  private var streams: [Int32: HTTP2Stream] = [:]
  /// The bytes to send, of which the first `sent` have been sent.
  private var output: [UInt8] = []
  private var sent = 0
  private var isInFlushQueue = false
  /// The time at which input was last received for any stream.
  private var lastActivity: UInt64
  /// The time at which the idle connection is closed; `Moment.never` while a stream is open.
  private var idleDeadline = Moment.never

  init(
    _ socket: ConnectedSocket, to origin: HTTPURL.Origin, _ registry: Registry,
    _ reader: SocketReader, _ flushQueue: HTTP2FlushQueue, limits: HTTP2Limits
  ) throws(HTTP2Failure) {
    self.socket = socket
    self.origin = origin
    self.registry = registry
    self.reader = reader
    self.flushQueue = flushQueue
    session = try HTTP2Session(limits: limits)
    lastActivity = Machine.monotonicNanoseconds
    // The read that completed the TLS handshake may have received the server's first frame, and the poller
    // does not report input that TLS has buffered.
    if socket.isSecure { reader.readLater(socket) }
  }

  var token: UInt64 { socket.token }

  /// The number of streams that may be opened before the server announces its limit.
  var initialStreams: Int { min(Self.assumedStreams, session.limits.streams) }

  var isUnused: Bool { streams.isEmpty }

  // MARK: - Streams

  /// Opens a stream for the request of a transfer; nil if the connection accepts no more streams.
  func startStream(for transfer: Transfer) -> HTTP2Stream? {
    guard !isRetired else { return nil }
    let fields = HTTP2Fields.request(
      scheme: transfer.url.scheme.rawValue, authority: transfer.url.origin.authority,
      target: transfer.url.target, transfer.fields)
    guard let number = session.open(fields) else { return nil }
    let now = Machine.monotonicNanoseconds
    let stream = HTTP2Stream(number: number, of: self, for: transfer, registry, now: now)
    streams[number] = stream
    registry[stream.token] = .stream(stream)
    transfer.reach(.request, at: now)
    idleDeadline = Moment.never
    registry.arm(stream)
    flushLater()
    return stream
  }

  /// Removes a stream, and resets it at the server if it has not ended.
  func remove(_ stream: HTTP2Stream) {
    registry.remove(stream.token)
    guard streams.removeValue(forKey: stream.number) != nil else { return }
    session.cancel(stream.number)
    flushLater()
  }

  /// Marks the connection as retired, so that no new stream is opened on it.
  /// - Returns: false if the connection was retired already.
  func retire() -> Bool {
    defer { isRetired = true }
    return !isRetired
  }

  func becomeIdle(until deadline: UInt64) {
    idleDeadline = deadline
    registry.arm(self)
  }

  /// Sends GOAWAY before the caller closes the socket. Frames that the socket does not accept at
  /// once are not sent.
  func sendGoAway() {
    isClosed = true
    session.terminate()
    if sent == output.count {
      output.removeAll()
      sent = 0
    }
    _ = session.output(into: &output)
    _ = output.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  // MARK: - Deadlines

  var nextDeadline: UInt64 { idleDeadline }

  /// Returns whether the connection has been idle for its maximum idle time.
  func hasIdledTooLong(_ now: UInt64) -> Bool {
    if idleDeadline <= now { return true }
    registry.arm(self)
    return false
  }

  func handleDeadline(of stream: HTTP2Stream, _ now: UInt64, into events: inout [Event]) {
    guard let error = stream.handleDeadline(now, isPaused: socket.isPaused) else { return }
    // If the connection has received nothing for any stream since this stream's last input, the connection
    // itself may be dead. The current time is not compared, because the loop may be late.
    if error.code == .idleTimeout, lastActivity <= stream.lastActivity, retire() {
      events.append(.retired)
    }
    events.append(.ended(stream, .failed(error)))
  }

  // MARK: - Receiving

  func ready(_ readiness: Poller.Readiness, into events: inout [Event]) {
    socket.observe(readiness)
    if readiness.contains(.output) || sent < output.count { flush(into: &events) }
    if readiness != .output { receive(into: &events) }
  }

  /// Resumes reading after the rate limiter has made bytes available.
  func resume(at now: UInt64, into events: inout [Event]) {
    lastActivity = now
    let paused = socket.resume(at: now)
    for stream in streams.values { stream.exclude(paused) }
    socket.setInterest(.input)
    ready(.input, into: &events)
  }

  func receive(into events: inout [Event]) {
    for _ in 0..<SocketReader.maximumConsecutiveReads {
      guard !isClosed, !isBroken else { return }
      switch reader.read(socket) {
      case nil: return
      case .bytes(let count):
        lastActivity = Machine.monotonicNanoseconds
        let input = reader.bytes(0..<count)
        session.receive(input)
        handleEvents(input, into: &events)
      case .wouldBlock: return
      case .ended(let isClean):
        let how = isClean ? "" : " without a TLS close_notify"
        return breakOff("the server closed the connection" + how, into: &events)
      case .failed(let reason): return breakOff(reason, into: &events)
      }
      // The poller reports remaining input of a plaintext socket again, but not input that TLS has buffered.
      guard socket.isSecure else { return }
    }
    reader.readLater(socket)
  }

  /// Handles the events of the session.
  /// - Parameter input: The bytes that the session has just read; nil if it has read none.
  private func handleEvents(_ input: UnsafeRawBufferPointer?, into events: inout [Event]) {
    for event in session.drainEvents() {
      switch event {
      case .head(let number, let status, let fields):
        guard let stream = streams[number] else { continue }
        stream.transfer.reach(.firstByte)
        deliver(.head(status: status, fields), to: stream, input, into: &events)
      case .data(let number, let range):
        if let stream = streams[number] { deliver(.data(range), to: stream, input, into: &events) }
        session.consumed(range.count, of: number)
      case .end(let number):
        if let stream = streams[number] { deliver(.end, to: stream, input, into: &events) }
      case .closed(let number, let closing):
        if let stream = streams[number] {
          deliver(.closed(closing), to: stream, input, into: &events)
        }
      case .capacity(let streams): events.append(.resized(streams))
      case .goingAway: if retire() { events.append(.retired) }
      }
    }
    if let failure = session.failure {
      breakOff(failure, into: &events)
    } else if input != nil {
      flushLater()
    }
  }

  private func deliver(
    _ event: HTTP2Exchange.Event, to stream: HTTP2Stream, _ input: UnsafeRawBufferPointer?,
    into events: inout [Event]
  ) {
    guard let outcome = stream.handle(event, input) else { return }
    switch outcome {
    case .finished: served += 1
    // The connection is retired before the stream ends, so that the transfer is not assigned to the same
    // connection again.
    case .wantsHTTP1: if retire() { events.append(.retired) }
    case .failed, .refused: break
    }
    events.append(.ended(stream, outcome))
  }

  private func breakOff(_ reason: String, into events: inout [Event]) {
    breakOff(HTTP2Failure(.ended, reason), into: &events)
  }

  private func breakOff(_ failure: HTTP2Failure, into events: inout [Event]) {
    isBroken = true
    if retire() { events.append(.retired) }
    for stream in streams.values.sorted(by: { $0.number < $1.number }) {
      deliver(.broken(failure), to: stream, nil, into: &events)
    }
  }

  // MARK: - Sending

  private func flushLater() {
    guard !isInFlushQueue else { return }
    isInFlushQueue = true
    flushQueue.append(self)
  }

  /// Sends all frames queued since the last call, with as few system calls as possible.
  func flush(into events: inout [Event]) {
    isInFlushQueue = false
    while !isClosed, !isBroken {
      if sent == output.count {
        output.removeAll(keepingCapacity: true)
        sent = 0
        let hasMore = session.output(into: &output)
        // Writing its RST_STREAM frame closes a stream in the session, which reports the closure as an event.
        handleEvents(nil, into: &events)
        if isBroken || (isRetired && isUnused) { return }
        guard hasMore else { return socket.setInterest(.input) }
      }
      let result = output.withUnsafeBytes {
        socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      switch result {
      case .bytes(let count): sent += count
      case .wouldBlock(let forOutput):
        return socket.setInterest(forOutput ? [.input, .output] : .input)
      case .ended: return breakOff("the server closed the connection", into: &events)
      case .failed(let reason): return breakOff(reason, into: &events)
      }
    }
  }
}

/// The HTTP/2 connections of an event loop that have frames to send at the end of the loop's round. Confined
/// to that loop.
final class HTTP2FlushQueue {
  private var connections: [HTTP2Connection] = []

  func append(_ connection: HTTP2Connection) { connections.append(connection) }

  func popLast() -> HTTP2Connection? { connections.popLast() }
}
