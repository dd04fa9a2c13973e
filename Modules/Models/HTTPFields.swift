/// Header fields of a message in the order they came.
///
/// Names compare without regard to case (RFC 9110 §5.1). Values are read as text; bytes above
/// 0x7F that are not UTF-8 are read as Latin-1, so that no message is lost to its encoding.
///
/// They lie in one row of bytes, as they came: a response has a dozen of them, two or three of
/// which are looked at, and only those become strings.
public struct HTTPFields: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What stands before the bytes of a field.
  private struct Lengths {
    let name: Int
    let value: Int

    static var size: Int { MemoryLayout<Self>.size }

    /// Bytes of the whole field.
    var all: Int { Self.size + name + value }
  }

  /// Where a field lies.
  private struct Place {
    let start: Int
    let lengths: Lengths

    var end: Int { start + lengths.all }
    var name: Range<Int> { (start + Lengths.size)..<(end - lengths.value) }
    var value: Range<Int> { (end - lengths.value)..<end }
  }

  /// Of each field its `Lengths`, its name and its value.
  private var octets: [UInt8] = []

  public init(_ fields: [Field] = []) {
    for field in fields { append(field.name, field.value) }
  }

  public init(_ pairs: KeyValuePairs<String, String>) {
    for (name, value) in pairs { append(name, value) }
  }

  public var isEmpty: Bool { octets.isEmpty }

  /// O(number of fields).
  public var count: Int {
    var count = 0
    forEach { _, _ in count += 1 }
    return count
  }

  /// All of them as texts, which are made again each time.
  public var fields: [Field] {
    var fields: [Field] = []
    forEach { fields.append(Field(name: Self.text($0), value: Self.text($1))) }
    return fields
  }

  /// Shows the bytes of each name and value.
  public func forEach<Failure: Error>(
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let octets = octets.span
    var start = 0
    while start < octets.count {
      let place = Self.place(at: start, in: octets)
      try body(octets.extracting(place.name), octets.extracting(place.value))
      start = place.end
    }
  }

  /// Makes room for so many bytes of names and values, where they are known to come.
  public mutating func reserveCapacity(fields: Int, octets count: Int) {
    octets.reserveCapacity(octets.count + fields * Lengths.size + count)
  }

  public mutating func append(_ name: String, _ value: String) {
    append(name: name.utf8.span.bytes, value: value.utf8.span.bytes)
  }

  /// Takes a field as it came.
  public mutating func append(name: RawSpan, value: RawSpan) {
    let lengths = Lengths(name: name.byteCount, value: value.byteCount)
    octets.append(addingCapacity: lengths.all) { field in
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

  /// Adds to the last field what a folded line continues it with (RFC 9112 §5.2). Where it lies: a
  /// head may be nothing but such lines. O(number of fields + length of the line).
  public mutating func fold(_ line: RawSpan) {
    var (last, start) = (Place?.none, 0)
    while start < octets.count {
      let place = Self.place(at: start, in: octets.span)
      (last, start) = (place, place.end)
    }
    guard let last else { return }
    if last.lengths.value > 0 { octets.append(UInt8(ascii: " ")) }
    line.withUnsafeBytes { octets.append(contentsOf: $0) }
    let lengths = Lengths(name: last.lengths.name, value: octets.count - last.value.lowerBound)
    octets.withUnsafeMutableBytes {
      $0.storeBytes(of: lengths, toByteOffset: last.start, as: Lengths.self)
    }
  }

  /// Puts `value` in place of every field of that name.
  public mutating func set(_ name: String, _ value: String) {
    remove(name)
    append(name, value)
  }

  public mutating func remove(_ name: String) {
    while let place = place(of: name) { octets.removeSubrange(place.start..<place.end) }
  }

  /// The value of the first field of that name. O(number of fields).
  public subscript(name: String) -> String? {
    place(of: name).map { Self.text(octets.span.extracting($0.value)) }
  }

  public func all(_ name: String) -> [String] {
    var values: [String] = []
    var start = 0
    while let place = place(of: name, from: start) {
      values.append(Self.text(octets.span.extracting(place.value)))
      start = place.end
    }
    return values
  }

  /// The first field of that name at `start` or behind.
  private func place(of name: String, from start: Int = 0) -> Place? {
    let (octets, name) = (octets.span, name.utf8.span)
    var start = start
    while start < octets.count {
      let place = Self.place(at: start, in: octets)
      if place.lengths.name == name.count, Self.isSame(octets.extracting(place.name), name) {
        return place
      }
      start = place.end
    }
    return nil
  }

  private static func place(at start: Int, in octets: Span<UInt8>) -> Place {
    // Unchecked: `append` has put whole lengths there.
    Place(
      start: start,
      lengths: octets.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: Lengths.self))
  }

  private static func text(_ octets: Span<UInt8>) -> String { FieldText.decode(octets.bytes) }
}

extension HTTPFields {
  /// ASCII case-insensitive comparison. Inlined into callers: unspecialised it costs more than all
  /// the rest of reading a head.
  @inlinable
  public static func isSame(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lower($0) == lower($1) }
  }

  /// The same for texts that are whole.
  public static func isSame(_ a: String, _ b: String) -> Bool { isSame(a.utf8.span, b.utf8.span) }

  /// The same for bytes. Most names are of another length, and the rest is written as we write it.
  public static func isSame(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for index in a.indices where a[index] != b[index] && lower(a[index]) != lower(b[index]) {
      return false
    }
    return true
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
