import Foundation

/// Machine-readable output: one JSON value per line, with the keys in alphabetical order.
enum JSONOutput {
  static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return escaped(String(decoding: data, as: UTF8.self))
  }

  /// Escapes DEL, C1 controls and direction characters, which JSONEncoder leaves unchanged and some terminals
  /// interpret.
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
