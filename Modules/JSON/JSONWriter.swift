/// Writes JSON, event by event, without blanks or with one line for each element and member.
public struct JSONWriter: Sendable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []
  private let isASCII: Bool
  private let indentation: Int?
  /// Whether each open container has an element or a member, outermost first.
  private var open: [Bool] = []
  private var followsName = false

  /// - Parameters:
  ///   - isASCII: Whether characters outside of ASCII are escaped.
  ///   - indentation: The number of spaces for each level; nil for a text without blanks.
  public init(isASCII: Bool = false, indentation: Int? = nil) {
    self.isASCII = isASCII
    self.indentation = indentation
  }

  public mutating func write(_ event: JSONEvent) {
    switch event {
    case .beginObject: begin("{")
    case .beginArray: begin("[")
    case .endObject: end("}")
    case .endArray: end("]")
    case .key(let name):
      beginValue()
      bytes.appendJSON(name, isASCII: isASCII)
      bytes += (indentation == nil ? ":" : ": ").utf8
      followsName = true
    case .string(let text):
      beginValue()
      bytes.appendJSON(text, isASCII: isASCII)
    case .number(let text): scalar(text)
    case .bool(let value): scalar(value ? "true" : "false")
    case .null: scalar("null")
    }
  }

  public mutating func write(_ value: JSONValue) {
    switch value {
    case .object(let members):
      begin("{")
      for member in members { write(member) }
      end("}")
    case .array(let elements):
      begin("[")
      for element in elements { write(element) }
      end("]")
    case .string(let text): write(JSONEvent.string(text))
    case .number(let text): scalar(text)
    case .bool(let value): write(JSONEvent.bool(value))
    case .null: scalar("null")
    }
  }

  public mutating func write(_ member: JSONValue.Member) {
    write(.key(member.name))
    write(member.value)
  }

  private mutating func scalar(_ text: String) {
    beginValue()
    bytes += text.utf8
  }

  private mutating func begin(_ bracket: Unicode.Scalar) {
    beginValue()
    bytes.append(UInt8(ascii: bracket))
    open.append(false)
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    if open.popLast() == true { beginLine() }
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func beginValue() {
    guard !followsName, let last = open.indices.last else {
      followsName = false
      return
    }
    if open[last] { bytes.append(UInt8(ascii: ",")) }
    open[last] = true
    beginLine()
  }

  private mutating func beginLine() {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: indentation * open.count)
  }
}

extension JSONValue {
  /// The value as UTF-8 without blanks. O(size).
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }
}

extension [UInt8] {
  /// Appends a JSON string (RFC 8259 §7). Control characters are escaped, DEL among them.
  ///
  /// - Parameter isASCII: Whether characters outside of ASCII are escaped, as Python's `json.dumps` does.
  public mutating func appendJSON(_ text: String, isASCII: Bool = false) {
    append(UInt8(ascii: "\""))
    if isASCII {
      for unit in text.utf16 { appendEscaped(unit) }
    } else {
      for byte in text.utf8 {
        if byte < 0x80 { appendEscaped(UInt16(byte)) } else { append(byte) }
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ unit: UInt16) {
    switch unit {
    case 0x22, 0x5c:
      append(UInt8(ascii: "\\"))
      append(UInt8(truncatingIfNeeded: unit))
    case 0x0a: self += "\\n".utf8
    case 0x0d: self += "\\r".utf8
    case 0x09: self += "\\t".utf8
    case 0x08: self += "\\b".utf8
    case 0x0c: self += "\\f".utf8
    case 0x20..<0x7f: append(UInt8(truncatingIfNeeded: unit))
    default:
      let digits = String(unit, radix: 16)
      self += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
    }
  }
}
