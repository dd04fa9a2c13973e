/// Reads the elements of a small XML document, one after another, in O(size). Document type declarations are
/// refused, so that no entity can expand; namespaces prefixes are removed.
struct MarkupScanner {
  enum Token: Equatable {
    case start(String, attributes: [String: String])
    case text(String)
    case end(String)
  }

  /// The maximum nesting depth of elements.
  private static let depthLimit = 32

  private let bytes: [UInt8]
  private var index = 0
  private var open: [String] = []
  /// The end of an empty element (`<a/>`), which follows its start.
  private var pendingEnd: String?

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  /// Returns the next token, or nil at the end.
  /// - Throws: An error if the text is not well-formed.
  mutating func next() throws(RPCError) -> Token? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else { return .text(try text()) }
      if starts(with: "<!--") {
        try skip(past: "-->", from: index + 4)
      } else if starts(with: "<?") {
        try skip(past: "?>", from: index + 2)
      } else if starts(with: "<![CDATA[") {
        let start = index + 9
        try skip(past: "]]>", from: start)
        return .text(String(decoding: bytes[start..<(index - 3)], as: UTF8.self))
      } else if starts(with: "<!") {
        throw Self.failure("a document type declaration is not allowed")
      } else {
        return try tag()
      }
    }
    guard open.isEmpty else { throw Self.failure("an element is not closed") }
    return nil
  }

  private static func failure(_ detail: String) -> RPCError {
    RPCError("The Metalink document is not valid: \(detail).")
  }

  private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  /// Moves behind the next occurrence of a text.
  private mutating func skip(past text: String, from start: Int) throws(RPCError) {
    let pattern = Array(text.utf8)
    index = start
    while index + pattern.count <= bytes.count {
      if bytes[index...].starts(with: pattern) {
        index += pattern.count
        return
      }
      index += 1
    }
    throw Self.failure("it ends too early")
  }

  private mutating func text() throws(RPCError) -> String {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
    return try Self.resolved(bytes[start..<index])
  }

  private mutating func tag() throws(RPCError) -> Token {
    index += 1
    if accept("/") {
      let name = try self.name()
      skipBlanks()
      guard accept(">"), open.popLast() == name else {
        throw Self.failure("an element is not closed in its order")
      }
      return .end(name)
    }
    let name = try self.name()
    var attributes: [String: String] = [:]
    while true {
      skipBlanks()
      if accept(">") {
        guard open.count < Self.depthLimit else { throw Self.failure("it is nested too deep") }
        open.append(name)
        return .start(name, attributes: attributes)
      }
      if accept("/") {
        guard accept(">") else { throw Self.failure("a tag is not closed") }
        pendingEnd = name
        return .start(name, attributes: attributes)
      }
      let attribute = try self.name()
      skipBlanks()
      guard accept("=") else { throw Self.failure("an attribute has no value") }
      skipBlanks()
      attributes[attribute] = try value()
    }
  }

  private mutating func value() throws(RPCError) -> String {
    guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[index]) else {
      throw Self.failure("the value of an attribute is not quoted")
    }
    let quote = bytes[index]
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote {
      guard bytes[index] != UInt8(ascii: "<") else { throw Self.failure("a tag is not closed") }
      index += 1
    }
    guard index < bytes.count else { throw Self.failure("it ends too early") }
    index += 1
    return try Self.resolved(bytes[start..<(index - 1)])
  }

  /// Reads a name, without its namespace prefix.
  private mutating func name() throws(RPCError) -> String {
    let start = index
    while index < bytes.count, !Self.endsName(bytes[index]) { index += 1 }
    guard index > start else { throw Self.failure("a name is missing") }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    return name.split(separator: ":").last.map(String.init) ?? name
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || "/>=<\"'".utf8.contains(byte)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private mutating func skipBlanks() {
    while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Replaces character references and the five predefined entities.
  private static func resolved(_ bytes: ArraySlice<UInt8>) throws(RPCError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var output = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      output += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let end = rest.prefix(10).firstIndex(of: ";"),
        let character = character(of: rest[..<end])
      else { throw failure("an entity is not known") }
      output.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return output + rest
  }

  private static func character(of reference: Substring) -> Character? {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard reference.hasPrefix("#") else { return nil }
      let digits = reference.dropFirst()
      let number =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      return number.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }
  }
}
