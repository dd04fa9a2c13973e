import JSON

/// The JSON text of a response, which remembers the results that depend on a write of the session file. If the write
/// fails, errors take the places of these results.
struct ResponseText: Sendable, Equatable {
  /// Why a result depends on a write.
  enum Dependency: Sendable, Equatable {
    /// The call has changed what the session file contains.
    case change
    /// The call asks for the write.
    case save
  }

  private struct Mark: Sendable, Equatable {
    let range: Range<Int>
    let dependency: Dependency
    /// The id of the response that the range contains; nil if the range is a result within a multicall.
    let id: JSONValue?
  }

  private(set) var bytes: [UInt8] = []
  private var marks: [Mark] = []

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  var hasChanges: Bool { marks.contains { $0.dependency == .change } }

  /// Returns a list of values that have been written already.
  static func list(_ values: [ResponseText]) -> ResponseText {
    var list = ResponseText([UInt8(ascii: "[")])
    list.bytes.reserveCapacity(values.reduce(2) { $0 + $1.bytes.count + 1 })
    for (index, value) in values.enumerated() {
      if index > 0 { list.bytes.append(UInt8(ascii: ",")) }
      list.append(value)
    }
    list.bytes.append(UInt8(ascii: "]"))
    return list
  }

  static func response(_ id: JSONValue, _ result: ResponseText) -> ResponseText {
    var response = ResponseText(Array(#"{"id":"#.utf8) + id.bytes)
    response.bytes += #","jsonrpc":"2.0","result":"#.utf8
    response.append(result)
    response.bytes.append(UInt8(ascii: "}"))
    return response
  }

  static func response(_ id: JSONValue, _ error: RPCError) -> ResponseText {
    let response: JSONValue = ["id": id, "jsonrpc": .string("2.0"), "error": error.json]
    return ResponseText(response.bytes)
  }

  private mutating func append(_ other: ResponseText) {
    let offset = bytes.count
    bytes += other.bytes
    marks += other.marks.map { mark in
      Mark(
        range: mark.range.lowerBound + offset..<mark.range.upperBound + offset,
        dependency: mark.dependency, id: mark.id)
    }
  }

  /// Marks the whole text as a result that depends on a write.
  /// - Parameter id: The id of the response that the text is; nil if it is a result within a multicall.
  mutating func mark(_ dependency: Dependency, id: JSONValue?) {
    marks = [Mark(range: 0..<bytes.count, dependency: dependency, id: id)]
  }

  /// Puts errors in the places of results that depend on a write; a result for which `error` returns nil stays.
  /// - Returns: Whether a result was replaced.
  mutating func replaceResults(by error: (Dependency) -> RPCError?) -> Bool {
    var text: [UInt8] = []
    var end = 0
    for mark in marks {
      guard let error = error(mark.dependency) else { continue }
      text += bytes[end..<mark.range.lowerBound]
      text += mark.id.map { Self.response($0, error).bytes } ?? error.json.bytes
      end = mark.range.upperBound
    }
    guard end > 0 else { return false }
    text += bytes[end...]
    self = ResponseText(text)
    return true
  }
}
