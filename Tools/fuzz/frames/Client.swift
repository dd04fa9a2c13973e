import Models

/// A client that handles the events of a session as the event loop does, and checks the guarantees
/// of the session.
struct Client {
  struct Stream: Equatable {
    var status: Int?
    var fields = HTTPFields()
    var body: [UInt8] = []
    var hasEnded = false
    var closing: HTTP2Closing?
    var isCancelled = false
    var unconsumed = 0
  }

  struct Outcome: Equatable {
    var streams: [Int32: Stream] = [:]
    var capacities: [Int] = []
    var isGoingAway = false
    var failure: HTTP2Failure?
  }

  private let session: HTTP2Session
  private let habits: Habits
  private var outcome = Outcome()
  private var received = 0
  private var sent = FrameCounter()
  private var lastOpened: Int32 = -1

  /// The events that the pieces cause, in order.
  static func outcome(of pieces: [ArraySlice<UInt8>], _ habits: Habits) -> Outcome {
    guard let session = try? HTTP2Session(limits: habits.limits) else { return Outcome() }
    var client = Client(session, habits)
    if habits.isGreeted { client.receive([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]) }
    for piece in pieces where !piece.isEmpty {
      guard client.session.failure == nil else { break }
      client.receive(Array(piece))
      guard habits.isBusy else { continue }
      client.send()
      client.open()
    }
    client.finish()
    return client.outcome
  }

  /// The part of the result that must not depend on how the input is cut. How much of a body is delivered before
  /// an error in it is found, and which of two errors is found first, may depend on that.
  static func result(of pieces: [ArraySlice<UInt8>], _ habits: Habits) -> Outcome {
    var outcome = outcome(of: pieces, habits)
    for (number, stream) in outcome.streams {
      guard case .violation(_, let isLimit) = stream.closing else { continue }
      outcome.streams[number]?.closing = .violation("", isLimit: isLimit)
      outcome.streams[number]?.body = []
      outcome.streams[number]?.unconsumed = 0
    }
    // Bytes after the end of a connection are ignored; they may be in the same piece.
    if outcome.failure != nil {
      outcome.capacities = []
      outcome.failure = HTTP2Failure(.ended, "")
      for (number, stream) in outcome.streams where !stream.hasEnded {
        outcome.streams[number]?.body = []
        outcome.streams[number]?.unconsumed = 0
      }
    }
    return outcome
  }

  private init(_ session: HTTP2Session, _ habits: Habits) {
    self.session = session
    self.habits = habits
    for _ in 0..<habits.streams { open() }
    send()
  }

  private mutating func open() {
    guard outcome.streams.count < 64 else { return }
    let fields = HTTP2Fields.request(
      scheme: "https", authority: "a.example", target: "/", HTTPFields())
    let number = session.open(fields)
    if session.failure != nil || outcome.isGoingAway {
      demand(number == nil, "a stream on a connection that is over")
    }
    guard let number else { return }
    demand(number > lastOpened && number % 2 == 1, "stream \(number) after \(lastOpened)")
    lastOpened = number
    outcome.streams[number] = Stream()
  }

  private mutating func receive(_ bytes: [UInt8]) {
    received += bytes.count
    bytes.withUnsafeBytes { session.receive($0) }
    act(bytes)
  }

  /// - Parameter input: The bytes read; empty after sending, when there can be no bytes of a body.
  private mutating func act(_ input: [UInt8]) {
    var told = 0
    for event in session.drainEvents() {
      switch event {
      case .head(let number, let status, let fields): head(number, status, fields)
      case .data(let number, let range):
        demand(range.lowerBound >= told && range.upperBound <= input.count, "bytes at \(range)")
        told = range.upperBound
        data(number, input[range])
      case .end(let number):
        change(number) { stream in
          demand(stream.status != nil && !stream.hasEnded, "an end without a beginning")
          stream.hasEnded = true
        }
      case .closed(let number, let closing):
        change(number) { stream in
          demand(stream.hasEnded == (closing == .ended), "\(closing), ended: \(stream.hasEnded)")
          stream.closing = closing
        }
      case .capacity(let count):
        demand(count >= 0 && count <= habits.limits.streams, "room for \(count) streams")
        outcome.capacities.append(count)
      case .goingAway: outcome.isGoingAway = true
      }
    }
    demand(session.drainEvents().isEmpty, "events are told twice")
  }

  /// Changes the stream of an event, unless it was cancelled. Fails if it is closed or was never requested.
  private mutating func change(_ number: Int32, _ body: (inout Stream) -> Void) {
    guard var stream = outcome.streams[number], stream.closing == nil else {
      return demand(false, "something of stream \(number), which is not open")
    }
    if stream.isCancelled { return }
    body(&stream)
    outcome.streams[number] = stream
  }

