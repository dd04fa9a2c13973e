public import Models

/// The head of a request: method, target, version and fields.
public struct RequestHeadMessage: Sendable, Equatable {
  /// The method, which is case-sensitive (RFC 9110 §9.1).
  public var method: String
  /// The target as sent: visible ASCII, in any of the forms of RFC 9112 §3.2, not decoded.
  public var target: String
  /// The minor version, 0 or 1; a later one is treated as 1.
  public var minorVersion: Int
  public var fields: HTTPFields

  public init(
    method: String, target: String, minorVersion: Int = 1, fields: HTTPFields = HTTPFields()
  ) {
    self.method = method
    self.target = target
    self.minorVersion = minorVersion
    self.fields = fields
  }
}

/// Parses one HTTP/1.1 request incrementally and strictly (RFC 9112): one Host, a body only with
/// Content-Length, no folded lines, and no syntax that another server might parse differently.
///
/// The caller passes the unread bytes to `parse` until it returns `needInput` or `end`. Bytes after `end`
/// belong to the next request, for which the caller creates a new parser.
public struct RequestParser: Sendable {
  public enum Step: Sendable, Equatable {
    /// More bytes are needed: the caller keeps the unconsumed bytes and calls again with more appended.
    case needInput
    case head(RequestHeadMessage)
    /// The offsets of body bytes in the input.
    case body(Range<Int>)
    /// The message is complete.
    case end
  }

  private enum State: Sendable {
    case beforeStartLine, startLine, fields, body
    case failed(HTTPParseError)
  }

  private let limits: HeadLimits
  private var state = State.beforeStartLine
  private var lines: LineReader
  private var section: FieldSection
  private var head = RequestHeadMessage(method: "", target: "")
  private var reader: BodyReader?

  /// Whether the client may send another request on this connection; false before the head was parsed.
  public private(set) var allowsReuse = false

  public init(limits: HeadLimits = .request) {
    self.limits = limits
    lines = LineReader(
      limit: limits.maximumHeadBytes, code: .headTooLarge, toleratesBareLineFeeds: false)
    section = FieldSection(maximumFields: limits.maximumFields, isOfResponse: false)
  }

  /// The framing of the body, `none` or `length`; nil before the head was parsed.
  public var framing: BodyFraming? { reader?.framing }

  /// Whether the whole message has been read.
  public var isComplete: Bool { reader?.isComplete ?? false }

  /// The number of body bytes still to come; `nil` before the head and for a request without a body.
  public var remainingLength: Int64? {
    guard let reader, case .length = reader.framing else { return nil }
    return reader.remaining
  }

  /// Performs the next step. Offsets and `consumed` are relative to the beginning of `input`.
  public mutating func parse(
    _ input: RawSpan
  ) throws(HTTPParseError) -> (consumed: Int, step: Step) {
    do throws(HTTPParseError) {
      switch state {
      case .beforeStartLine, .startLine, .fields: return try parseHead(input)
      case .body: return try parseBody(input)
      case .failed(let error): throw error
      }
    } catch {
      state = .failed(error)
      allowsReuse = false
      throw error
    }
  }

  /// Ends the input after the client has closed its side. Throws `truncated` if the request is incomplete.
  public mutating func finishInput() throws(HTTPParseError) {
    if case .failed(let error) = state { throw error }
    if isComplete { return }
    let error = HTTPParseError(.truncated, "the connection was closed inside a request")
    state = .failed(error)
    allowsReuse = false
    throw error
  }

  private mutating func parseHead(
    _ input: RawSpan
  ) throws(HTTPParseError) -> (consumed: Int, step: Step) {
    var position = 0
    while let (line, end) = try lines.next(in: input, from: position) {
      position = end
      switch state {
      case .beforeStartLine where line.isEmpty:
        // One empty line before a request is ignored for old clients (RFC 9112 §2.2).
        state = .startLine
      case .beforeStartLine, .startLine:
        try readRequestLine(line, of: input)
        state = .fields
      default:
        if line.isEmpty {
          try finishHead()
          return (position, .head(head))
        }
        try section.add(line, of: input)
      }
    }
    return (position, .needInput)
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

  /// Parses `method SP target SP HTTP/1.x`.
  private mutating func readRequestLine(
    _ line: Range<Int>, of input: RawSpan
  ) throws(HTTPParseError) {
    guard let first = input.firstOffset(of: ASCII.space, in: line),
      let second = input.firstOffset(of: ASCII.space, in: (first + 1)..<line.upperBound)
    else {
      throw HTTPParseError(.startLine, "malformed request line \"\(input.escaped(line))\"")
    }
    let method = line.lowerBound..<first
    guard !method.isEmpty, method.allSatisfy({ ASCII.isToken(input.byte(at: $0)) }) else {
      throw HTTPParseError(.method, "\"\(input.escaped(method))\" is not a method")
    }
    let target = (first + 1)..<second
    guard !target.isEmpty, target.allSatisfy({ ASCII.isVisible(input.byte(at: $0)) }) else {
      throw HTTPParseError(.target, "\"\(input.escaped(target))\" is not a request target")
    }
    guard line.upperBound - second == 9,
      let minorVersion = minorVersion(input, at: second + 1, end: line.upperBound)
    else {
      let version = input.escaped((second + 1)..<line.upperBound)
      throw HTTPParseError(.version, "\"\(version)\" is not HTTP/1.1")
    }
    head = RequestHeadMessage(
      method: input.text(method), target: input.text(target), minorVersion: minorVersion)
  }

  private mutating func finishHead() throws(HTTPParseError) {
    head.fields = section.finish()
    let hosts = head.fields.all("Host")
    guard hosts.count == 1 || (hosts.isEmpty && head.minorVersion == 0) else {
      throw HTTPParseError(.host, hosts.isEmpty ? "no Host" : "more than one Host")
    }
    let fields = FramingFields(head.fields)
    guard !fields.hasTransferEncoding else {
      throw HTTPParseError(.transferEncoding, "Transfer-Encoding is not accepted in a request")
    }
    let framing = try fields.framing(unframed: .none)
    reader = BodyReader(framing, limits: limits)
    allowsReuse = fields.isPersistent(minorVersion: head.minorVersion)
    state = .body
  }
}
