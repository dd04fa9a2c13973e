/// Header fields of a message in the order they came.
///
/// Names compare without regard to case (RFC 9110 §5.1). Values are kept as text; octets above
/// 0x7F that are not UTF-8 are read as Latin-1, so that no message is lost to its encoding.
public struct HTTPFields: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var fields: [Field]

  public init(_ fields: [Field] = []) { self.fields = fields }

  public init(_ pairs: KeyValuePairs<String, String>) {
    fields = pairs.map { Field(name: $0.key, value: $0.value) }
  }

  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Puts `value` in place of every field of that name.
  public mutating func set(_ name: String, _ value: String) {
    remove(name)
    append(name, value)
  }

  public mutating func remove(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// The value of the first field of that name. O(number of fields).
  public subscript(name: String) -> String? {
    let fields = fields.span
    for index in fields.indices where Self.isSame(fields[index].name, name) {
      return fields[index].value
    }
    return nil
  }

  public func all(_ name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// ASCII case-insensitive comparison. Inlined into callers: unspecialised it costs more than all
  /// the rest of reading a head.
  @inlinable
  public static func isSame(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lower($0) == lower($1) }
  }

  /// The same for what is whole: it runs for every field of every response, where most names are of
  /// another length and the rest is written as we write it.
  @inlinable
  public static func isSame(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && (a == b || isSameInAnyCase(a, b))
  }

  @usableFromInline
  static func isSameInAnyCase(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.utf8.span, b.utf8.span)
    return a.indices.allSatisfy { lower(a[$0]) == lower(b[$0]) }
  }

  /// The small letter of a capital one of ASCII.
  @inlinable
  public static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }
}

extension HTTPFields.Field {
  /// Reads `Name: value` (RFC 9110 §5): a token, a colon, a value without control characters but tabs.
  public init?(line: String) {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
    let name = String(line[..<colon])
    var value = line[line.index(after: colon)...]
    while value.first == " " || value.first == "\t" { value.removeFirst() }
    while value.last == " " || value.last == "\t" { value.removeLast() }
    guard name.utf8.allSatisfy(Self.isTokenByte),
      value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) })
    else { return nil }
    self.init(name: name, value: String(value))
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
