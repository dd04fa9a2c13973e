import JSON
import Models

/// The tags in the order in which they were first set, as in a Python dictionary.
struct EXIFTagObject {
  private var tags: [(name: String, text: String)] = []
  private var indices: [String: Int] = [:]

  /// Adds a tag or replaces its text.
  mutating func set(_ name: String, to text: String) {
    if let index = indices[name] {
      tags[index].text = text
    } else {
      indices[name] = tags.count
      tags.append((name, text))
    }
  }

  /// A JSON object in the form of Python's `json.dumps`: ASCII only, the texts without the whitespace at
  /// both ends.
  var json: String {
    var json: [UInt8] = [UInt8(ascii: "{")]
    for tag in tags {
      if json.count > 1 { json += ", ".utf8 }
      json.appendJSON(tag.name, isASCII: true)
      json += ": ".utf8
      json.appendJSON(tag.text.trimmed(Self.isWhitespace), isASCII: true)
    }
    json.append(UInt8(ascii: "}"))
    return String(decoding: json, as: UTF8.self)
  }

  /// Whether Python's `strip` removes the character: the information separators are whitespace, too.
  private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || ("\u{1c}"..."\u{1f}").contains(scalar)
  }
}
