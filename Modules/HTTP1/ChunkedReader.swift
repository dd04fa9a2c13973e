/// Decodes the chunked transfer coding (RFC 9112 §7.1), byte by byte except for the data.
///
/// Lines may end in LF alone (`isMalformed`). Extensions are skipped. Trailer fields are validated and dropped, so
/// that they never become header fields.
struct ChunkedReader {
  private enum State {
    case size, blanks, chunkExtension, sizeEnd, data, dataReturn, dataEnd, trailers, done
  }

  private let limits: HeadLimits
  private var state = State.size
  private var digits = 0
  /// The chunk size while it is parsed, then the number of bytes left of the chunk's data.
  private var size: Int64 = 0
  private var extensionBytes = 0
  private var hasBareLineFeed = false
  private var lines: LineReader
  private var trailers: FieldSection

  init(limits: HeadLimits) {
    self.limits = limits
    lines = LineReader(
      limit: limits.maximumTrailerBytes, code: .trailerTooLarge, toleratesBareLineFeeds: true)
    trailers = FieldSection(maximumFields: limits.maximumFields, isOfResponse: true)
  }

  /// Whether an error of the server was tolerated.
  var isMalformed: Bool {
    hasBareLineFeed || lines.hasBareLineFeed || trailers.hasMalformedLine
  }

  mutating func parse(
    _ input: RawSpan
  ) throws(HTTPParseError) -> (consumed: Int, step: BodyReader.Step) {
    var position = 0
    while position < input.byteCount {
      switch state {
      case .data:
        let length = Int(min(size, Int64(input.byteCount - position)))
        size -= Int64(length)
        if size == 0 { state = .dataReturn }
        return (position + length, .body(position..<(position + length)))
      case .trailers: return try parseTrailers(input, from: position)
      case .done: return (position, .end)
      default:
        try advance(over: input.byte(at: position))
        position += 1
      }
    }
    return (position, state == .done ? .end : .needInput)
  }

  private mutating func advance(over byte: UInt8) throws(HTTPParseError) {
    switch state {
    case .size: try addDigit(byte)
    case .blanks: try endSize(byte)
    case .chunkExtension:
      switch byte {
      case ASCII.carriageReturn: state = .sizeEnd
      case ASCII.lineFeed: endSizeLine(isBare: true)
      default:
        guard byte != 0 else { throw malformed("NUL in a chunk extension") }
        try countExtension()
      }
    case .sizeEnd:
      guard byte == ASCII.lineFeed else { throw malformed("chunk size line does not end in CR LF") }
      endSizeLine(isBare: false)
    case .dataReturn where byte == ASCII.carriageReturn: state = .dataEnd
    case .dataReturn, .dataEnd:
      guard byte == ASCII.lineFeed else { throw malformed("chunk data is not followed by CR LF") }
      if state == .dataReturn { hasBareLineFeed = true }
      state = .size
      digits = 0
    case .data, .trailers, .done: break
    }
  }

  private mutating func endSizeLine(isBare: Bool) {
    if isBare { hasBareLineFeed = true }
    state = size == 0 ? .trailers : .data
  }

  private mutating func addDigit(_ byte: UInt8) throws(HTTPParseError) {
    guard let digit = ASCII.hexadecimalValue(byte) else {
      guard digits > 0 else { throw malformed("chunk size is not hexadecimal") }
      return try endSize(byte)
    }
    digits += 1
    guard digits <= limits.maximumChunkSizeDigits else {
      throw HTTPParseError(
        .chunkSizeTooLong, "a chunk size has more than \(limits.maximumChunkSizeDigits) digits")
    }
    guard size <= Int64.max >> 4 else { throw malformed("chunk size is too large") }
    size = size << 4 | digit
  }

  /// Handles the byte after the digits of a chunk size: padding of old servers, an extension, or the line's
  /// end.
  private mutating func endSize(_ byte: UInt8) throws(HTTPParseError) {
    switch byte {
    case ASCII.carriageReturn: state = .sizeEnd
    case ASCII.lineFeed: endSizeLine(isBare: true)
    case ASCII.semicolon:
      state = .chunkExtension
      try countExtension()
    case ASCII.space, ASCII.tab:
      state = .blanks
      try countExtension()
    default: throw malformed("chunk size is not hexadecimal")
    }
  }

  private mutating func countExtension() throws(HTTPParseError) {
    extensionBytes += 1
    guard extensionBytes <= limits.maximumChunkExtensionBytes else {
      throw HTTPParseError(
        .chunkExtensionTooLarge,
        "more than \(limits.maximumChunkExtensionBytes) bytes of chunk extensions")
    }
  }

  private mutating func parseTrailers(
    _ input: RawSpan, from start: Int
  ) throws(HTTPParseError) -> (consumed: Int, step: BodyReader.Step) {
    var position = start
    while let (line, end) = try lines.next(in: input, from: position) {
      position = end
      if line.isEmpty {
        state = .done
        return (position, .end)
      }
      try trailers.add(line, of: input)
    }
    return (position, .needInput)
  }

  private func malformed(_ detail: String) -> HTTPParseError { HTTPParseError(.chunk, detail) }
}
