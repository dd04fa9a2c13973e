import CIconv

/// A name in Shift-JIS, GBK or Big5, which Japanese and Chinese versions of Windows write into archives without naming
/// the encoding.
///
/// In all three, the second byte of a character may be 0x5C, the code of `\` in ASCII: a name must be decoded before it
/// is divided at its separators. An encoding is recognised by the characters that texts in it consist of: each has a
/// range of frequent characters, which in the other two are rare ones.
enum DoubleByteName: CaseIterable {
  // If two encodings fit equally well, the first one is taken.
  case shiftJIS, gbk, big5

  /// The lowest mean plausibility of the characters above ASCII for an encoding to be taken.
  private static let threshold = 0.5

  /// Returns the text of a name in the encoding that fits best; nil if none of them fits, or if this machine lacks the
  /// tables for it.
  static func decode(_ bytes: [UInt8]) -> String? {
    var best: (encoding: DoubleByteName, plausibility: Double)?
    for encoding in allCases {
      guard let plausibility = encoding.plausibility(of: bytes), plausibility >= threshold,
        plausibility > best?.plausibility ?? 0
      else { continue }
      best = (encoding, plausibility)
    }
    return best?.encoding.converted(bytes)
  }

  /// Loads the tables, because a confined worker cannot open files later. The conversions stay open, which keeps their
  /// tables loaded.
  static func prepare() {
    for encoding in allCases {
      _ = imgdl_iconv_open(encoding.iconvName)
      _ = imgdl_iconv_open_to(encoding.iconvName)
    }
  }

  private var iconvName: String {
    switch self {
    case .shiftJIS: "CP932"
    case .gbk: "GBK"
    case .big5: "BIG5"
    }
  }

