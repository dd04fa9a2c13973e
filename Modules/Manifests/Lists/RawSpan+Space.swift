extension RawSpan {
  /// Returns the range of a text in UTF-8 from a position on, without white space and invisible characters at its ends.
  /// Programs from which a URL is copied often leave some there, such as no-break spaces and zero-width spaces.
  func rangeWithoutSpace(from first: Int = 0) -> Range<Int> {
    var (start, end) = (first, byteCount)
    while end > start, case let count = spaceLength(before: end, from: start), count > 0 {
      end &-= count
    }
    while start < end, case let count = spaceLength(at: start), count > 0, start &+ count <= end {
      start &+= count
    }
    return start..<end
  }

  private func spaceLength(before end: Int, from start: Int) -> Int {
    let last = byte(end &- 1)
    guard last >= 0x80 else { return Self.isSpace(last) ? 1 : 0 }
    if end &- start >= 2, spaceLength(at: end &- 2) == 2 { return 2 }
    return end &- start >= 3 && spaceLength(at: end &- 3) == 3 ? 3 : 0
  }

  /// Returns the number of bytes of the white space or invisible character at a position; 0 if there is another one.
  private func spaceLength(at place: Int) -> Int {
    let first = byte(place)
    guard first >= 0x80 else { return Self.isSpace(first) ? 1 : 0 }
    guard first >= 0xc2, byteCount &- place >= 2 else { return 0 }
    let second = byte(place &+ 1)
    if first == 0xc2 { return second == 0x85 || second == 0xa0 ? 2 : 0 }
    guard byteCount &- place >= 3 else { return 0 }
    return Self.isSpace(first, second, byte(place &+ 2)) ? 3 : 0
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private static func isSpace(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    switch (first, second) {
    // U+2000 to U+200F, and U+2028 to U+202F.
    case (0xe2, 0x80): (0x80...0x8f).contains(third) || (0xa8...0xaf).contains(third)
    // U+205F and U+2060.
    case (0xe2, 0x81): third == 0x9f || third == 0xa0
    // U+3000.
    case (0xe3, 0x80): third == 0x80
    // U+FEFF.
    case (0xef, 0xbb): third == 0xbf
    default: false
    }
  }
}

extension String {
  /// The text without white space and invisible characters at its ends.
  package var withoutSpaceAtEnds: String {
    // Nearly all texts begin and end with a visible character of ASCII.
    guard let first = utf8.first, let last = utf8.last,
      !(0x21...0x7e).contains(first) || !(0x21...0x7e).contains(last)
    else { return self }
    var text = self
    text.makeContiguousUTF8()
    let bytes = text.utf8.span.bytes
    return bytes.extracting(bytes.rangeWithoutSpace()).text ?? self
  }
}
