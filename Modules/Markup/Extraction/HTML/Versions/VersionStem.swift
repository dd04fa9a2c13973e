/// The name of a file without what a program appends to name a version: `A._SL1500_`, `a.jpg_640x640`,
/// `0a1b2c3d4e5f_w948_r1.5`.
struct VersionStem {
  typealias Bytes = URLShape.Bytes

  /// The part of the file name that all versions of the image have.
  let name: Bytes
  let size: VersionSize

  init(_ stem: Bytes) {
    guard let end = Self.end(of: stem) else {
      (name, size) = (stem, VersionSize())
      return
    }
    name = stem[..<end]
    var size = VersionSize()
    for word in stem[end...].split(whereSeparator: { !VersionSize.isWordByte($0) }) {
      if let number = Self.number(word) {
        size.record(number, isHeight: word.first == UInt8(ascii: "h"))
      } else if let pixels = VersionSize.pixels(word, isFile: false) {
        size.record(pixels, isHeight: VersionSize.isHeight(word))
      }
    }
    self.size = size
  }

  /// Returns the index after the name of the image; nil if it is the whole stem.
  private static func end(of stem: Bytes) -> Int? {
    if stem.last == 0x5f, let options = stem.dropFirst().firstRange(of: [0x2e, 0x5f]) {
      return options.lowerBound
    }
    for (index, byte) in zip(stem.indices, stem).dropFirst() where byte == UInt8(ascii: ".") {
      let word = stem[(index + 1)...].prefix(while: VersionSize.isWordByte)
      let name = String(decoding: word.lazy.map(ASCII.lowercased), as: UTF8.self)
      if word.endIndex < stem.endIndex, URLShape.photoExtensions.contains(name) { return index }
    }
    return endOfDigest(in: stem)
  }

  /// Returns the index after a digest that only the names of a size follow.
  private static func endOfDigest(in stem: Bytes) -> Int? {
    guard stem.count >= 12 else { return nil }
    var end: Int?
    for part in stem.split(whereSeparator: { !VersionSize.isWordByte($0) && $0 != 0x2e }) {
      let isPartOfUUID =
        end != nil && part.count == 4 && part.allSatisfy(ASCII.isHexadecimalDigit)
        && part.contains(where: ASCII.isLetter)
      if part.count >= 8 && Words.isDigest(part) || part.count >= 12 && isUnique(part)
        || isPartOfUUID
      {
        end = part.endIndex
      } else if end != nil, !isSize(part) {
        end = nil
      }
    }
    return end.flatMap { $0 < stem.endIndex ? $0 : nil }
  }

  /// Whether a part has digits between letters, as an identifier of twelve letters and digits has.
  private static func isUnique(_ part: Bytes) -> Bool {
    part.split { !ASCII.isDigit($0) }.count >= 2
      && part.split(whereSeparator: ASCII.isDigit).count >= 2
  }

  /// Whether a part names a size, or another property of a version such as `r1.5` or `q80`.
  private static func isSize(_ part: Bytes) -> Bool {
    let text = String(decoding: part.lazy.map(ASCII.lowercased), as: UTF8.self)
    if let number = Int(text) { return VersionWords.commonWidths.contains(number) }
    if VersionWords.any.contains(text) || VersionSize.pixels(part, isFile: false) != nil {
      return true
    }
    let letters = text.prefix { $0.isLetter }
    return ["r", "q", "fpx", "fpy", "w", "h"].contains(letters)
      && Double(text.dropFirst(letters.count)) != nil
  }

  /// Returns the number of a word such as `SL1500`, `UX182` or `800`; nil for another one.
  private static func number(_ word: Bytes) -> Int? {
    let letters = word.prefix(while: ASCII.isLetter)
    let digits = word[letters.endIndex...]
    let prefix = String(decoding: letters, as: UTF8.self)
    guard ["", "SL", "SX", "SY", "SS", "UX", "UY", "US", "UL", "AA", "SR"].contains(prefix),
      let number = VersionSize.number(digits)
    else { return nil }
    return prefix.isEmpty && !VersionWords.commonWidths.contains(number) ? nil : number
  }
}
