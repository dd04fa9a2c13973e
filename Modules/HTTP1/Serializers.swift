import Models

/// Writes the head of a request (RFC 9112 §3). A body, if any, follows as it is.
public enum RequestSerializer {
  /// The octets up to and including the empty line. Fields are written in their order; that Host is
  /// the first is the caller's doing. Nothing is added.
  ///
  /// Throws if method, target, a name or a value could end its line or is not of its grammar: the
  /// error names the field, never its value.
  public static func bytes(_ head: RequestHeadMessage) throws(HTTPParseError) -> [UInt8] {
    var output: [UInt8] = []
    try append(head, to: &output)
    return output
  }

  public static func append(
    _ head: RequestHeadMessage, to output: inout [UInt8]
  ) throws(HTTPParseError) {
    guard !head.method.isEmpty, head.method.allOctetsSatisfy(Octet.isToken) else {
      throw HTTPParseError(.method, "\"\(escaped(head.method))\" is not a method")
    }
    guard !head.target.isEmpty,
      head.target.allOctetsSatisfy({ Octet.isVisible($0) && $0 != UInt8(ascii: "#") })
    else {
      throw HTTPParseError(.target, "\"\(escaped(head.target))\" is not a request target")
    }
    try FieldWriter.check(head.fields)
    output.reserveCapacity(
      output.count + 32 + head.target.utf8.count + FieldWriter.length(head.fields))
    output.append(contentsOf: head.method.utf8)
    output.append(Octet.space)
    output.append(contentsOf: head.target.utf8)
    output.append(contentsOf: head.minorVersion == 0 ? " HTTP/1.0\r\n".utf8 : " HTTP/1.1\r\n".utf8)
    FieldWriter.append(head.fields, to: &output)
  }
}

/// Writes the head of a response (RFC 9112 §4).
public enum ResponseSerializer {
  /// The octets up to and including the empty line, with the usual reason phrase. Nothing is added.
  ///
  /// Throws if the status is not of three digits, or as `RequestSerializer.bytes(_:)`.
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
    try FieldWriter.check(head.fields)
    output.append(contentsOf: head.minorVersion == 0 ? "HTTP/1.0 ".utf8 : "HTTP/1.1 ".utf8)
    output.append(contentsOf: String(head.status).utf8)
    output.append(Octet.space)
    output.append(contentsOf: StatusText.phrase(head.status).utf8)
    output.append(Octet.carriageReturn)
    output.append(Octet.lineFeed)
    FieldWriter.append(head.fields, to: &output)
  }
}

/// Field lines, the same for both sides. Everything is checked before the first octet is written.
enum FieldWriter {
  static func check(_ fields: HTTPFields) throws(HTTPParseError) {
    for field in fields.fields {
      guard !field.name.isEmpty, field.name.allOctetsSatisfy(Octet.isToken) else {
        throw HTTPParseError(.fieldName, "\"\(escaped(field.name))\" is not a header name")
      }
      guard field.value.allOctetsSatisfy({ !Octet.isForbidden($0) }) else {
        throw HTTPParseError(.fieldValue, "the value of \(field.name) contains CR, LF or NUL")
      }
    }
  }

  /// Octets of the lines, with the empty one.
  static func length(_ fields: HTTPFields) -> Int {
    fields.fields.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
  }

  static func append(_ fields: HTTPFields, to output: inout [UInt8]) {
    for field in fields.fields {
      output.append(contentsOf: field.name.utf8)
      output.append(Octet.colon)
      output.append(Octet.space)
      output.append(contentsOf: field.value.utf8)
      output.append(Octet.carriageReturn)
      output.append(Octet.lineFeed)
    }
    output.append(Octet.carriageReturn)
    output.append(Octet.lineFeed)
  }
}
