/// Identifies a request: requests with equal keys have the same server, target and request fields.
///
/// The key is the first 128 bits of a SHA-256 over the URL in its equivalent form and the request fields that
/// the list sets, so that different requests have different keys. Transfers, partial files and stored answers
/// are identified by their request's key.
public struct RequestKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses the text of `description`; nil for any other text.
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

  /// Hashes one half of the key only, because the bits of a digest are evenly distributed.
  public func hash(into hasher: inout Hasher) { hasher.combine(high) }

  /// The key as 32 lower-case hexadecimal digits.
  public var description: String { String(utf8Capacity: Self.length) { $0.append(self) } }

  /// The length of `description` in bytes.
  public static let length = 32
}

extension OutputSpan<UInt8> {
  /// Appends the 32 digits of the key's `description`.
  public mutating func append(_ request: RequestKey) {
    append(hexadecimal: request.high)
    append(hexadecimal: request.low)
  }
}
