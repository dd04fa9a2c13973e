/// The header fields of a message in the order of their arrival.
///
/// Names compare without regard to case (RFC 9110 §5.1). Values are read as text; bytes above
/// 0x7F that are not UTF-8 are read as Latin-1, so that no message is lost to its encoding.
///
/// All fields are stored in one byte array: a response has a dozen of them, of which only the two or three
/// that a caller reads become strings.
public struct HTTPFields: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The lengths stored before the bytes of each field.
  private struct Lengths {
    let name: Int
    let value: Int

    static var size: Int { MemoryLayout<Self>.size }

    /// The size of the whole field in bytes, the lengths included.
    var all: Int { Self.size + name + value }
  }

  /// The position of a field in `bytes`.
  private struct FieldLocation {
    let start: Int
    let lengths: Lengths

    var end: Int { start + lengths.all }
    var name: Range<Int> { (start + Lengths.size)..<(end - lengths.value) }
    var value: Range<Int> { (end - lengths.value)..<end }
  }

  /// The fields, each stored as its `Lengths`, the bytes of its name and the bytes of its value.
  private var bytes: [UInt8] = []
  /// The marks of all names that were appended. Most look-ups are for names that a message does not have, and end
  /// here. A removed name may leave its mark.
  private var marks: UInt64 = 0

  public static func == (a: HTTPFields, b: HTTPFields) -> Bool { a.bytes == b.bytes }

  /// Returns one bit for a name, which names that differ in case share.
  private static func mark(of name: RawSpan) -> UInt64 {
    let count = name.byteCount
    guard count > 0 else { return 1 }
    let first = name.unsafeLoad(fromByteOffset: 0, as: UInt8.self) | 0x20
    let last = name.unsafeLoad(fromByteOffset: count - 1, as: UInt8.self) | 0x20
    return 1 << UInt64(truncatingIfNeeded: (Int(first) &* 7 &+ Int(last) &* 3 &+ count) & 63)
  }

  public init(_ fields: [Field] = []) {
    for field in fields { append(field.name, field.value) }
  }

  public init(_ pairs: KeyValuePairs<String, String>) {
    for (name, value) in pairs { append(name, value) }
  }

  public var isEmpty: Bool { bytes.isEmpty }

  /// The number of fields, which are counted on each access. O(number of fields).
  public var count: Int {
    var count = 0
    forEach { _, _ in count += 1 }
    return count
  }

  /// All fields as strings, which are created anew on each access.
  public var fields: [Field] {
    var fields: [Field] = []
    forEach { fields.append(Field(name: Self.text($0), value: Self.text($1))) }
    return fields
  }

  /// Calls `body` with the bytes of each name and value.
  public func forEach<Failure: Error>(
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes = bytes.span
    var start = 0
    while start < bytes.count {
      let location = Self.location(at: start, in: bytes)
      try body(bytes.extracting(location.name), bytes.extracting(location.value))
      start = location.end
    }
  }

  /// Reserves space for the given number of fields and the bytes of their names and values.
  public mutating func reserveCapacity(fields: Int, bytes count: Int) {
    bytes.reserveCapacity(bytes.count + fields * Lengths.size + count)
  }

  public mutating func append(_ name: String, _ value: String) {
    append(name: name.utf8.span.bytes, value: value.utf8.span.bytes)
  }

  /// Appends a field with the bytes as received.
  public mutating func append(name: RawSpan, value: RawSpan) {
    let lengths = Lengths(name: name.byteCount, value: value.byteCount)
    marks |= Self.mark(of: name)
    bytes.append(addingCapacity: lengths.all) { field in
      field.withUnsafeMutableBufferPointer { buffer, count in
        let field = UnsafeMutableRawBufferPointer(buffer)
        field.storeBytes(of: lengths, as: Lengths.self)
        let rest = UnsafeMutableRawBufferPointer(rebasing: field[Lengths.size...])
        name.withUnsafeBytes { rest.copyMemory(from: $0) }
        value.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: rest[lengths.name...]).copyMemory(from: $0)
        }
        count = lengths.all
      }
    }
  }

  /// Appends a continuation line to the last value (RFC 9112 §5.2). The value is extended in place, because a
  /// header section may consist of nothing but such lines. O(number of fields + length of the line).
  public mutating func fold(_ line: RawSpan) {
    var (last, start) = (FieldLocation?.none, 0)
    while start < bytes.count {
      let location = Self.location(at: start, in: bytes.span)
      (last, start) = (location, location.end)
    }
    guard let last else { return }
    if last.lengths.value > 0 { bytes.append(UInt8(ascii: " ")) }
    line.withUnsafeBytes { bytes.append(contentsOf: $0) }
    let lengths = Lengths(name: last.lengths.name, value: bytes.count - last.value.lowerBound)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: lengths, toByteOffset: last.start, as: Lengths.self)
    }
  }

  /// Replaces all fields called `name` with one field that has the given value.
  public mutating func set(_ name: String, _ value: String) {
    remove(name)
    append(name, value)
  }

  public mutating func remove(_ name: String) {
    while let location = location(of: name) { bytes.removeSubrange(location.start..<location.end) }
  }

  /// The value of the first field of that name. O(number of fields).
  public subscript(name: String) -> String? {
    location(of: name).map { Self.text(bytes.span.extracting($0.value)) }
  }

  /// Whether there is a field of that name. O(number of fields).
  public func contains(_ name: String) -> Bool { location(of: name) != nil }

  /// Calls `body` with the bytes of the first field of that name; nil if there is none. O(number of fields).
  public func withValue<Result>(
    of name: String, _ body: (Span<UInt8>) -> Result
  ) -> Result? {
    location(of: name).map { body(bytes.span.extracting($0.value)) }
  }

  public func all(_ name: String) -> [String] { values(of: name, Self.text) }

  /// Returns the values of all fields of that name, which are references to resources. O(number of fields).
  public func references(_ name: String) -> [String] {
    values(of: name) { FieldText.reference($0.bytes) }
  }

  private func values(of name: String, _ text: (Span<UInt8>) -> String) -> [String] {
    var values: [String] = []
    var start = 0
    while let location = location(of: name, from: start) {
      values.append(text(bytes.span.extracting(location.value)))
      start = location.end
    }
    return values
  }

  /// Returns the position of the first field of that name at or after `start`.
  private func location(of name: String, from start: Int = 0) -> FieldLocation? {
    let name = name.utf8.span
    guard marks & Self.mark(of: name.bytes) != 0 else { return nil }
    let bytes = bytes.span
    var start = start
    while start < bytes.count {
      let location = Self.location(at: start, in: bytes)
      if location.lengths.name == name.count, Self.isSame(bytes.extracting(location.name), name) {
        return location
      }
      start = location.end
    }
    return nil
  }

  private static func location(at start: Int, in bytes: Span<UInt8>) -> FieldLocation {
    // The unchecked load is safe, because `append` stores complete lengths at the start of each field.
    FieldLocation(
      start: start,
      lengths: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: Lengths.self))
  }

  private static func text(_ bytes: Span<UInt8>) -> String { FieldText.decode(bytes.bytes) }
}

extension HTTPFields {
  /// Compares two texts without regard to ASCII case. The function is inlinable, because its unspecialized
  /// version would take longer than the rest of parsing a header section.
  @inlinable
  public static func isSame(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.count == b.utf8.count
      && zip(a.utf8, b.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// Compares two strings without regard to ASCII case.
  public static func isSame(_ a: String, _ b: String) -> Bool { isSame(a.utf8.span, b.utf8.span) }

  /// Compares bytes without regard to ASCII case. Equal bytes, the usual case, are not converted.
  public static func isSame(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for index in a.indices
    where a[index] != b[index] && lowercased(a[index]) != lowercased(b[index]) {
      return false
    }
    return true
  }

  /// Returns the lower-case form of an ASCII capital letter, and every other byte unchanged.
  @inlinable
  public static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }
}

extension HTTPFields.Field {
  /// Parses `Name: value` (RFC 9110 §5): a token, a colon, and a value without control characters except
  /// tabs.
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
