/// A JSON value (RFC 8259). Numbers keep their spelling, so that the id of a request is returned as the client
/// wrote it, and objects keep the order of their members.
public enum JSON: Sendable, Equatable {
  case null
  case flag(Bool)
  /// The spelling of a number, which is valid JSON.
  case number(String)
  case text(String)
  case list([JSON])
  case object([Member])

  public struct Member: Sendable, Equatable {
    public let name: String
    public let value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  public static func integer(_ number: Int) -> JSON { .number("\(number)") }

  public static func texts(_ texts: some Sequence<String>) -> JSON {
    .list(texts.map { .text($0) })
  }

  /// The value of a member of an object; nil for a missing member and for other values.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var list: [JSON]? { if case .list(let list) = self { list } else { nil } }
  /// The value of a number that is spelled as an integer and fits into an `Int`.
  public var integer: Int? { if case .number(let number) = self { Int(number) } else { nil } }
}

/// An object with its members in the order of the literal.
extension JSON: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
