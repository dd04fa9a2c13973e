/// A buffer of bytes for the terminal.
struct Output {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Removes all bytes, and keeps the memory for the next frame.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func truncate(to count: Int) { bytes.removeLast(max(0, bytes.count - count)) }

  @inline(__always)
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  /// Appends a number in decimal digits.
  @inline(__always)
  mutating func append(number: Int) {
    if number >= 0, number < 10 {
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number))
    } else if number >= 0, number < 100 {
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number / 10))
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
    } else if number >= 0, number < 1000 {
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number / 100))
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number / 10 % 10))
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
    } else {
      bytes.append(contentsOf: String(number).utf8)
    }
  }

  /// Appends a Unicode scalar as UTF-8, or U+FFFD if the value is not a scalar.
  @inline(__always)
  mutating func append(scalar value: UInt32) {
    if value < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value))
    } else {
      append(contentsOfScalar: value)
    }
  }

  private mutating func append(contentsOfScalar value: UInt32) {
    let scalar = Unicode.Scalar(value) ?? "\u{fffd}"
    bytes.append(
      contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
  }

  /// Appends CUP, which moves the cursor to a cell.
  @inline(__always)
  mutating func move(to column: Int, _ row: Int) {
    append("\u{1b}[")
    append(number: row &+ 1)
    append(0x3b)
    append(number: column &+ 1)
    append(0x48)
  }
}
