public import Models

/// Serializes the head of a request (RFC 9112 §3). The caller appends the body, if any.
public enum RequestSerializer {
  /// Returns the bytes up to and including the empty line. Fields are written in their order, and no field is
  /// added; the caller puts Host first.
  ///
  /// Throws if the method, target, a name or a value is malformed or contains a line break. The error names
  /// the field, never its value.
  public static func bytes(_ head: RequestHeadMessage) throws(HTTPParseError) -> [UInt8] {
    var output: [UInt8] = []
    try append(head, to: &output)
    return output
  }

  public static func append(
    _ head: RequestHeadMessage, to output: inout [UInt8]
  ) throws(HTTPParseError) {
    try check(head.method, head.target)
    let version = head.minorVersion == 0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n"
    let line = head.method.utf8.count + 1 + head.target.utf8.count + version.utf8.count
    output.append(addingCapacity: line + (try FieldWriter.check(head.fields))) { output in
      append(head.method, head.target, version, to: &output)
      FieldWriter.append(head.fields, to: &output)
    }
  }

  /// Returns the head of an HTTP/1.1 request with fields that are already validated and serialized.
  public static func bytes(
    method: String, target: String, _ lines: FieldLines
  ) throws(HTTPParseError) -> [UInt8] {
    try check(method, target)
    let version = " HTTP/1.1\r\n"
    let line = method.utf8.count + 1 + target.utf8.count + version.utf8.count
    return [UInt8](capacity: line + lines.bytes.count) { output in
      append(method, target, version, to: &output)
      output.append(lines.bytes.span)
    }
  }

  private static func check(_ method: String, _ target: String) throws(HTTPParseError) {
    guard !method.isEmpty, method.utf8.span.allSatisfy(ASCII.isToken) else {
      throw HTTPParseError(.method, "\"\(escaped(method))\" is not a method")
    }
    guard !target.isEmpty,
      target.utf8.span.allSatisfy({ ASCII.isVisible($0) && $0 != UInt8(ascii: "#") })
    else {
      throw HTTPParseError(.target, "\"\(escaped(target))\" is not a request target")
    }
  }

  private static func append(
    _ method: String, _ target: String, _ version: String, to output: inout OutputSpan<UInt8>
  ) {
    output.append(method)
    output.append(ASCII.space)
    output.append(target)
    output.append(version)
  }
}

/// Validated and serialized field lines, for requests that differ only in their target.
public struct FieldLines: Sendable {
  fileprivate let bytes: [UInt8]

  /// Throws an error that names the field if a name or a value is malformed.
  public init(_ fields: HTTPFields) throws(HTTPParseError) {
    bytes = [UInt8](capacity: try FieldWriter.check(fields)) {
      FieldWriter.append(fields, to: &$0)
    }
  }
}

/// Serializes the head of a response (RFC 9112 §4).
public enum ResponseSerializer {
  /// Returns the bytes up to and including the empty line, with the usual reason phrase. No field is added.
  ///
  /// Throws if the status does not have three digits, or if the name or the value of a field is malformed.
  public static func bytes(_ head: ResponseHeadMessage) throws(HTTPParseError) -> [UInt8] {
    var output: [UInt8] = []
    try append(head, to: &output)
    return output
  }

  public static func append(
    _ head: ResponseHeadMessage, to output: inout [UInt8]
  ) throws(HTTPParseError) {
    guard (100...999).contains(head.status) else {
      throw HTTPParseError(.status, "status \(head.status)")
    }
    let length = try FieldWriter.check(head.fields)
    let version = head.minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1"
    let line = "\(version) \(head.status) \(ReasonPhrase.text(head.status))\r\n"
    output.append(addingCapacity: line.utf8.count + length) { output in
      output.append(line)
      FieldWriter.append(head.fields, to: &output)
    }
  }
}

/// Serializes field lines of requests and responses. All fields are validated before the first byte is
/// written.
enum FieldWriter {
  /// - Returns: The number of bytes of the serialized field lines and the empty line after them.
  static func check(_ fields: HTTPFields) throws(HTTPParseError) -> Int {
    var length = 2
    try fields.forEach { name, value throws(HTTPParseError) in
      guard !name.isEmpty, name.allSatisfy(ASCII.isToken) else {
        let text = name.bytes.escaped(0..<name.count)
        throw HTTPParseError(.fieldName, "\"\(text)\" is not a header name")
      }
      guard value.allSatisfy({ !ASCII.isForbidden($0) }) else {
        let text = FieldText.decode(name.bytes)
        throw HTTPParseError(.fieldValue, "the value of \(text) contains CR, LF or NUL")
      }
      length += name.count + value.count + 4
    }
    return length
  }

  static func append(_ fields: HTTPFields, to output: inout OutputSpan<UInt8>) {
    fields.forEach { name, value in
      output.append(name)
      output.append(ASCII.colon)
      output.append(ASCII.space)
      output.append(value)
      output.append(ASCII.carriageReturn)
      output.append(ASCII.lineFeed)
    }
    output.append(ASCII.carriageReturn)
    output.append(ASCII.lineFeed)
  }
}
