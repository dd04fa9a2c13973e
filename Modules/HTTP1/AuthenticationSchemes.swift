/// The schemes of the challenges with which a server asks for credentials (RFC 9110 §11.6.1).
public struct AuthenticationSchemes: Sendable, Equatable {
  /// The names as the server writes them, in its order, each once.
  public private(set) var names: [String] = []

  private static let maximumCount = 8
  private static let maximumLength = 32

  /// - Parameter values: The values of the fields `WWW-Authenticate`.
  public init(_ values: [String]) {
    for value in values {
      for element in Self.elements(Array(value.utf8)) {
        guard names.count < Self.maximumCount, let name = Self.scheme(element), !contains(name)
        else { continue }
        names.append(name)
      }
    }
  }

  /// Whether the server accepts the scheme; the name is compared without regard to case.
  public func contains(_ name: String) -> Bool {
    names.contains { $0.lowercased() == name.lowercased() }
  }

  /// Returns the parts between the commas outside of quoted strings.
  private static func elements(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var (elements, start, isQuoted, isEscaped): ([ArraySlice<UInt8>], Int, Bool, Bool) = (
      [], 0, false, false
    )
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case ASCII.comma where !isQuoted:
        elements.append(bytes[start..<index])
        start = index + 1
      default: break
      }
    }
    return elements + [bytes[start...]]
  }

  /// Returns the scheme that an element begins with; nil if it is a parameter of the scheme before.
  private static func scheme(_ element: ArraySlice<UInt8>) -> String? {
    let trimmed = element.drop(while: ASCII.isBlank)
    let name = trimmed.prefix { !ASCII.isBlank($0) && $0 != UInt8(ascii: "=") }
    let rest = trimmed.dropFirst(name.count).drop(while: ASCII.isBlank)
    guard rest.first != UInt8(ascii: "="), 1...maximumLength ~= name.count,
      name.allSatisfy(ASCII.isToken)
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}
