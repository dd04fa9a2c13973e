/// A numeric address of IPv4 or IPv6.
public struct IPAddress: Hashable, Sendable {
  public enum Family: Sendable { case v4, v6 }

  public let family: Family
  /// The address as a number, most significant byte first; an IPv4 address uses the low 32 bits.
  public let bits: UInt128

  public init(v4 bits: UInt32) {
    family = .v4
    self.bits = UInt128(bits)
  }

  public init(v6 bits: UInt128) {
    family = .v6
    self.bits = bits
  }

  /// Creates an address from 4 or 16 bytes in network byte order, as in a socket address.
  public init?(bytes: some Collection<UInt8>) {
    let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    switch bytes.count {
    case 4: self.init(v4: UInt32(truncatingIfNeeded: bits))
    case 16: self.init(v6: bits)
    default: return nil
    }
  }

  /// Parses four decimal numbers without leading zeros, or the text form of RFC 4291 §2.2 without brackets or
  /// zone. Other spellings of IPv4 (octal, a single number) yield nil and are treated as host names.
  public init?(_ text: some StringProtocol) {
    if text.utf8.contains(UInt8(ascii: ":")) {
      guard let bits = Self.parseV6(Substring(text)) else { return nil }
      self.init(v6: bits)
    } else {
      guard let bits = Self.parseV4(Substring(text)) else { return nil }
      self.init(v4: bits)
    }
  }

  /// The address as 4 or 16 bytes in network byte order.
  public var bytes: [UInt8] {
    let count = family == .v4 ? 4 : 16
    return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt128(8 * (count - 1 - $0))) }
  }

  private static func parseV4(_ text: Substring) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count),
        part.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
        part.utf8.count == 1 || part.utf8.first != 0x30,
        let value = UInt8(part)
      else { return nil }
      bits = bits << 8 | UInt32(value)
    }
    return bits
  }

  private static func parseV6(_ text: Substring) -> UInt128? {
    var halves: [[UInt16]] = []
    var rest = text
    if let gap = doubleColon(in: text) {
      let after = text[text.utf8.index(gap, offsetBy: 2)...]
      guard doubleColon(in: after) == nil, after.utf8.first != UInt8(ascii: ":"),
        let front = groups(text[..<gap], mayEndInV4: false)
      else { return nil }
      halves.append(front)
      rest = after
    }
    guard let back = groups(rest, mayEndInV4: true) else { return nil }
    halves.append(back)
    let count = halves.reduce(0) { $0 + $1.count }
    guard halves.count == 1 ? count == 8 : count <= 7 else { return nil }
    let zeros = [UInt16](repeating: 0, count: 8 - count)
    let all = halves.count == 1 ? back : halves[0] + zeros + back
    return all.reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
  }

  private static func doubleColon(in text: Substring) -> Substring.Index? {
    zip(text.utf8.indices, text.utf8.indices.dropFirst()).first {
      text.utf8[$0] == UInt8(ascii: ":") && text.utf8[$1] == UInt8(ascii: ":")
    }?.0
  }

  private static func groups(_ text: Substring, mayEndInV4: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var result: [UInt16] = []
    for (index, part) in parts.enumerated() {
      if part.utf8.contains(UInt8(ascii: ".")) {
        guard mayEndInV4, index == parts.count - 1, let bits = parseV4(part) else { return nil }
        result.append(UInt16(truncatingIfNeeded: bits >> 16))
        result.append(UInt16(truncatingIfNeeded: bits))
      } else {
        // Only digits are accepted, because `UInt16(_:radix:)` would accept a sign.
        guard (1...4).contains(part.utf8.count),
          part.utf8.allSatisfy({ PercentEncoding.hexValue($0) != nil }),
          let value = UInt16(part, radix: 16)
        else { return nil }
        result.append(value)
      }
    }
    return result
  }
}

extension IPAddress: CustomStringConvertible {
  /// The canonical text; for IPv6 the form of RFC 5952 §4, without brackets.
  public var description: String {
    guard family == .v6 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> UInt128(16 * (7 - $0))) }
    let texts = groups.map { String($0, radix: 16) }
    guard let zeros = Self.longestZeros(groups), zeros.count > 1 else {
      return texts.joined(separator: ":")
    }
    let front = texts[..<zeros.lowerBound].joined(separator: ":")
    return front + "::" + texts[zeros.upperBound...].joined(separator: ":")
  }

  private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
    var best: Range<Int>?
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
      if index - start > best?.count ?? 0 { best = start..<index }
      start = index + 1
    }
    return best
  }
}
