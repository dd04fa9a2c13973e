/// One positional argument of a command.
public struct Argument: Sendable, Hashable {
  /// The placeholder in the help text: `SOURCE`.
  public var name: String
  public var arity: Arity
  public var kind: ValueKind
  public var summary: String

  public enum Arity: Sendable, Hashable {
    case one, optional, zeroOrMore, oneOrMore

    var minimum: Int { self == .one || self == .oneOrMore ? 1 : 0 }
    var maximum: Int { self == .one || self == .optional ? 1 : .max }
  }

  public init(_ name: String, _ arity: Arity, _ kind: ValueKind, _ summary: String) {
    self.name = name
    self.arity = arity
    self.kind = kind
    self.summary = summary
  }

  /// The summary, followed by a note about valid values in brackets.
  var fullSummary: String { kind.note.map { "\(summary) [\($0)]" } ?? summary }

  /// The description of the argument in the error message if it is missing. For paths the summary is used,
  /// because most arguments of these kinds also accept other values, such as URLs.
  var expectation: String {
    switch kind {
    case .text, .file, .directory: "\(name): \(Self.asPartOfSentence(summary))"
    case .integer, .byteSize, .duration, .choice:
      kind.expectation.map { "\(name), \($0)" } ?? name
    }
  }

  /// Returns a summary without its capital letter and its period.
  private static func asPartOfSentence(_ summary: String) -> String {
    let text = summary.hasSuffix(".") ? summary.dropLast() : summary[...]
    let second = text.dropFirst().first
    // An abbreviation, such as URL, keeps its capitals.
    return second?.isUppercase ?? true
      ? String(text) : text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The notation in a usage line: `SOURCE...`, `[RECORD]`, `[URL...]`.
  var usage: String {
    switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .zeroOrMore: "[\(name)...]"
    case .oneOrMore: "\(name)..."
    }
  }
}
