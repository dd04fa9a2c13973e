/// The decoding of replies that are strings: DCS, OSC and APC.
enum StringReply {
  /// - Parameter kind: The byte after ESC: `P`, `]` or `_`.
  static func decode(_ kind: UInt8, _ content: [UInt8]) -> TerminalReply? {
    let text = String(decoding: content, as: UTF8.self)
    switch kind {
    case 0x50: return text.hasPrefix(">|") ? .version(visible(text.dropFirst(2))) : nil
    case 0x5d: return text.hasPrefix("11;") ? background(text.dropFirst(3)) : nil
    case 0x5f: return text.hasPrefix("G") ? graphics(text.dropFirst()) : nil
    default: return nil
    }
  }

  /// Returns a terminal's name for display: without control characters, and limited in length.
  private static func visible(_ text: Substring) -> String {
    String(
      text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(80).map {
        Character($0)
      })
  }

  /// Decodes `rgb:RRRR/GGGG/BBBB` with one to four digits per channel, as X11 writes colours.
  private static func background(_ text: Substring) -> TerminalReply? {
    guard let colon = text.firstIndex(of: ":"), text[..<colon].hasPrefix("rgb") else { return nil }
    let parts = text[text.index(after: colon)...].split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    var values: [UInt8] = []
    for part in parts.prefix(3) {
      // The digits are checked because `UInt32` accepts a sign.
      guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
        let value = UInt32(part, radix: 16)
      else { return nil }
      let largest = (UInt32(1) << (4 * UInt32(part.utf8.count))) - 1
      values.append(UInt8(clamping: value * 255 / largest))
    }
    return .background(.rgb(values[0], values[1], values[2]))
  }

  /// Decodes a reply of kitty's graphics protocol, such as `i=31,…;OK`: keys, among them the number of the
  /// image, then `OK` or an error message.
  private static func graphics(_ text: Substring) -> TerminalReply? {
    let halves = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    var image = 0
    for key in halves[0].split(separator: ",") where key.hasPrefix("i=") {
      image = Int(key.dropFirst(2)) ?? 0
    }
    return .graphics(image: image, message: visible(halves[1]))
  }
}
