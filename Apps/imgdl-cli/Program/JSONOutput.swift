import Foundation

/// Machine-readable output: one JSON value a line, keys in alphabetical order.
enum JSONOutput {
  static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

/// RFC 4180.
enum CSV {
  static func row(_ cells: [String]) -> String {
    cells.map { cell in
      cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: ",")
  }
}
