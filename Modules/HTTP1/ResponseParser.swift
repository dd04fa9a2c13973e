public import Models

/// The head of a response: status, version and fields. The reason phrase is not kept (RFC 9112 §4).
public struct ResponseHeadMessage: Sendable, Equatable {
  /// The status as sent, 100 to 999; the caller treats an unknown class like 5xx.
  public var status: Int
  /// The minor version, 0 or 1; a later one is treated as 1 (RFC 9110 §2.5).
  public var minorVersion: Int
  public var fields: HTTPFields

  public init(status: Int, minorVersion: Int = 1, fields: HTTPFields = HTTPFields()) {
    self.status = status
    self.minorVersion = minorVersion
    self.fields = fields
  }
}

/// Parses one HTTP/1.1 response incrementally (RFC 9112). No input can make the parser trap.
///
/// The parser tolerates errors of servers that browsers and curl tolerate too, as long as the end of the
/// response is certain; the connection is then not reused. A response whose end is uncertain is an error.
///
/// Call `parse` with the unread bytes until it returns `needInput` or `end`, and drop the consumed bytes each
/// time; after `needInput`, append more bytes and call again. Bytes left over after `end` are not another
/// response (§6.3): the connection must be closed. After an error every further call throws it again. The
/// cost is linear in the number of bytes.
public struct ResponseParser: Sendable {
  public enum Step: Sendable, Equatable {
    /// More bytes are needed: the caller keeps the unconsumed bytes and calls again with more appended.
    case needInput
    /// The head of the final response; interim (1xx) responses are skipped.
    case head(ResponseHeadMessage)
    /// The offsets of body bytes in the input, without the transfer coding.
    case body(Range<Int>)
    /// The message is complete.
    case end
  }

  private enum State: Sendable {
    case startLine, fields, body
    case failed(HTTPParseError)
  }

  private let limits: HeadLimits
  private let isResponseToHEAD: Bool
  private var state = State.startLine
  private var lines: LineReader
  private var section: FieldSection
  private var head = ResponseHeadMessage(status: 0)
  private var informational = 0
  private var reader: BodyReader?
  private var isPersistent = false
  /// Whether an error of the server was tolerated in the head of this response or of an interim one.
  private var isMalformed = false

  public init(limits: HeadLimits = HeadLimits(), isResponseToHEAD: Bool = false) {
    self.limits = limits
    self.isResponseToHEAD = isResponseToHEAD
    lines = LineReader(
      limit: limits.maximumHeadBytes, code: .headTooLarge, toleratesBareLineFeeds: true)
    section = FieldSection(maximumFields: limits.maximumFields, isOfResponse: true)
  }

  /// The framing of the body; nil before the head was parsed.
  public var framing: BodyFraming? { reader?.framing }

  /// Whether the whole message has been read.
  public var isComplete: Bool { reader?.isComplete ?? false }

  /// The number of bytes still to come of a body with Content-Length; otherwise nil.
  public var remainingLength: Int64? {
    guard let reader, case .length = reader.framing else { return nil }
    return reader.remaining
  }

  /// Whether another request may follow on this connection: the response is complete and well-formed, its end
  /// was marked, and the server keeps the connection (RFC 9112 §9.3).
  public var allowsReuse: Bool {
    if case .failed = state { return false }
    return isComplete && isPersistent && framing != .untilClose && !isMalformed
      && reader?.isMalformed == false
  }

  /// Performs the next step. Offsets and `consumed` are relative to the beginning of `input`.
  public mutating func parse(
    _ input: RawSpan
  ) throws(HTTPParseError) -> (consumed: Int, step: Step) {
    do throws(HTTPParseError) {
      switch state {
      case .startLine, .fields: return try parseHead(input)
      case .body: return try parseBody(input)
      case .failed(let error): throw error
      }
    } catch {
      state = .failed(error)
      throw error
    }
  }

  /// Ends the input after the server has closed the connection cleanly: with FIN, and over TLS with a
  /// close_notify before it.
  ///
  /// After a successful call `isComplete` is true. Throws an error with the code `truncated` if the message
  /// is incomplete.
  public mutating func finishInput() throws(HTTPParseError) {
    if case .failed(let error) = state { throw error }
    if reader?.finishInput() ?? false { return }
    let place = reader == nil ? "in the header section" : "in the body"
    let error = HTTPParseError(.truncated, "the connection was closed \(place)")
    state = .failed(error)
    throw error
  }

