/// What a YAML file holds, as far as our description of the API needs it.
public indirect enum Node: Equatable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([Node])
  case object([(key: String, value: Node)])

  public static func == (a: Node, b: Node) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.flag(let a), .flag(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && a.allSatisfy { member in b.contains { $0 == member } }
    default: false
    }
  }

  public subscript(key: String) -> Node? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Of an object, in order.
  public var keys: [String] {
    if case .object(let members) = self { members.map(\.key) } else { [] }
  }

  public var items: [Node] { if case .list(let items) = self { items } else { [] } }
  public var string: String? { if case .text(let text) = self { text } else { nil } }
  public var double: Double? { if case .number(let number) = self { number } else { nil } }
}

/// Reads the part of YAML 1.2 that `API.yaml` is written in: block mappings and sequences, plain and
/// quoted scalars of one line, literal blocks, and empty `[]` and `{}`.
struct YAMLText {
  struct Failure: Error { let line: String }

  private var lines: [(indent: Int, text: String)] = []
  private var next = 0

  static func parse(_ text: String) throws -> Node {
    var reader = YAMLText(text)
    let node = try reader.block(0)
    guard reader.next == reader.lines.count else {
      throw Failure(line: reader.lines[reader.next].text)
    }
    return node
  }

  private init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let rest = line.drop { $0 == " " }
      guard !rest.isEmpty, rest.first != "#" else { continue }
      lines.append((line.count - rest.count, String(rest)))
    }
  }

  private mutating func block(_ indent: Int) throws -> Node {
    guard next < lines.count, lines[next].indent == indent else { return .null }
    return lines[next].text.hasPrefix("- ") ? try sequence(indent) : try mapping(indent)
  }

  private mutating func sequence(_ indent: Int) throws -> Node {
    var items: [Node] = []
    while next < lines.count, lines[next].indent == indent, lines[next].text.hasPrefix("- ") {
      let rest = String(lines[next].text.dropFirst(2))
      if Self.split(rest) == nil {
        next += 1
        items.append(Self.scalar(rest))
      } else {
        // The first member of a mapping stands behind the dash.
        lines[next] = (indent + 2, rest)
        items.append(try mapping(indent + 2))
      }
    }
    return .list(items)
  }

  private mutating func mapping(_ indent: Int) throws -> Node {
    var members: [(key: String, value: Node)] = []
    while next < lines.count, lines[next].indent == indent, !lines[next].text.hasPrefix("- ") {
      guard let (key, value) = Self.split(lines[next].text) else {
        throw Failure(line: lines[next].text)
      }
      next += 1
      if value.isEmpty {
        let deeper = next < lines.count && lines[next].indent > indent
        members.append((key, deeper ? try block(lines[next].indent) : .null))
      } else if value == "|" {
        var text = ""
        while next < lines.count, lines[next].indent > indent {
          text += lines[next].text + "\n"
          next += 1
        }
        members.append((key, .text(text)))
      } else {
        members.append((key, Self.scalar(value)))
      }
    }
    return .object(members)
  }

  /// `key: value`, or `key:`; nil for a scalar.
  private static func split(_ text: String) -> (key: String, value: String)? {
    if let quote = text.first, quote == "\"" || quote == "'" {
      guard let end = text.dropFirst().firstIndex(of: quote),
        text[text.index(after: end)...].hasPrefix(":")
      else { return nil }
      let key = text[text.index(after: text.startIndex)..<end]
      return (String(key), String(text[end...].dropFirst(2).drop { $0 == " " }))
    }
    if text.hasSuffix(":") { return (String(text.dropLast()), "") }
    guard let range = text.firstRange(of: ": ") else { return nil }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }

  private static func scalar(_ text: String) -> Node {
    if let quote = text.first, quote == "\"" || quote == "'", text.last == quote, text.count > 1 {
      let inner = String(text.dropFirst().dropLast())
      return .text(
        quote == "'"
          ? inner.replacing("''", with: "'") : inner.replacing("\\\"", with: "\""))
    }
    switch text {
    case "[]": return .list([])
    case "{}": return .object([])
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null": return .null
    default: return Double(text).map { .number($0) } ?? .text(text)
    }
  }
}
