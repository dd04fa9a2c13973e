/// A step of a JSON text (RFC 8259) in the order of its bytes.
public enum JSONEvent: Equatable, Sendable {
  case beginObject
  case endObject
  case beginArray
  case endArray
  /// The name of the member whose value comes next.
  case key(String)
  case string(String)
  /// As written: a value of any size and precision.
  case number(String)
  case bool(Bool)
  case null
}

/// Receives the events of a ``JSONEventParser`` while it reads.
public protocol JSONEventHandler {
  /// Throwing ends the parsing; the parser throws the error on, with the place added.
  mutating func handle(_ event: JSONEvent) throws(ManifestError)
}
