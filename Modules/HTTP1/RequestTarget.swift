/// The path and query of a request in origin form (RFC 9112 §3.2.1), percent-decoded once and strictly:
/// ambiguous targets are rejected.
public struct RequestTarget: Sendable, Equatable {
  /// One parameter of the query; a parameter without `=` has an empty value.
  public struct Parameter: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  /// The decoded segments: "/v1/status" has two, "/" has none. A slash within a segment was percent-encoded.
  public let segments: [String]
  /// The parameters in their order. A `+` stands for a plus sign instead of a space, because the query is not
  /// an HTML form.
  public let query: [Parameter]

  /// Throws an error with the code `target` for a target in another form, an empty segment, any spelling of
  /// `.` and `..`, a `%` without two hexadecimal digits, control characters, a backslash, and invalid UTF-8.
  public init(_ target: String) throws(HTTPParseError) {
    guard target.utf8.first == UInt8(ascii: "/"), !target.utf8.contains(UInt8(ascii: "#")) else {
      throw Self.refused(target, "is not a path")
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments: [String] = []
    if let path = parts.first, path.utf8.count > 1 {
      for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
        let segment = try Self.decode(part, of: target)
        guard !segment.isEmpty, segment != ".", segment != "..", !segment.utf8.contains(0x5c) else {
          throw Self.refused(target, "has an empty segment, a dot segment or a backslash")
        }
        segments.append(segment)
      }
    }
    self.segments = segments
    query = try Self.parameters(parts.count > 1 ? parts[1] : "", of: target)
  }

  /// The value of the first query parameter with the name; nil if there is none.
  public subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  private static func parameters(
    _ text: Substring, of target: String
  ) throws(HTTPParseError) -> [Parameter] {
    var parameters: [Parameter] = []
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      parameters.append(
        Parameter(
          name: try decode(pair.first ?? "", of: target),
          value: try decode(pair.count > 1 ? pair[1] : "", of: target)))
    }
    return parameters
  }

  private static func decode(
    _ text: Substring, of target: String
  ) throws(HTTPParseError) -> String {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(ASCII.hexadecimalValue),
        let low = rest.popFirst().flatMap(ASCII.hexadecimalValue)
      else { throw refused(target, "has a % without two hexadecimal digits") }
      output.append(UInt8(high << 4 | low))
    }
    guard !output.contains(where: { $0 < 0x20 || $0 == 0x7f }),
      let decoded = String(validating: output, as: UTF8.self)
    else { throw refused(target, "has control characters or is not UTF-8") }
    return decoded
  }

  private static func refused(_ target: String, _ why: String) -> HTTPParseError {
    HTTPParseError(.target, "the request target \"\(escaped(target))\" \(why)")
  }
}