  private mutating func head(_ number: Int32, _ status: Int, _ fields: HTTPFields) {
    let limits = habits.limits
    let size = fields.fields.reduce(0) {
      $0 + $1.name.unicodeScalars.count + $1.value.unicodeScalars.count + 32
    }
    demand((200...999).contains(status), "status \(status)")
    demand(fields.fields.count <= limits.fieldCount, "\(fields.fields.count) fields")
    demand(size <= limits.fieldBytes, "\(size) bytes of fields")
    change(number) { stream in
      demand(stream.status == nil, "two heads")
      stream.status = status
      stream.fields = fields
    }
    if habits.cancels { cancel(number) }
  }

  private mutating func data(_ number: Int32, _ bytes: ArraySlice<UInt8>) {
    change(number) { stream in
      demand(stream.status != nil && !stream.hasEnded, "bytes of no body")
      stream.body += bytes
      stream.unconsumed += bytes.count
    }
    if habits.consumes {
      session.consumed(bytes.count, of: number)
      outcome.streams[number]?.unconsumed = 0
    }
  }

  private mutating func cancel(_ number: Int32) {
    session.cancel(number)
    outcome.streams[number]?.isCancelled = true
  }

  private mutating func send() {
    var bytes: [UInt8] = []
    while session.output(into: &bytes, limit: 1_000) {}
    sent.add(bytes)
    // Pings and settings are answered one by one; no input makes us send much more than we receive.
    let streams = outcome.streams.count
    demand(
      sent.count <= 1_000 + 300 * streams + 4 * received, "\(sent.count) bytes for \(received)")
    let granted = Int(habits.limits.connectionWindow) - 65_535
    demand(sent.granted(on: 0) <= granted + received, "too much room on the connection")
    for number in outcome.streams.keys {
      demand(sent.granted(on: number) <= received, "too much room on stream \(number)")
    }
    act([])
  }

  /// Cancels the remaining streams, as the event loop does when no caller waits any more.
  private mutating func finish() {
    send()
    outcome.failure = session.failure
    if outcome.isGoingAway, session.failure == nil {
      for (number, stream) in outcome.streams where number > session.lastProcessed {
        demand(
          stream.closing != nil || stream.isCancelled,
          "stream \(number) waits for a server that has gone")
      }
    }
    // Until the server has read our settings, its window is the protocol's default. Data beyond ours is at most
    // one frame, since its stream is reset.
    let window = habits.isGreeted ? Int(habits.limits.streamWindow) : 65_535
    for (number, stream) in outcome.streams where stream.unconsumed > window {
      demand(
        stream.closing != nil || stream.isCancelled || session.failure != nil,
        "\(stream.unconsumed) bytes in the window of \(window) of stream \(number)")
    }
    for (number, stream) in outcome.streams where stream.hasEnded && session.failure == nil {
      demand(stream.closing != nil || stream.isCancelled, "stream \(number) is not closed")
    }
    for number in outcome.streams.keys.sorted() { session.cancel(number) }
    session.terminate()
    var rest: [UInt8] = []
    while session.output(into: &rest) {}
    sent.add(rest)
    for event in session.drainEvents() {
      if case .closed = event { demand(false, "a stream that was given up is closed") }
    }
  }
}

/// Parses the frames that we send: each is valid, and none is larger than a server has to accept.
struct FrameCounter {
  private(set) var count = 0
  private var rest: [UInt8] = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  private var hasPreface = false
  private var windows: [Int32: Int] = [:]

  func granted(on stream: Int32) -> Int { windows[stream] ?? 0 }

  mutating func add(_ bytes: [UInt8]) {
    count += bytes.count
    var bytes = bytes[...]
    if !hasPreface, !bytes.isEmpty {
      demand(bytes.starts(with: rest), "no preface")
      bytes = bytes.dropFirst(rest.count)
      rest = []
      hasPreface = true
    }
    rest += bytes
    while rest.count >= 9 {
      let length = Int(rest[0]) << 16 | Int(rest[1]) << 8 | Int(rest[2])
      demand(length <= 16_384 && rest[3] <= 9, "a frame of kind \(rest[3]), \(length) bytes")
      guard rest.count >= 9 + length else { return }
      let words = rest[5..<(9 + min(4, length))].map { UInt32($0) }
      if rest[3] == 8, words.count == 8 {
        let stream = Int32(bitPattern: words[0] << 24 | words[1] << 16 | words[2] << 8 | words[3])
        windows[stream, default: 0] +=
          Int(words[4] << 24 | words[5] << 16 | words[6] << 8 | words[7])
      }
      rest.removeFirst(9 + length)
    }
  }
}
