extension String {
  /// Creates a string in one allocation, for text that is built thousands of times per second.
  /// - Parameters:
  ///   - capacity: The maximum number of bytes that `write` may append.
  ///   - write: Appends UTF-8; invalid sequences are repaired.
  @inlinable
  public init(utf8Capacity capacity: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    self.init(unsafeUninitializedCapacity: capacity) { buffer in
      var output = OutputSpan(buffer: buffer, initializedCount: 0)
      write(&output)
      return output.finalize(for: buffer)
    }
  }
}

extension OutputSpan<UInt8> {
  @inlinable
  public mutating func append(_ text: String) { append(text.utf8.span) }

  @inlinable
  public mutating func append(_ text: Substring) { append(text.utf8.span) }

  @inlinable
  public mutating func append(_ bytes: Span<UInt8>) { append(bytes.bytes) }

  /// Copies the bytes at once; appending single bytes takes several times as long.
  @inlinable
  public mutating func append(_ bytes: RawSpan) {
    precondition(bytes.byteCount <= freeCapacity)
    bytes.withUnsafeBytes { bytes in
      withUnsafeMutableBufferPointer { buffer, count in
        UnsafeMutableRawBufferPointer(buffer.extracting(count...)).copyMemory(from: bytes)
        count += bytes.count
      }
    }
  }

  /// - Parameter width: The minimum number of digits, to which shorter numbers are padded with zeros.
  @inlinable
  public mutating func append(decimal number: UInt, width: Int = 1) {
    let digits = number.decimalDigits
    for _ in 0..<max(0, width - digits) { append(UInt8(ascii: "0")) }
    var power: UInt = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
      power /= 10
    }
  }

  /// Appends the word as 16 lower-case hexadecimal digits.
  @inlinable
  public mutating func append(hexadecimal word: UInt64) {
    var rest = word
    for _ in 0..<16 {
      rest = rest << 4 | rest >> 60
      let digit = UInt8(truncatingIfNeeded: rest & 15)
      append(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }
}

extension Span<UInt8> {
  /// The bytes parsed as a decimal number without a sign; nil if they are no number or exceed 63 bits.
  public var decimal: Int64? {
    guard !isEmpty else { return nil }
    var number: Int64 = 0
    for index in indices {
      guard self[index] >= UInt8(ascii: "0"), self[index] <= UInt8(ascii: "9") else { return nil }
      let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int64(self[index] & 0x0f))
      guard !overflow, !carry else { return nil }
      number = sum
    }
    return number
  }
}

extension UInt {
  /// The number of decimal digits.
  @inlinable
  public var decimalDigits: Int {
    var (rest, digits) = (self, 1)
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    return digits
  }
}
