/// One positional argument of a command.
public struct Argument: Sendable, Hashable {
  /// As shown in the help text: `SOURCE`.
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

  /// The summary with what the argument may be, in the notation of options.
  var fullSummary: String { kind.note.map { "\(summary) [\($0)]" } ?? summary }

  /// What a command line without this argument lacks. Of paths the summary says more than the kind: most may be
  /// something else as well.
  var expectation: String {
    switch kind {
    case .text, .file, .directory: "\(name): \(summary)"
    case .integer, .byteSize, .duration, .choice:
      kind.expectation.map { "\(name), \($0)" } ?? name
    }
  }

  /// `SOURCE...`, `[RECORD]`, `[URL...]`: how a usage line shows it.
  var usage: String {
    switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .zeroOrMore: "[\(name)...]"
    case .oneOrMore: "\(name)..."
    }
  }
}
