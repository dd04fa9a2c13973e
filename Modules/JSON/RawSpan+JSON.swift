/// Reading that processes eight bytes at a time. `RawSpan` checks the bounds of every load.
extension RawSpan {
  func byte(_ index: Int) -> UInt8 { unsafeLoad(fromByteOffset: index, as: UInt8.self) }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns the end of the run of plain ASCII at `start` in a JSON string: the index of the first quotation
  /// mark, backslash, control character or byte above 0x7F, or `end` if there is none.
  func endOfPlainText(from start: Int, to end: Int) -> Int {
    var index = start
    while end &- index >= 8 {
      let word = UInt64(
        littleEndian: unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quotation = word ^ (Self.ones &* 0x22)
      let backslash = word ^ (Self.ones &* 0x5c)
      // The expression sets the high bit of the first matching byte; the bits above may be wrong and are
      // ignored.
      let below = word &- (Self.ones &* 0x20)
      let found =
        (below | (quotation &- Self.ones) | (backslash &- Self.ones) | word) & Self.highs
      if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < end, Self.isPlain(byte(index)) { index &+= 1 }
    return index
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5c
  }
}
