/// An incremental parser for RFC 8259 that keeps one token in memory.
///
/// ```swift
/// var parser = JSONParser()
/// while let chunk = try read() {
///   var index = 0
///   while let event = try parser.next(chunk.span.bytes, &index) { handle(event) }
/// }
/// while let event = try parser.finish() { handle(event) }
/// ```
///
/// - Only valid UTF-8 is accepted. `\u` escapes are combined into characters.
/// - Numbers are passed on as written.
/// - The ``JSONPolicy`` says what else is accepted or refused.
/// - The events and errors do not depend on how the bytes are divided into chunks.
///
/// After an error every further call throws the same error. O(bytes); memory is bounded by the limits.
public struct JSONParser: Sendable {
  enum State: Sendable {
    /// The states before a value: `start` accepts a byte order mark and everything that `value` accepts.
    case start, secondByteOfMark, thirdByteOfMark
    case value, firstElement, firstKey, key, colon, separator, end
    case string, escape, unicode
    case minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
    case literal
    /// A word that the policy allows in the place of a value.
    case word
  }

  private(set) var policy: JSONPolicy
  var state = State.start
  /// The open containers, outermost first; true stands for an object.
  var containers: [Bool] = []
  /// The names so far of each open object, if none may occur twice.
  var names: [Set<[UInt8]>] = []
  /// The bytes read so far of a number, or of a string that has escapes or spans several chunks.
  var token: [UInt8] = []
  /// Whether the current string is the name of a member.
  var isKey = false
  /// The offset at which the current token began, which is on the current line.
  var tokenStart: Int64 = 0
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
  public internal(set) var line: Int
  /// The offset at which the current line begins.
  var lineStart: Int64 = 0
  private var failure: JSONError?

  /// - Parameter line: The number of the first line, for messages.
  public init(_ policy: JSONPolicy = JSONPolicy(), line: Int = 1) {
    self.policy = policy
    self.line = line
    begin()
  }

  private mutating func begin() { state = policy.allowsByteOrderMark ? .start : .value }

  /// Whether ``next(_:_:)`` stops after the value: see the policy.
  public var stopsAfterValue: Bool {
    get { policy.stopsAfterValue }
    set { policy.stopsAfterValue = newValue }
  }

  /// Whether the top-level value is complete. A top-level number is complete only at the byte after it, or at
  /// ``finish()``.
  public var isComplete: Bool { state == .end }

  /// Whether only white space has been read.
  public var isBlank: Bool { state == .start || (state == .value && containers.isEmpty) }

  /// Starts a new JSON text at line `number` of the same file.
  public mutating func restart(atLine number: Int) {
    begin()
    containers.removeAll(keepingCapacity: true)
    if !names.isEmpty { names = [] }
    (sequence, highSurrogate, failure) = (UTF8Sequence(), 0, nil)
    line = number
    lineStart = offset
  }

  /// Parses the bytes of a chunk up to the end of the next event.
  ///
  /// - Parameters:
  ///   - bytes: The chunk, the same for each call until the result is nil. The next call is for the next chunk.
  ///   - index: The place in the chunk, 0 at first.
  /// - Returns: nil at the end of the chunk, or after the value if the parser stops there.
  public mutating func next(
    _ bytes: RawSpan, _ index: inout Int
  ) throws(JSONError) -> JSONEvent? {
    if let failure { throw failure }
    do throws(JSONError) {
      while index < bytes.byteCount, !(policy.stopsAfterValue && state == .end) {
        if let event = try advance(bytes, &index) { return event }
      }
    } catch {
      failure = error
      throw error
    }
    offset &+= Int64(index)
    return nil
  }

  /// Ends the text, which completes a number at its end.
  ///
  /// - Returns: The number; nil if there is none, and after it.
  /// - Throws: An error with `isTruncated` if the value is not complete.
  public mutating func finish() throws(JSONError) -> JSONEvent? {
    if let failure { throw failure }
    if isNumberComplete { return endNumber() }
    if state == .word { return endWord() }
    guard state == .end else {
      let error = truncated
      failure = error
      throw error
    }
    return nil
  }

  private mutating func advance(
    _ bytes: RawSpan, _ index: inout Int
  ) throws(JSONError) -> JSONEvent? {
    switch state {
    case .value, .firstElement, .firstKey, .key, .colon, .separator, .end:
      return try structure(bytes, &index)
    case .string:
      return try string(bytes, &index)
    case .escape, .unicode:
      if try escape(bytes.byte(index), at: index) { index &+= 1 }
      return nil
    case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
      return try number(bytes, &index)
    case .word:
      return try word(bytes.byte(index), &index)
    case .literal:
      defer { index &+= 1 }
      return try literal(bytes.byte(index), at: index)
    case .start, .secondByteOfMark, .thirdByteOfMark:
      if try byteOrderMark(bytes.byte(index), at: index) { index &+= 1 }
      return nil
    }
  }
}
