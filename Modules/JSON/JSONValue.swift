/// A JSON value in memory. Numbers keep their spelling and objects the order of their members, so that what is read is
/// written in the same way.
public indirect enum JSONValue: Equatable, Sendable {
  public struct Member: Equatable, Sendable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  case object([Member])
  case array([JSONValue])
  case string(String)
  /// The number as written, of any size and precision.
  case number(String)
  case bool(Bool)
  case null

  public static func integer(_ number: Int) -> JSONValue { .number("\(number)") }

  public static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  /// The value of the last member with this name; nil if this is not an object or has no such member.
  /// O(members).
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The value of the first of the names that the object has.
  public subscript(either first: String, or second: String) -> JSONValue? {
    self[first] ?? self[second]
  }

  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements of an array; nil for another value.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The elements of an array; a value that is neither an array nor `null` is its own only element, because
  /// JSON-LD writes a single value without brackets.
  public var elements: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }

  /// The value of a number that is spelled as an integer and fits into an `Int`.
  public var integer: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }
}

/// An object with its members in the order of the literal.
extension JSONValue: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue {
  /// Parses a text as a whole.
  ///
  /// - Parameter policy: The policy, whose limits bound the memory.
  /// - Throws: ``JSONError`` with the position of invalid or incomplete text, or of the cause
  ///   ``JSONError/Cause/tooLarge``.
  public init(parsing bytes: RawSpan, _ policy: JSONPolicy = JSONPolicy()) throws(JSONError) {
    var parser = JSONParser(policy)
    var builder = JSONValueBuilder(policy)
    var value: JSONValue?
    var index = 0
    while let event = try parser.next(bytes, &index) { value = builder.handle(event) ?? value }
    while let event = try parser.finish() { value = builder.handle(event) ?? value }
    guard let value, !builder.isTooLarge else {
      throw JSONError(.tooLarge, at: parser.position(0), builder.excess)
    }
    self = value
  }

  public init(parsing bytes: [UInt8], _ policy: JSONPolicy = JSONPolicy()) throws(JSONError) {
    try self.init(parsing: bytes.span.bytes, policy)
  }
}
