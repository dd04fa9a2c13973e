import Models
import SystemCalls
import Threading
import Transport

/// A connection that uses HTTP/2: assigns a stream to each transfer, passes received frames to the streams,
/// and sends the session's frames. Confined to its event loop.
///
/// Each method appends the streams that have ended to `ended`, which the caller handles after the call has
/// returned. Therefore no transfer begins or ends while frames are being read. The caller reads the state of
/// the connection, `isRetired` and `drainStreamLimit`, before it handles the ended streams: otherwise a
/// request that was refused would be assigned to the connection again that accepts no more of them.
final class HTTP2Connection: DeadlineHolder {
  /// A stream that has ended. The connection keeps the stream until `remove` is called.
  struct EndedStream {
    let stream: HTTP2Stream
    let outcome: HTTP2Stream.Outcome
  }

  /// The number of streams that are opened before the server has set its limit (RFC 9113 §6.5.2).
  private static let assumedStreams = 100

  let socket: ConnectedSocket
  let origin: HTTPURL.Origin
  /// The number of completed exchanges.
  private(set) var served = 0
  /// The number of requests whose response has begun.
  private(set) var answered = 0
  /// The number of streams that the server has reset without a reason that concerns its load.
  private var unexplainedResets = 0
  /// Whether the server seems to be unable to serve HTTP/2, although it has agreed on it: it has reset several
  /// streams and answered none.
  var resetsEveryStream: Bool { answered == 0 && unexplainedResets >= Self.resetLimit }
  private static let resetLimit = 3
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
  /// The number of streams that the server allows, until `drainStreamLimit` returns it.
  private var changedLimit: Int?
  /// The bytes to send, of which the first `sent` have been sent.
  private var output: [UInt8] = []
  private var sent = 0
  private var isInFlushQueue = false
  /// The time at which a part of a response was last received for any stream. Frames that concern the connection,
  /// such as the PINGs of a load balancer, do not show that the server still answers.
  private var lastActivity: UInt64
  /// The time at which input was last received.
  private var lastInput: UInt64
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
    lastInput = lastActivity
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
    guard let number = session.open(fields) else {
      retire()
      return nil
    }
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

  /// Marks the connection as retired, so that no new stream is opened on it; existing ones continue.
  func retire() { isRetired = true }

  /// Returns the number of streams that the server allows, if it has announced one since the last
  /// call.
  func drainStreamLimit() -> Int? { changedLimit.take() }

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

  func handleDeadline(of stream: HTTP2Stream, _ now: UInt64, into ended: inout [EndedStream]) {
    let error = stream.handleDeadline(now, isPaused: socket.isPaused, hasInput: socket.hasInput)
    guard let error else { return }
    // If the connection has received nothing for any stream since this stream's last input, the connection
    // itself may be dead, or the server behind a load balancer that keeps the connection. The current time is not
    // compared, because the loop may be late.
    if error.code == .idleTimeout, lastActivity <= stream.lastActivity { retire() }
    ended.append(EndedStream(stream: stream, outcome: .failed(error)))
  }

  // MARK: - Receiving

  func ready(_ readiness: Poller.Readiness, into ended: inout [EndedStream]) {
    socket.observe(readiness)
    if readiness.contains(.output) || sent < output.count { flush(into: &ended) }
    if readiness != .output { receive(into: &ended) }
  }

  /// Resumes reading after the rate limiter has made bytes available.
  func resume(at now: UInt64, into ended: inout [EndedStream]) {
    lastActivity = now
    let paused = socket.resume(at: now)
    for stream in streams.values { stream.exclude(paused) }
    socket.setInterest(.input)
    ready(.input, into: &ended)
  }

  func receive(into ended: inout [EndedStream]) {
    for _ in 0..<SocketReader.maximumConsecutiveReads {
      guard !isClosed, !isBroken else { return }
      switch reader.read(socket) {
      case nil: return
      case .bytes(let count):
        lastInput = Machine.monotonicNanoseconds
        let input = reader.bytes(0..<count)
        session.receive(input)
        handleEvents(input, into: &ended)
      case .wouldBlock: return
      case .ended(let isClean):
        let how = isClean ? "" : " without a TLS close_notify"
        return breakOff("the server closed the connection" + how, into: &ended)
      case .failed(let reason): return breakOff(reason, into: &ended)
      }
      // The poller reports remaining input of a plaintext socket again, but not input that TLS has buffered.
      guard socket.isSecure else { return }
    }
    reader.readLater(socket)
  }

