extension JSONEventParser {
  /// Handles white space and structural bytes between tokens.
  mutating func structure<Handler: JSONEventHandler>(
    _ byte: UInt8, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    switch byte {
    case 0x20, 0x09, 0x0d:
      return
    case 0x0a:
      line &+= 1
      lineStart = offset &+ Int64(index) &+ 1
      return
    default:
      break
    }
    switch (state, byte) {
    case (.firstElement, UInt8(ascii: "]")):
      try close(.endArray, at: index, &handler)
    case (.firstKey, UInt8(ascii: "}")):
      try close(.endObject, at: index, &handler)
    case (.value, _), (.firstElement, _):
      try beginValue(byte, at: index, &handler)
    case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
      beginToken(.string, at: index)
      isKey = true
    case (.colon, UInt8(ascii: ":")):
      state = .value
    case (.separator, UInt8(ascii: ",")):
      state = containers.last == true ? .key : .value
    case (.separator, UInt8(ascii: "]")) where containers.last == false:
      try close(.endArray, at: index, &handler)
    case (.separator, UInt8(ascii: "}")) where containers.last == true:
      try close(.endObject, at: index, &handler)
    default:
      throw unexpected(byte, at: index)
    }
  }

  /// - Returns: false if the byte is not a part of a byte order mark and must be processed again.
  mutating func byteOrderMark(_ byte: UInt8, at index: Int) throws(ManifestError) -> Bool {
    switch (state, byte) {
    case (.start, 0xef): state = .secondByteOfMark
    case (.start, _):
      state = .value
      return false
    case (.secondByteOfMark, 0xbb): state = .thirdByteOfMark
    case (.thirdByteOfMark, 0xbf):
      state = .value
      lineStart = offset &+ Int64(index) &+ 1
    default: throw unexpected(byte, at: index)
    }
    return true
  }

  private mutating func beginValue<Handler: JSONEventHandler>(
    _ byte: UInt8, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    switch byte {
    case UInt8(ascii: "\""):
      beginToken(.string, at: index)
      isKey = false
    case UInt8(ascii: "["):
      try open(.beginArray, isObject: false, at: index, &handler)
      state = .firstElement
    case UInt8(ascii: "{"):
      try open(.beginObject, isObject: true, at: index, &handler)
      state = .firstKey
    case UInt8(ascii: "-"):
      beginToken(.minus, at: index)
      token.append(byte)
    case UInt8(ascii: "0"):
      beginToken(.zero, at: index)
      token.append(byte)
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      beginToken(.integer, at: index)
      token.append(byte)
    case UInt8(ascii: "t"): beginLiteral(.true)
    case UInt8(ascii: "f"): beginLiteral(.false)
    case UInt8(ascii: "n"): beginLiteral(.null)
    default: throw unexpected(byte, at: index)
    }
  }

  private mutating func beginToken(_ next: State, at index: Int) {
    state = next
    tokenStart = position(index)
    token.removeAll(keepingCapacity: true)
  }

  private mutating func beginLiteral(_ kind: Literal) {
    state = .literal
    literal = kind
    literalLength = 1
  }

  private mutating func open<Handler: JSONEventHandler>(
    _ event: JSONEvent, isObject: Bool, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    guard containers.count < limits.depth else {
      throw error(
        .tooDeep, at: index,
        "more than \(limits.depth) arrays and objects inside each other (limits.manifestDepth)")
    }
    containers.append(isObject)
    try emit(event, at: index, &handler)
  }

  private mutating func close<Handler: JSONEventHandler>(
    _ event: JSONEvent, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    containers.removeLast()
    endValue()
    try emit(event, at: index, &handler)
  }

  mutating func endValue() { state = containers.isEmpty ? .end : .separator }
}