  private func converted(_ bytes: [UInt8]) -> String? {
    guard let conversion = imgdl_iconv_open(iconvName) else { return nil }
    defer { imgdl_iconv_close(conversion) }
    return Self.converted(bytes, by: conversion).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns a text in this encoding; nil if a character of it is missing there.
  func encoded(_ text: String) -> [UInt8]? {
    guard let conversion = imgdl_iconv_open_to(iconvName) else { return nil }
    defer { imgdl_iconv_close(conversion) }
    return Self.converted(Array(text.utf8), by: conversion)
  }

  private static func converted(
    _ bytes: [UInt8], by conversion: UnsafeMutableRawPointer
  ) -> [UInt8]? {
    var (source, left) = (bytes.map { CChar(bitPattern: $0) }, bytes.count)
    // A character of two bytes has at most three in UTF-8, and so has one of a single byte.
    var target = [CChar](repeating: 0, count: 3 * bytes.count)
    var room = target.count
    let error = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (input, output) = (source.baseAddress, target.baseAddress)
        return imgdl_iconv(conversion, &input, &left, &output, &room)
      }
    }
    guard error == 0, left == 0 else { return nil }
    return target[..<(target.count - room)].map { UInt8(bitPattern: $0) }
  }

  // MARK: - Plausibility

  /// A character of a name: its place in the bytes, and how plausible it is as a part of a text from 0 to 1.
  private struct Unit {
    let start: Int
    let end: Int
    let plausibility: Double
    /// Whether it is a katakana letter of a single byte.
    var isHalfWidth = false
  }

  /// Returns the mean plausibility of the characters above ASCII; nil if the bytes are not valid, or are all ASCII.
  private func plausibility(of bytes: [UInt8]) -> Double? {
    guard let units = units(of: bytes), !units.isEmpty else { return nil }
    var sum = 0.0
    for (index, unit) in units.enumerated() {
      let isFirst = index == 0 || units[index - 1].end < unit.start
      let isLast = index + 1 == units.count || units[index + 1].start > unit.end
      sum += isFirst && isLast ? Self.lonely(unit, in: bytes) : unit.plausibility
    }
    return sum / Double(units.count)
  }

  /// Returns the plausibility of a character without another one above ASCII beside it. Within a word of Latin letters
  /// it is rather an accented letter, with the letter after it, in a code page for Western Europe: `K\u{94}ln`.
  private static func lonely(_ unit: Unit, in bytes: [UInt8]) -> Double {
    let isAfterLetter = unit.start > 0 && isLetter(bytes[unit.start - 1])
    let isBeforeLetter = unit.end < bytes.count && isLetter(bytes[unit.end])
    if isAfterLetter && isBeforeLetter { return -1 }
    if unit.isHalfWidth { return isAfterLetter || isBeforeLetter ? -1 : 0 }
    if isLetter(bytes[unit.end - 1]) {
      return isAfterLetter || isBeforeLetter ? -1 : unit.plausibility
    }
    return unit.plausibility
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte & 0xdf)
  }

  /// Returns the characters above ASCII; nil if the bytes are not valid in this encoding.
  private func units(of bytes: [UInt8]) -> [Unit]? {
    var units: [Unit] = []
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
      } else if self == .shiftJIS, (0xa1...0xdf).contains(lead) {
        units.append(Unit(start: index, end: index + 1, plausibility: 0.5, isHalfWidth: true))
        index += 1
      } else {
        guard index + 1 < bytes.count, let plausibility = plausibility(lead, bytes[index + 1])
        else { return nil }
        units.append(Unit(start: index, end: index + 2, plausibility: plausibility))
        index += 2
      }
    }
    return units
  }

  /// Returns the plausibility of a character of two bytes; nil if there is none.
  private func plausibility(_ lead: UInt8, _ trail: UInt8) -> Double? {
    switch self {
    case .shiftJIS: Self.shiftJIS(lead, trail)
    case .gbk: Self.gbk(lead, trail)
    case .big5: Self.big5(lead, trail)
    }
  }

  private static func shiftJIS(_ lead: UInt8, _ trail: UInt8) -> Double? {
    guard (0x40...0xfc).contains(trail), trail != 0x7f else { return nil }
    switch (lead, trail) {
    // Digits and Latin letters of full width, and Hiragana; Katakana.
    case (0x82, 0x4f...0x9a), (0x82, 0x9f...0xf1), (0x83, 0x40...0x96): return 1
    // The kanji of the first level.
    case (0x88, 0x9f...0xfc), (0x89...0x97, _), (0x98, 0x40...0x72): return 1
    // The punctuation up to the corner brackets, which titles have.
    case (0x81, 0x40...0x7a): return 0.8
    case (0x98...0x9f, _), (0xe0...0xea, _): return 0.4
    case (0x81...0x84, _), (0x87, _), (0xed...0xee, _), (0xfa...0xfc, _): return 0
    default: return nil
    }
  }

  private static func gbk(_ lead: UInt8, _ trail: UInt8) -> Double? {
    guard (0x40...0xfe).contains(trail), trail != 0x7f else { return nil }
    switch (lead, trail) {
    // The hanzi of the first level; those of the second.
    case (0xb0...0xd7, 0xa1...0xfe): return 1
    case (0xd8...0xf7, 0xa1...0xfe): return 0.6
    // Punctuation, and characters of full width.
    case (0xa1, 0xa1...0xfe), (0xa3, 0xa1...0xfe): return 0.8
    case (0xa2, 0xa1...0xfe), (0xa4...0xa9, 0xa1...0xfe): return 0
    // The traditional hanzi, among them all with the second byte 0x5C.
    case (0x81...0xa0, _), (0xaa...0xfe, 0x40...0xa0): return 0.6
    case (0xa8...0xa9, 0x40...0xa0): return 0
    default: return nil
    }
  }

  private static func big5(_ lead: UInt8, _ trail: UInt8) -> Double? {
    guard (0x40...0x7e).contains(trail) || (0xa1...0xfe).contains(trail) else { return nil }
    switch lead {
    // The hanzi of the first level; those of the second.
    case 0xa4...0xc6: return 1
    case 0xc9...0xf9: return 0.4
    case 0xa1...0xa3: return 0.8
    default: return nil
    }
  }
}