  private mutating func parseHead(
    _ input: RawSpan
  ) throws(HTTPParseError) -> (consumed: Int, step: Step) {
    var position = 0
    while true {
      if case .startLine = state { try rejectOtherProtocol(input, at: position) }
      guard let (line, end) = try lines.next(in: input, from: position) else {
        return (position, .needInput)
      }
      position = end
      if case .startLine = state {
        try readStatusLine(line, of: input)
        state = .fields
      } else if !line.isEmpty {
        try section.add(line, of: input)
      } else if try finishHead() {
        return (position, .head(head))
      }
    }
  }

  private mutating func parseBody(
    _ input: RawSpan
  ) throws(HTTPParseError) -> (consumed: Int, step: Step) {
    guard let result = try reader?.parse(input) else { return (0, .end) }
    return switch result.step {
    case .needInput: (result.consumed, .needInput)
    case .body(let range): (result.consumed, .body(range))
    case .end: (result.consumed, .end)
    }
  }

  /// Rejects a server of another protocol by its first bytes, without waiting for a whole line.
  private func rejectOtherProtocol(_ input: RawSpan, at start: Int) throws(HTTPParseError) {
    let length = min(input.byteCount - start, 5)
    let name: StaticString = "HTTP/"
    let difference = name.withUTF8Buffer { expected in
      (0..<length).first { input.byte(at: start + $0) != expected[$0] }
    }
    guard let difference else { return }
    let found = input.escaped(start..<(start + difference + 1))
    throw HTTPParseError(.notHTTP, "not an HTTP response: it begins with \"\(found)\"")
  }

  /// Parses `HTTP/1.x SP 3DIGIT [SP reason]`.
  private mutating func readStatusLine(
    _ line: Range<Int>, of input: RawSpan
  ) throws(HTTPParseError) {
    let start = line.lowerBound
    guard let minorVersion = minorVersion(input, at: start, end: line.upperBound) else {
      throw HTTPParseError(
        .version, "not a response of HTTP/1.1: \"\(input.escaped(line))\"")
    }
    let code = (start + 9)..<(start + 12)
    guard line.upperBound >= code.upperBound, input.byte(at: start + 8) == ASCII.space,
      code.allSatisfy({ ASCII.isDigit(input.byte(at: $0)) }),
      line.upperBound == code.upperBound || input.byte(at: code.upperBound) == ASCII.space
    else {
      throw HTTPParseError(.status, "malformed status line \"\(input.escaped(line))\"")
    }
    let status = code.reduce(0) { $0 * 10 + Int(input.byte(at: $1)) - 0x30 }
    guard status >= 100 else { throw HTTPParseError(.status, "status \(status)") }
    head = ResponseHeadMessage(status: status, minorVersion: minorVersion)
  }

  /// Ends a head at its empty line. Returns `false` after an interim response, which another head follows.
  private mutating func finishHead() throws(HTTPParseError) -> Bool {
    head.fields = section.finish()
    if lines.hasBareLineFeed || section.hasMalformedLine { isMalformed = true }
    if head.status >= 200 {
      try frame()
      state = .body
      return true
    }
    guard head.status != 101 else {
      throw HTTPParseError(
        .unexpectedUpgrade, "the server switched protocols without a request to upgrade")
    }
    informational += 1
    guard informational <= limits.maximumInformational else {
      throw HTTPParseError(
        .tooManyInformational, "more than \(limits.maximumInformational) interim responses")
    }
    lines = LineReader(
      limit: limits.maximumHeadBytes, code: .headTooLarge, toleratesBareLineFeeds: true)
    section = FieldSection(maximumFields: limits.maximumFields, isOfResponse: true)
    state = .startLine
    return false
  }

  /// Determines the framing in the order of RFC 9112 §6.3.
  private mutating func frame() throws(HTTPParseError) {
    let fields = FramingFields(head.fields)
    let hasNoBody = isResponseToHEAD || head.status == 204 || head.status == 304
    let framing =
      hasNoBody
      ? .none : try fields.framing(unframed: .untilClose)
    isPersistent = fields.isPersistent(minorVersion: head.minorVersion)
    if !hasNoBody, fields.isAmbiguous(minorVersion: head.minorVersion) { isMalformed = true }
    reader = BodyReader(framing, limits: limits)
  }
}

/// Returns the x of `HTTP/1.x` at `start`: 0, or 1 for 1 to 9; `nil` for any other text.
func minorVersion(_ input: RawSpan, at start: Int, end: Int) -> Int? {
  guard end - start >= 8, input.hasPrefix("HTTP/1.", at: start),
    ASCII.isDigit(input.byte(at: start + 7))
  else { return nil }
  return input.byte(at: start + 7) == 0x30 ? 0 : 1
}
