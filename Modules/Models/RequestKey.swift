/// Names a request: equal keys ask the same server for the same thing with the same words.
///
/// The first 128 bits of a SHA-256 over the URL in its equivalent form and the request fields of
/// the list, so that two requests share a key only if they are the same; whoever has the hasher
/// makes it. Transfers, partial files and answers are known by it.
public struct RequestKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// From what `description` gives; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 32,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  public static func < (a: Self, b: Self) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }

  /// Any part of it is as evenly spread as the whole.
  public func hash(into hasher: inout Hasher) { hasher.combine(high) }

  /// 32 hexadecimal digits.
  public var description: String { String(octets: Self.length) { $0.append(self) } }

  /// Bytes of `description`.
  public static let length = 32
}

extension OutputSpan<UInt8> {
  /// As it describes itself.
  public mutating func append(_ request: RequestKey) {
    append(hexadecimal: request.high)
    append(hexadecimal: request.low)
  }
}
