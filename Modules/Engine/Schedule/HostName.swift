public import Models

/// The server of a request; requests with equal names share a budget. Empty for local files.
///
/// The hash is computed once and shared by all requests to the host, because each of them looks the name up
/// several times.
public struct HostName: TableKey, Hashable {
  /// The empty name of local files.
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
