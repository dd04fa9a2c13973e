/// Searches that process eight bytes at a time. `RawSpan` checks the bounds of every load.
extension RawSpan {
  func byte(_ index: Int) -> UInt8 { unsafeLoad(fromByteOffset: index, as: UInt8.self) }

  private func word(_ index: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns the index of the first byte equal to `value` at or after `start`, or nil.
  func firstIndex(of value: UInt8, from start: Int) -> Int? {
    let pattern = Self.ones &* UInt64(value)
    var index = start
    while byteCount &- index >= 8 {
      let difference = word(index) ^ pattern
      let found = (difference &- Self.ones) & ~difference & Self.highs
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < byteCount {
      if byte(index) == value { return index }
      index &+= 1
    }
    return nil
  }

  /// The index of the first control character or space (a byte of at most 0x20), or nil.
  var firstControlOrSpace: Int? {
    var index = 0
    while byteCount &- index >= 8 {
      let word = word(index)
      let found = (word &- (Self.ones &* 0x21)) & ~word & Self.highs
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < byteCount {
      if byte(index) <= 0x20 { return index }
      index &+= 1
    }
    return nil
  }

  /// The index of the first byte that is not JSON white space, or the number of bytes if there is none.
  var endOfWhiteSpace: Int {
    var index = 0
    while index < byteCount, [0x20, 0x09, 0x0a, 0x0d].contains(byte(index)) { index &+= 1 }
    return index
  }

  /// The bytes as UTF-8; nil if they are not. `String(validating:as:)` would look up generic metadata at run
  /// time for each call.
  var text: String? {
    withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { bytes in
        guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
        return String(copying: text)
      }
    }
  }
}
