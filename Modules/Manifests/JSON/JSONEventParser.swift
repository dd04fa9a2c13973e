/// A strict incremental parser for RFC 8259 that keeps one token in memory.
///
/// - Only valid UTF-8 is accepted; a byte order mark at the start is skipped; UTF-16 and UTF-32 have an
///   error of their own.
/// - `\u` escapes are combined into characters. A lone surrogate becomes U+FFFD: the grammar allows it
///   (RFC 8259 §8.2), and programs that cut a text inside an emoji write it.
/// - Numbers are passed on as written. Keys may repeat; each of them is an event.
/// - The events and errors do not depend on how the bytes are divided into chunks.
///
/// After an error every further call throws the same error. O(bytes); memory is bounded by the limits.
public struct JSONEventParser: Sendable {
  enum State: Sendable {
    /// The states before a value: `start` accepts a byte order mark and everything that `value` accepts.
    case start, secondByteOfMark, thirdByteOfMark
    case value, firstElement, firstKey, key, colon, separator, end
    case string, escape, unicode
    case minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
    case literal
  }

  let file: String
  let limits: ManifestLimits
  var stopsAfterValue: Bool
  var state = State.start
  /// The open containers, outermost first; true stands for an object.
  var containers: [Bool] = []
  /// The bytes read so far of a number, or of a string that has escapes or spans several chunks.
  var token: [UInt8] = []
  /// Whether the current string is the name of a member.
  var isKey = false
  /// The position at which the current token began.
  var tokenStart: Position
  var sequence = UTF8Sequence()
  /// The UTF-16 code unit of a `\u` escape; `codeUnitDigits` counts the digits read so far.
  var codeUnit: UInt16 = 0
  var codeUnitDigits = 0
  /// A high surrogate whose low surrogate may follow, or 0.
  var highSurrogate: UInt16 = 0
  var literal = Literal.null
  var literalLength = 0
  /// The number of bytes before the current chunk.
  var offset: Int64 = 0
  var line: Int
  /// The offset at which the current line begins.
  var lineStart: Int64 = 0
  private var failure: ManifestError?

  /// - Parameters:
  ///   - file: The name of the list in messages.
  ///   - limits: The limits, of which `depth` and `textLength` apply.
  ///   - stopsAfterValue: Whether ``receive(_:into:)`` stops after the first value, so that the caller can
  ///     examine the bytes after it; otherwise only white space may follow the value.
  ///   - line: The number of the first line, for messages.
  public init(
    file: String = "", limits: ManifestLimits = ManifestLimits(), stopsAfterValue: Bool = false,
    line: Int = 1
  ) {
    self.file = file
    self.limits = limits
    self.stopsAfterValue = stopsAfterValue
    self.line = line
    tokenStart = Position(offset: 0, line: line, column: 1)
  }

  /// Whether the top-level value is complete. A top-level number is complete only at the byte after it, or at
  /// ``finish(into:)``.
  public var isComplete: Bool { state == .end }

  /// Starts a new JSON text at line `number` of the same file.
  mutating func restart(atLine number: Int) {
    state = .start
    containers.removeAll(keepingCapacity: true)
    (sequence, highSurrogate, failure) = (UTF8Sequence(), 0, nil)
    line = number
    lineStart = offset
  }

  /// Whether only white space has been read.
  var isBlank: Bool { state == .start || (state == .value && containers.isEmpty) }

  /// Parses the next bytes.
  ///
  /// - Returns: The number of parsed bytes; with `stopsAfterValue` it may be less than the number of bytes.
  /// - Throws: A parse error with its position, or the handler's error with the position of the event.
  @discardableResult
  public mutating func receive<Handler: JSONEventHandler>(
    _ bytes: RawSpan, into handler: inout Handler
  ) throws(ManifestError) -> Int {
    if let failure { throw failure }
    do throws(ManifestError) {
      var index = 0
      while index < bytes.byteCount, !(stopsAfterValue && state == .end) {
        try advance(bytes, &index, &handler)
      }
      offset &+= Int64(index)
      return index
    } catch {
      failure = error
      throw error
    }
  }

  /// Ends the text, which completes a top-level number.
  ///
  /// - Throws: ``ManifestError/Code/truncated`` if the text is not complete.
  public mutating func finish<Handler: JSONEventHandler>(
    into handler: inout Handler
  ) throws(ManifestError) {
    if let failure { throw failure }
    do throws(ManifestError) {
      if isNumberComplete { try endNumber(at: 0, &handler) }
      if state != .end { throw error(.truncated, at: 0, truncationReason) }
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func advance<Handler: JSONEventHandler>(
    _ bytes: RawSpan, _ index: inout Int, _ handler: inout Handler
  ) throws(ManifestError) {
    let byte = bytes.byte(index)
    switch state {
    case .string:
      try string(bytes, &index, &handler)
    case .escape, .unicode:
      try escape(byte, at: index)
      index &+= 1
    case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
      if try number(byte, at: index, &handler) { index &+= 1 }
    case .literal:
      try literal(byte, at: index, &handler)
      index &+= 1
    case .start, .secondByteOfMark, .thirdByteOfMark:
      if try byteOrderMark(byte, at: index) { index &+= 1 }
    case .value, .firstElement, .firstKey, .key, .colon, .separator, .end:
      try structure(byte, at: index, &handler)
      index &+= 1
    }
  }

  func emit<Handler: JSONEventHandler>(
    _ event: JSONEvent, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    do throws(ManifestError) {
      try handler.handle(event)
    } catch {
      throw self.error(error.code, at: index, error.reason)
    }
  }
}
