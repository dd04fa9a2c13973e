import JSON
import Models

/// Writes a JSON object in the form of Python's `json.dumps(…, indent=4)`: ASCII only, four spaces for each
/// level.
struct IndentedJSON {
  private(set) var bytes: [UInt8] = []
  private var isEmpty = true

  init() {
    bytes.reserveCapacity(512)
    bytes.append(UInt8(ascii: "{"))
  }

  /// Adds the members of an object as they are written.
  /// - Parameter object: A JSON object.
  mutating func addMembers(of object: ArraySlice<UInt8>) throws(ShardError) {
    var scanner = JSONScanner(Array(object))
    try scanner.expect("{")
    if scanner.skip("}") { return }
    repeat {
      begin(at: 1, isFirst: isEmpty)
      isEmpty = false
      try appendMember(&scanner, depth: 1)
    } while scanner.skip(",")
    try scanner.expect("}")
  }

  mutating func add(_ name: String, _ text: String?) {
    begin(name)
    if let text { bytes.appendJSON(text, isASCII: true) } else { bytes += "null".utf8 }
  }

  mutating func add(_ name: String, _ number: Int?) {
    begin(name)
    bytes += number.map { "\($0)" }?.utf8 ?? "null".utf8
  }

  /// Returns the object.
  consuming func finish() -> [UInt8] {
    if !isEmpty { bytes.append(UInt8(ascii: "\n")) }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private mutating func begin(_ name: String) {
    begin(at: 1, isFirst: isEmpty)
    isEmpty = false
    bytes.appendJSON(name, isASCII: true)
    bytes += ": ".utf8
  }

  private mutating func begin(at depth: Int, isFirst: Bool) {
    bytes += (isFirst ? "\n" : ",\n").utf8
    for _ in 0..<depth { bytes += "    ".utf8 }
  }

  private mutating func appendMember(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(ShardError) {
    bytes += scanner.slice(try scanner.value())
    try scanner.expect(":")
    bytes += ": ".utf8
    try appendValue(&scanner, depth: depth)
  }

  private mutating func appendValue(_ scanner: inout JSONScanner, depth: Int) throws(ShardError) {
    switch scanner.peek() {
    case UInt8(ascii: "{"): try appendContainer(&scanner, "{", "}", depth)
    case UInt8(ascii: "["): try appendContainer(&scanner, "[", "]", depth)
    default: bytes += scanner.slice(try scanner.value())
    }
  }

  private mutating func appendContainer(
    _ scanner: inout JSONScanner, _ opening: Character, _ closing: Character, _ depth: Int
  ) throws(ShardError) {
    guard depth < JSONScanner.maximumDepth else {
      throw .malformed("the JSON is nested too deeply")
    }
    try scanner.expect(opening)
    bytes += String(opening).utf8
    guard !scanner.skip(closing) else {
      bytes += String(closing).utf8
      return
    }
    var isFirst = true
    repeat {
      begin(at: depth + 1, isFirst: isFirst)
      isFirst = false
      if opening == "{" {
        try appendMember(&scanner, depth: depth + 1)
      } else {
        try appendValue(&scanner, depth: depth + 1)
      }
    } while scanner.skip(",")
    try scanner.expect(closing)
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes += "    ".utf8 }
    bytes += String(closing).utf8
  }
}
