package import Models

/// The meaning of a response to a request for a part of a remote file (RFC 9110 §14, §15.3.7).
package enum RangeAnswer: Sendable, Equatable {
  /// The body is this part of the file.
  case part(Range<Int64>, RemoteVersion)
  /// The server ignores ranges and sends the whole file, or sends ranges in several parts only; the size of the
  /// file is nil if it is unknown.
  case whole(byteCount: Int64?)
  /// The file is no longer of the expected version.
  case changed
  /// The file does not have the requested part (416); its size is nil if the server does not state it.
  case unsatisfiable(byteCount: Int64?)
  /// A status without content.
  case status(Int)
  /// The response violates HTTP or has a form that was not requested; a clause for users.
  case invalid(String)

  /// Reads the head of a response.
  /// - Parameters:
  ///   - version: The version that earlier responses had; nil for the first one.
  ///   - wholeLimit: The size in bytes up to which a whole file is accepted instead of its last bytes.
  package init(
    _ range: RemoteRange, of version: RemoteVersion?, wholeLimit: Int64, status: Int,
    fields: HTTPFields
  ) {
    switch status {
    case 206: self = Self.part(range, version, fields)
    case 200: self = Self.whole(range, version, wholeLimit, fields)
    case 412 where version != nil: self = .changed
    case 416: self = Self.unsatisfiable(version, fields)
    default: self = .status(status)
    }
  }

  private static func part(
    _ range: RemoteRange, _ version: RemoteVersion?, _ fields: HTTPFields
  ) -> RangeAnswer {
    if let coding = coding(fields) { return coding }
    if fields.hasSeveralParts { return .whole(byteCount: nil) }
    guard let value = fields["Content-Range"] else {
      return .invalid("the server sent a partial response without Content-Range")
    }
    guard case .range(let first, let last, let total)? = ContentRange(value) else {
      return .invalid("the server sent a partial response with an invalid Content-Range")
    }
    guard let total else { return .invalid("the server does not state the size of the file") }
    let new = RemoteVersion(byteCount: total, validator: Validator(fields))
    if let version, !version.includes(new) { return .changed }
    guard range.isAnswered(by: first..<last + 1, ofTotal: total) else {
      return .invalid("the server sent another part of the file than the requested one")
    }
    if let value = fields["Content-Length"], let length: Int64 = value.utf8.span.decimal,
      length != last - first + 1
    {
      return .invalid(
        "the server announced a range of \(last - first + 1) bytes, but a body of \(length) bytes")
    }
    return .part(first..<last + 1, version ?? new)
  }

  private static func whole(
    _ range: RemoteRange, _ version: RemoteVersion?, _ limit: Int64, _ fields: HTTPFields
  ) -> RangeAnswer {
    let length = fields["Content-Length"].flatMap { $0.utf8.span.decimal }
    guard let length, coding(fields) == nil else { return .whole(byteCount: nil) }
    let new = RemoteVersion(byteCount: length, validator: Validator(fields))
    if let version { return version.includes(new) ? .whole(byteCount: length) : .changed }
    if case .last = range, length > 0, length <= limit { return .part(0..<length, new) }
    return .whole(byteCount: length)
  }

  private static func unsatisfiable(
    _ version: RemoteVersion?, _ fields: HTTPFields
  ) -> RangeAnswer {
    if version != nil { return .changed }
    guard case .unsatisfied(let total)? = fields["Content-Range"].flatMap({ ContentRange($0) })
    else { return .unsatisfiable(byteCount: nil) }
    return .unsatisfiable(byteCount: total)
  }

  /// Returns the answer for a body with a content coding, whose bytes are not those of the file.
  private static func coding(_ fields: HTTPFields) -> RangeAnswer? {
    fields.contentCodings.isEmpty
      ? nil : .invalid("the server sent a part of an encoded response")
  }
}
