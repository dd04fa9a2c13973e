import Foundation

/// Machine-readable output: one JSON value a line, keys in alphabetical order.
enum JSONOutput {
  static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return escaped(String(decoding: data, as: UTF8.self))
  }

  /// The encoder leaves DEL, the C1 controls and direction characters as they are; some terminals
  /// obey them.
  private static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: Console.isDangerous) else { return text }
    return text.unicodeScalars.reduce(into: "") { output, scalar in
      if Console.isDangerous(scalar) {
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
  }
}
