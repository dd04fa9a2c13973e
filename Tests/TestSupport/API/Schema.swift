import Foundation

/// Holds JSON against a schema: the part of JSON Schema 2020-12 that `API.yaml` uses.
public struct Schema {
  /// Where `#/components/…` is found.
  public let document: Node

  public init(document: Node) { self.document = document }

  /// What is wrong with a value; empty if nothing is. Keywords that are not known are wrong, too.
  public func problems(of value: Node, _ schema: Node, at place: String = "$") -> [String] {
    if let reference = schema["$ref"]?.string {
      return problems(of: value, resolve(reference), at: place)
    }
    var problems: [String] = []
    for key in schema.keys {
      switch key {
      case "description", "format", "default": continue
      case "type": problems += wrongType(value, schema, at: place)
      case "enum":
        if !(schema["enum"]?.items.contains(value) ?? false) {
          problems.append("\(place): \(value) is not of the list")
        }
      case "minimum":
        if let number = value.double, number < schema["minimum"]?.double ?? number {
          problems.append("\(place): \(number) is too small")
        }
      case "maximum":
        if let number = value.double, number > schema["maximum"]?.double ?? number {
          problems.append("\(place): \(number) is too large")
        }
      case "pattern":
        if let text = value.string, let pattern = schema["pattern"]?.string,
          text.range(of: pattern, options: .regularExpression) == nil
        {
          problems.append("\(place): \(text) is not like \(pattern)")
        }
      case "items":
        for (index, item) in value.items.enumerated() {
          if let items = schema["items"] {
            problems += self.problems(of: item, items, at: "\(place)[\(index)]")
          }
        }
      case "maxItems":
        if Double(value.items.count) > schema["maxItems"]?.double ?? .infinity {
          problems.append("\(place): too many items")
        }
      case "required": problems += missing(value, schema, at: place)
      case "properties": problems += members(value, schema, at: place)
      case "additionalProperties", "oneOf": continue
      default: problems.append("\(place): the keyword \(key) is not known here")
      }
    }
    return problems
  }

  public func resolve(_ reference: String) -> Node {
    reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
  }

  private func wrongType(_ value: Node, _ schema: Node, at place: String) -> [String] {
    let types = schema["type"]?.string.map { [$0] } ?? schema["type"]?.items.compactMap(\.string)
    let fits = (types ?? []).contains { type in
      switch (type, value) {
      case ("object", .object), ("array", .list), ("string", .text), ("boolean", .flag),
        ("number", .number), ("null", .null):
        true
      case ("integer", .number(let number)): number == number.rounded()
      default: false
      }
    }
    return fits ? [] : ["\(place): \(value) is not \(types ?? [])"]
  }

  private func missing(_ value: Node, _ schema: Node, at place: String) -> [String] {
    (schema["required"]?.items ?? []).compactMap(\.string).filter { value[$0] == nil }
      .map { "\(place): \($0) is missing" }
  }

  private func members(_ value: Node, _ schema: Node, at place: String) -> [String] {
    value.keys.flatMap { key -> [String] in
      guard let known = schema["properties"]?[key] else {
        return schema["additionalProperties"] == .flag(false)
          ? ["\(place): \(key) is not described"] : []
      }
      return problems(of: value[key] ?? .null, known, at: "\(place).\(key)")
    }
  }
}

extension Node {
  public init(json: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(json.utf8)).node
  }

  private struct JSON: Decodable {
    let node: Node

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: Key.self) {
        node = .object(
          try container.allKeys.map {
            ($0.stringValue, try container.decode(JSON.self, forKey: $0).node)
          })
        return
      }
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        node = .null
      } else if let flag = try? container.decode(Bool.self) {
        node = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        node = .number(number)
      } else if let text = try? container.decode(String.self) {
        node = .text(text)
      } else {
        node = .list(try container.decode([JSON].self).map(\.node))
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
