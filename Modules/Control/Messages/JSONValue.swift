public import JSON

/// Numbers are encoded and decoded as integers if they fit, and otherwise as they are rounded to a `Double`.
extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let number = try? container.decode(Int.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .number("\(number)")
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(members.map { Member($0.key, $0.value) }.sorted { $0.name < $1.name })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let text):
      if let number = integer {
        try container.encode(number)
      } else {
        try container.encode(Double(text) ?? 0)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members):
      try container.encode(
        Dictionary(members.map { ($0.name, $0.value) }) { _, last in last })
    }
  }
}