  /// Handles the events of the session.
  /// - Parameter input: The bytes that the session has just read; nil if it has read none.
  private func handleEvents(_ input: UnsafeRawBufferPointer?, into ended: inout [EndedStream]) {
    for event in session.drainEvents() {
      switch event {
      case .head(let number, let status, let fields):
        lastActivity = lastInput
        guard let stream = streams[number] else { continue }
        answered += 1
        stream.transfer.reach(.firstByte)
        deliver(.head(status: status, fields), to: stream, input, into: &ended)
      case .data(let number, let range):
        lastActivity = lastInput
        if let stream = streams[number] { deliver(.data(range), to: stream, input, into: &ended) }
        session.consumed(range.count, of: number)
      case .end(let number):
        if let stream = streams[number] { deliver(.end, to: stream, input, into: &ended) }
      case .closed(let number, let closing):
        if closing.isUnexplained { unexplainedResets += 1 }
        if let stream = streams[number] {
          deliver(.closed(closing), to: stream, input, into: &ended)
        }
      case .capacity(let limit):
        changedLimit = limit
        returnUnsent(beyond: limit, into: &ended)
      case .goingAway: retire()
      }
    }
    if let failure = session.failure {
      breakOff(failure, into: &ended)
    } else if input != nil {
      flushLater()
    }
  }

  /// Ends the newest streams above the server's limit whose requests have not been sent. The session would
  /// keep them back until others end, while their timeouts run and other connections have room.
  private func returnUnsent(beyond limit: Int, into ended: inout [EndedStream]) {
    guard streams.count > limit else { return }
    let newest = streams.values.sorted { $0.number > $1.number }
    for stream in newest.prefix(streams.count - limit) where session.isUnsent(stream.number) {
      deliver(.closed(.unprocessed(.unsent)), to: stream, nil, into: &ended)
    }
  }

  private func deliver(
    _ event: HTTP2Exchange.Event, to stream: HTTP2Stream, _ input: UnsafeRawBufferPointer?,
    into ended: inout [EndedStream]
  ) {
    guard let outcome = stream.handle(event, input) else { return }
    switch outcome {
    case .finished: served += 1
    case .wantsHTTP1: retire()
    // As with HTTP/1.1, the next attempt uses another connection, behind which another server may answer.
    case .failed(let error) where error.code == .protocolViolation: retire()
    case .failed, .refused: break
    }
    ended.append(EndedStream(stream: stream, outcome: outcome))
  }

  private func breakOff(_ reason: String, into ended: inout [EndedStream]) {
    breakOff(
      HTTP2Failure(session.requiresHTTP1 ? .http1Required : .ended, reason), into: &ended)
  }

  private func breakOff(_ failure: HTTP2Failure, into ended: inout [EndedStream]) {
    isBroken = true
    retire()
    for stream in streams.values.sorted(by: { $0.number < $1.number }) {
      deliver(.broken(failure), to: stream, nil, into: &ended)
    }
  }

  // MARK: - Sending

  private func flushLater() {
    guard !isInFlushQueue else { return }
    isInFlushQueue = true
    flushQueue.append(self)
  }

  /// Sends all frames queued since the last call, with as few system calls as possible.
  func flush(into ended: inout [EndedStream]) {
    isInFlushQueue = false
    while !isClosed, !isBroken {
      if sent == output.count {
        output.removeAll(keepingCapacity: true)
        sent = 0
        let hasMore = session.output(into: &output)
        // Writing its RST_STREAM frame closes a stream in the session, which reports the closure as an event.
        handleEvents(nil, into: &ended)
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
      case .ended: return breakOff("the server closed the connection", into: &ended)
      case .failed(let reason): return breakOff(reason, into: &ended)
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
