extension JSONParser {
  /// Reads white space and structural bytes, and the string after them. Other tokens are only begun.
  mutating func structure(_ bytes: RawSpan, _ index: inout Int) throws(JSONError) -> JSONEvent? {
    while index < bytes.byteCount {
      let byte = bytes.byte(index)
      index &+= 1
      switch (byte, state) {
      case (0x20, _), (0x09, _), (0x0d, _): break
      case (0x0a, _):
        line &+= 1
        lineStart = offset &+ Int64(index)
      case (UInt8(ascii: ","), .separator): state = isInObject ? .key : .value
      case (UInt8(ascii: ":"), .colon): state = .value
      default:
        if let event = try other(byte, at: index &- 1) { return event }
        switch state {
        case .value, .firstElement, .firstKey, .key, .colon, .separator, .end: break
        case .string where index < bytes.byteCount: return try string(bytes, &index)
        default: return nil
        }
      }
    }
    return nil
  }

  /// Handles a byte between tokens that does not merely separate them.
  private mutating func other(_ byte: UInt8, at index: Int) throws(JSONError) -> JSONEvent? {
    switch (state, byte) {
    case (.firstElement, UInt8(ascii: "]")):
      return close(.endArray)
    case (.firstKey, UInt8(ascii: "}")):
      return close(.endObject)
    case (.value, _), (.firstElement, _):
      return try beginValue(byte, at: index)
    case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
      beginToken(.string, at: index)
      isKey = true
      return nil
    case (.separator, UInt8(ascii: "]")) where !isInObject:
      return close(.endArray)
    case (.separator, UInt8(ascii: "}")) where isInObject:
      return close(.endObject)
    default:
      return try deviation(byte, at: index)
    }
  }

  /// Handles a byte that RFC 8259 does not allow at its place.
  private mutating func deviation(_ byte: UInt8, at index: Int) throws(JSONError) -> JSONEvent? {
    if policy.allowsRawStrings, byte < 0x20 { return nil }
    if policy.allowsOtherWords, state == .value || state == .firstElement, !Self.endsWord(byte) {
      beginToken(.word, at: index)
      token.append(byte)
      return nil
    }
    guard policy.allowsOtherCommas else { throw unexpected(byte, at: index) }
    switch (state, byte, containers.last) {
    case (.firstKey, UInt8(ascii: ","), _), (.key, UInt8(ascii: ","), _),
      (.firstElement, UInt8(ascii: ","), _), (.value, UInt8(ascii: ","), false):
      return nil
    case (.key, UInt8(ascii: "}"), _): return close(.endObject)
    case (.value, UInt8(ascii: "]"), false): return close(.endArray)
    case (.separator, _, let isObject?):
      state = isObject ? .key : .value
      return try other(byte, at: index)
    default: throw unexpected(byte, at: index)
    }
  }

  /// - Returns: false if the byte is not a part of a byte order mark and must be processed again.
  mutating func byteOrderMark(_ byte: UInt8, at index: Int) throws(JSONError) -> Bool {
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

  private mutating func beginValue(_ byte: UInt8, at index: Int) throws(JSONError) -> JSONEvent? {
    switch byte {
    case UInt8(ascii: "\""):
      beginToken(.string, at: index)
      isKey = false
    case UInt8(ascii: "["):
      try open(isObject: false, at: index)
      return .beginArray
    case UInt8(ascii: "{"):
      try open(isObject: true, at: index)
      return .beginObject
    case _ where policy.allowsOtherWords: return try deviation(byte, at: index)
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
    case UInt8(ascii: "N") where policy.allowsNonFiniteNumbers: beginLiteral(.notANumber)
    case UInt8(ascii: "I") where policy.allowsNonFiniteNumbers: beginLiteral(.infinity)
    default: return try deviation(byte, at: index)
    }
    return nil
  }

  private mutating func beginToken(_ next: State, at index: Int) {
    state = next
    tokenStart = offset &+ Int64(index)
    if !token.isEmpty { token.removeAll(keepingCapacity: true) }
  }

  private mutating func beginLiteral(_ kind: Literal) {
    state = .literal
    literal = kind
    literalLength = 1
  }

  private mutating func open(isObject: Bool, at index: Int) throws(JSONError) {
    guard containers.count < policy.depth else {
      throw JSONError(
        .tooDeep, at: position(index),
        "more than \(policy.depth) arrays and objects inside each other")
    }
    containers.append(isObject)
    state = isObject ? .firstKey : .firstElement
    if isObject, !policy.allowsRepeatedNames { names.append([]) }
  }

  private mutating func close(_ event: JSONEvent) -> JSONEvent {
    if containers.removeLast(), !policy.allowsRepeatedNames { names.removeLast() }
    endValue()
    return event
  }

  /// Whether the innermost open container is an object.
  var isInObject: Bool { containers.last == true }

  mutating func endValue() { state = containers.isEmpty ? .end : .separator }
}
