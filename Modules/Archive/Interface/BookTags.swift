/// The start tags of an XML or XHTML text, one after the other, with their attributes. Names have no prefix and are in
/// lower case. Text that is not well-formed yields the tags that can be recognised; nothing is resolved or fetched.
struct BookTags: Sequence, IteratorProtocol {
  struct Tag: Equatable {
    let name: String
    let attributes: [String: String]
  }

  private let text: [UInt8]
  private var index = 0

  /// The maximum number of attributes of a tag that are read.
  private static let attributeLimit = 64

  init(_ text: [UInt8]) { self.text = text }

  mutating func next() -> Tag? {
    while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = open + 1
      guard index < text.count else { return nil }
      if text[index...].starts(with: "!--".utf8) {
        skip(past: Array("-->".utf8))
      } else if text[index...].starts(with: "![CDATA[".utf8) {
        skip(past: Array("]]>".utf8))
      } else if Self.isNameByte(text[index]) {
        return tag()
      }
    }
    index = text.count
    return nil
  }

  private mutating func skip(past end: [UInt8]) {
    while index < text.count, !text[index...].starts(with: end) { index += 1 }
    index = Swift.min(text.count, index + end.count)
  }

  private mutating func tag() -> Tag {
    let name = self.name()
    var attributes: [String: String] = [:]
    while index < text.count, text[index] != UInt8(ascii: ">"), text[index] != UInt8(ascii: "<") {
      guard Self.isNameByte(text[index]) else {
        index += 1
        continue
      }
      let key = self.name()
      skipSpace()
      guard index < text.count, text[index] == UInt8(ascii: "=") else { continue }
      index += 1
      skipSpace()
      let value = self.value()
      if attributes.count < Self.attributeLimit, attributes[key] == nil {
        attributes[key] = Self.resolved(value)
      }
    }
    return Tag(name: name, attributes: attributes)
  }

  /// Reads the value of an attribute. One without quotation marks, which HTML allows, ends with white space or the tag.
  private mutating func value() -> ArraySlice<UInt8> {
    guard index < text.count else { return [] }
    let quote = text[index]
    if quote == 0x22 || quote == 0x27 {
      let start = index + 1
      let end = text[start...].firstIndex(of: quote) ?? text.count
      index = Swift.min(text.count, end + 1)
      return text[start..<end]
    }
    let start = index
    index = text[start...].firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: ">") } ?? text.count
    let value = text[start..<index]
    // A slash before the end of the tag is that of an empty element.
    let isEmptyElement = index < text.count && text[index] == UInt8(ascii: ">")
    return isEmptyElement && value.last == UInt8(ascii: "/") ? value.dropLast() : value
  }

  /// Reads a name, and returns the part behind its prefix in lower case.
  private mutating func name() -> String {
    let start = index
    while index < text.count, Self.isNameByte(text[index]) { index += 1 }
    let name = text[start..<index]
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self).lowercased()
  }

  private mutating func skipSpace() {
    while index < text.count, Self.isSpace(text[index]) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0a, 0x0c, 0x0d].contains(byte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3a, 0x41...0x5a, 0x5f, 0x61...0x7a, 0x2d, 0x2e, 0x80...: true
    default: false
    }
  }

  /// Replaces the five entities of XML and references by number.
  private static func resolved(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&") else { return text }
    var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    var result = String(parts.removeFirst())
    for part in parts {
      guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else {
        result += "&\(part)"
        continue
      }
      result += "\(character)\(part[part.index(after: end)...])"
    }
    return result
  }

  private static func character(_ name: Substring) -> String? {
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let known = known[String(name)] { return known }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { UnicodeScalar($0) }.map { String(Character($0)) }
  }
}
