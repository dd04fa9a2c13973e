/// The sides of an image in pixels that a part of a URL names.
struct VersionSize {
  typealias Bytes = URLShape.Bytes

  /// The largest number that is a side of an image in pixels.
  private static let limit = 20_000

  private var width: Int?
  private var height: Int?

  /// The width, or else the height; nil if neither is known.
  var pixels: Int? { width ?? height }

  /// Whether both sides are known and the width is at least three times the height.
  var isWide: Bool {
    guard let width, let height else { return false }
    return width / 3 >= height
  }

  mutating func record(_ number: Int, isHeight: Bool = false) {
    guard (16...Self.limit).contains(number) else { return }
    if isHeight {
      height = max(height ?? 0, number)
    } else {
      width = max(width ?? 0, number)
    }
  }

  /// Multiplies the sides by the number of pixels of the screen for each of the page.
  mutating func multiply(by density: Double) {
    width = width.map { min(Int(Double($0) * density), Self.limit) }
    height = height.map { min(Int(Double($0) * density), Self.limit) }
  }

  /// Returns the smaller of two sizes: programs do not enlarge what another part of the URL has reduced.
  func limited(by other: VersionSize) -> VersionSize {
    guard let mine = pixels else { return other }
    guard let theirs = other.pixels else { return self }
    return theirs < mine ? other : self
  }

  /// Records the sizes in a text that consists of options, such as `resize,w_800`, `w/800`, `300x200` and
  /// `s640`.
  mutating func recordOptions(in text: Bytes) {
    var index = text.startIndex
    var dimension: String?
    while let word = Self.nextWord(in: text, &index) {
      let lower = String(decoding: word.lazy.map(ASCII.lowercased), as: UTF8.self)
      if let dimension, let number = Self.number(word) {
        record(number, isHeight: dimension.hasPrefix("h") || dimension == "mh")
      } else if let pixels = Self.pixels(word, isFile: false) {
        record(pixels, isHeight: Self.isHeight(word))
        if let height = Self.height(word) { record(height, isHeight: true) }
      }
      dimension = VersionWords.optionDimensions.contains(lower) ? lower : nil
    }
  }

  /// Returns the second number of a word such as `300x200`; nil for another word.
  static func height(_ word: Bytes) -> Int? {
    guard let mark = word.dropFirst().firstIndex(where: { $0 | 0x20 == 0x78 }) else { return nil }
    return number(word[(mark + 1)...].prefix(while: ASCII.isDigit))
  }

  static func isHeight(_ word: Bytes) -> Bool {
    word.first.map(ASCII.lowercased) == UInt8(ascii: "h")
      || word.last.map(ASCII.lowercased) == UInt8(ascii: "h")
  }

  static func nextWord(in text: Bytes, _ index: inout Int) -> Bytes? {
    while index < text.endIndex, !isWordByte(text[index]) { index += 1 }
    let start = index
    while index < text.endIndex, isWordByte(text[index]) { index += 1 }
    return index > start ? text[start..<index] : nil
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte >= 0x80
  }

  /// Returns the width of a word such as `300x200`, `600x600bb`, `540x`, `220px`, `640w`, and, unless it is in
  /// the name of a file, `w640`, `h480`, `s1600`, `mw690`, `max1024x768`; nil for other words. Numbers that are
  /// too small for a size are not such.
  static func pixels(_ word: Bytes, isFile: Bool) -> Int? {
    guard word.count >= 3, word.count <= 16 else { return nil }
    let digits = word.prefix(while: ASCII.isDigit)
    if digits.isEmpty { return isFile ? nil : prefixedPixels(word) }
    let rest = word[digits.endIndex...]
    guard let number = number(digits), let unit = rest.first.map(ASCII.lowercased) else {
      return nil
    }
    switch (unit, rest.count) {
    case (UInt8(ascii: "x"), 1): return number
    // Of any height.
    case (UInt8(ascii: "x"), 2) where ASCII.lowercased(rest[rest.startIndex + 1]) == 0x6e:
      return number
    case (UInt8(ascii: "x"), _): return isHeightWithLetters(rest.dropFirst()) ? number : nil
    case (UInt8(ascii: "p"), 2) where ASCII.lowercased(rest[rest.startIndex + 1]) == 0x78:
      return number
    case (UInt8(ascii: "w"), 1): return number >= 100 ? number : nil
    case (UInt8(ascii: "h"), 1): return isFile || number < 100 ? nil : number
    default: return nil
    }
  }

  /// Returns the number after the letters of a word such as `w640` or `max1024x768`.
  private static func prefixedPixels(_ word: Bytes) -> Int? {
    let letters = word.prefix(while: ASCII.isLetter)
    guard letters.count <= 8 else { return nil }
    let rest = word[letters.endIndex...]
    let digits = rest.prefix(while: ASCII.isDigit)
    guard let number = number(digits) else { return nil }
    let end = rest[digits.endIndex...]
    if end.first.map(ASCII.lowercased) == UInt8(ascii: "x") {
      return isHeightWithLetters(end.dropFirst()) ? number : nil
    }
    let prefix = String(decoding: letters.lazy.map(ASCII.lowercased), as: UTF8.self)
    return end.isEmpty && VersionWords.sizePrefixes.contains(prefix) ? number : nil
  }

  /// Whether a text is a height, or a 0 for any, and at most two letters that tell how the image is cut.
  private static func isHeightWithLetters(_ text: Bytes) -> Bool {
    let digits = text.prefix(while: ASCII.isDigit)
    let letters = text[digits.endIndex...]
    return (number(digits) != nil || digits.elementsEqual("0".utf8))
      && letters.count <= 2 && letters.allSatisfy(ASCII.isLetter)
  }

  /// Returns a number of pixels; nil for another text.
  static func number(_ digits: Bytes) -> Int? {
    guard (2...5).contains(digits.count) else { return nil }
    var number = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number >= 16 ? number : nil
  }
}
