import CIconv
package import Models

/// The bytes of a password as programs have encrypted with it. ZIP states no encoding for passwords: programs for Windows
/// use the code page of the console or that of windows, others UTF-8 in the composition of the keyboard.
package enum PasswordEncodings {
  /// Returns the different bytes of a password, the most likely ones first: the given UTF-8, composed and decomposed UTF-8,
  /// the code pages of Western Europe, and those of `DoubleByteName` that have all characters.
  package static func candidates(_ password: DocumentPassword) -> [[UInt8]] {
    let text = password.text
    var found = [Array(text.utf8)]
    guard found[0].contains(where: { $0 >= 0x80 }) else { return found }
    let composed = composed(text)
    var others: [[UInt8]?] = [Array(composed.utf8), Array(decomposed(composed).utf8)]
    others += [windows, cp850, EntryName.upperHalf].map { encoded(composed, upperHalf: $0) }
    others += DoubleByteName.allCases.map { $0.encoded(composed) }
    for case let bytes? in others where !found.contains(bytes) && !bytes.contains(0) {
      found.append(bytes)
    }
    return found
  }

  // MARK: - Composition

  /// The letters with marks of the languages in Latin script, by the characters that are equal to them.
  private static let letters: [Character: Unicode.Scalar] = {
    var letters: [Character: Unicode.Scalar] = [:]
    for range: ClosedRange<UInt32> in [0xc0...0x24f, 0x1e00...0x1eff] {
      for scalar in range.compactMap({ Unicode.Scalar($0) }) { letters[Character(scalar)] = scalar }
    }
    return letters
  }()

  private static let decompositions: [Unicode.Scalar: String] = {
    let bases =
      (0x41...0x5a).map { Unicode.Scalar(UInt8($0)) }
      + (0x61...0x7a).map { Unicode.Scalar(UInt8($0)) }
    let marks = (UInt32(0x300)...0x331).compactMap { Unicode.Scalar($0) }
    var found: [Unicode.Scalar: String] = [:]
    for base in bases {
      for mark in marks {
        let text = String(String.UnicodeScalarView([base, mark]))
        if let character = text.first, text.count == 1, let letter = letters[character] {
          found[letter] = text
        }
      }
    }
    return found
  }()

  private static func composed(_ text: String) -> String {
    text.map { character in letters[character].map { String($0) } ?? String(character) }.joined()
  }

  private static func decomposed(_ text: String) -> String {
    text.unicodeScalars.map { decompositions[$0] ?? String($0) }.joined()
  }

  // MARK: - Code pages

  /// Returns the text in a code page of one byte for each character; nil if it lacks one of them.
  private static func encoded(_ text: String, upperHalf: [Unicode.Scalar]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(scalar.value))
      } else if let place = upperHalf.firstIndex(of: scalar) {
        bytes.append(UInt8(0x80 + place))
      } else {
        return nil
      }
    }
    return bytes
  }

  /// The characters 0x80 to 0xff of windows-1252. The replacement character stands for those that are not used.
  private static let windows =
    Array("€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ".unicodeScalars)
    + (UInt32(0xa0)...0xff).compactMap { Unicode.Scalar($0) }

  /// The characters 0x80 to 0xff of code page 850.
  private static let cp850 = Array(
    ("ÇüéâäàåçêëèïîìÄÅ" + "ÉæÆôöòûùÿÖÜø£Ø×ƒ" + "áíóúñÑªº¿®¬½¼¡«»"
      + "░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" + "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤" + "ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀"
      + "ÓßÔÒõÕµþÞÚÛÙýÝ¯´" + "\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}").unicodeScalars)
}
