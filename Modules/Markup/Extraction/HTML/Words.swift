/// Divides names of classes and files into words.
enum Words {
  /// Returns the words of a text in lower case: runs of letters, and runs of digits. A capital after a small
  /// letter begins a word, so `siteLogo-2x` has the words `site`, `logo`, `2` and `x`. Characters that are not
  /// ASCII count as letters.
  static func split(_ text: some StringProtocol) -> [String] { split(text.utf8) }

  static func split(_ bytes: some Sequence<UInt8>) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var last = Kind.other
    for byte in bytes {
      let kind = Kind(byte)
      let isBoundary =
        kind.isLetter ? !last.isLetter || last == .small && kind == .capital : kind != last
      if isBoundary, !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word.removeAll(keepingCapacity: true)
      }
      if kind != .other { word.append(kind == .capital ? byte | 0x20 : byte) }
      last = kind
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  /// Returns the words of a name without those of digests in it, such as that of `logo-0a1b2c3d4e.png`, whose
  /// letters mean nothing.
  static func withoutDigests(_ name: some Collection<UInt8>) -> [String] {
    name.split { !ASCII.isDigit($0) && !ASCII.isLetter($0) && $0 < 0x80 }
      .filter { !isDigest($0) && !isMixedDigest($0) && !isGenerated($0) }
      .flatMap { split($0) }
  }

  /// Whether a part of a name is a number in hexadecimal digits, of which some are letters and some are not.
  static func isDigest(_ part: some Collection<UInt8>) -> Bool {
    part.count >= 6 && part.contains(where: ASCII.isDigit) && part.contains(where: ASCII.isLetter)
      && part.allSatisfy(ASCII.isHexadecimalDigit)
  }

  /// Whether a part of a name is a digest in digits, small letters and capitals, such as `3Y0hT`, with which
  /// programs make the names of classes unique. A part with a word in it, such as `Logo2x`, is none.
  static func isMixedDigest(_ part: some Collection<UInt8>) -> Bool {
    guard part.count <= 12, let digit = part.firstIndex(where: ASCII.isDigit),
      part[digit...].contains(where: ASCII.isLetter), part.contains(where: ASCII.isCapital)
    else { return false }
    return !part.split { !ASCII.isLetter($0) || ASCII.isCapital($0) }.contains { $0.count > 2 }
  }

  /// Whether a part of a name has at least three numbers between letters, as a digest after a word has.
  private static func isGenerated(_ part: some Collection<UInt8>) -> Bool {
    part.split { !ASCII.isDigit($0) }.count >= 3
  }

  private enum Kind {
    case small, capital, digit, other

    init(_ byte: UInt8) {
      switch byte {
      case 0x61...0x7a, 0x80...0xff: self = .small
      case 0x41...0x5a: self = .capital
      case 0x30...0x39: self = .digit
      default: self = .other
      }
    }

    var isLetter: Bool { self == .small || self == .capital }
  }

  /// Returns the text with runs of white space replaced by a space, without surrounding white space; nil if
  /// nothing remains.
  static func collapsed(_ text: String) -> String? {
    var result = ""
    var hasSpace = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        hasSpace = true
      } else {
        if hasSpace, !result.isEmpty { result.append(" ") }
        hasSpace = false
        result.unicodeScalars.append(scalar)
      }
    }
    return result.isEmpty ? nil : result
  }
}
