public import Models

/// Whom a request asks; equal names share a budget. Empty for local files, which have none.
///
/// Its hash is worked out once, for all requests that get one name: it is looked up several times for
/// each of them.
public struct HostName: TableKey, Hashable {
  /// That of local files.
  public static let none = HostName("")

  public let text: String
  public let bits: UInt64

  public init(_ text: String) {
    self.text = text
    bits = UInt64(truncatingIfNeeded: text.hashValue)
  }

  var isEmpty: Bool { text.isEmpty }

  public static func == (a: Self, b: Self) -> Bool { a.bits == b.bits && a.text == b.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(bits) }
}

extension HostName: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}
