/// An event of a JSON text (RFC 8259), in the order of its bytes.
public enum JSONEvent: Equatable, Sendable {
  case beginObject
  case endObject
  case beginArray
  case endArray
  /// The name of a member, whose value follows.
  case key(String)
  case string(String)
  /// The number as written, of any size and precision.
  case number(String)
  case bool(Bool)
  case null

  /// Whether the event is a whole value.
  public var isScalar: Bool {
    switch self {
    case .string, .number, .bool, .null: true
    case .beginObject, .endObject, .beginArray, .endArray, .key: false
    }
  }
}
