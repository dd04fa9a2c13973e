import Models

/// How the end of a body is found (RFC 9112 §6.3).
public enum BodyFraming: Sendable, Equatable {
  /// There is no body, whatever the fields say.
  case none
  /// So many octets.
  case length(Int64)
  case chunked
  /// All octets until the connection ends: the length cannot be verified.
  case untilClose
}

/// The fields that decide over framing and over the connection, read once.
struct FramingFields {
  private(set) var hasTransferEncoding = false
  private(set) var hasContentLength = false
  private(set) var hasClose = false
  private(set) var hasKeepAlive = false
  private var codings: [Substring] = []
  private var lengths: [String] = []

  init(_ fields: HTTPFields) {
    for field in fields.fields {
      switch field.name.utf8.count {
      case 10 where HTTPFields.isSame(field.name, "connection"):
        for option in FieldList.members(field.value) {
          if HTTPFields.isSame(option, "close") { hasClose = true }
          if HTTPFields.isSame(option, "keep-alive") { hasKeepAlive = true }
        }
      case 14 where HTTPFields.isSame(field.name, "content-length"):
        hasContentLength = true
        lengths.append(field.value)
      case 17 where HTTPFields.isSame(field.name, "transfer-encoding"):
        hasTransferEncoding = true
        codings += FieldList.members(field.value)
      default: break
      }
    }
  }

  /// Whether the connection outlives this message (RFC 9112 §9.3).
  func isPersistent(minorVersion: Int) -> Bool {
    !hasClose && (minorVersion >= 1 || hasKeepAlive)
  }

  /// The common value of all Content-Length fields and their members; `nil` without such a field.
  func contentLength() throws(HTTPParseError) -> Int64? {
    var result: Int64?
    for value in lengths {
      for member in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let length = Self.decimal(FieldList.trim(member)) else {
          throw HTTPParseError(.contentLength, "Content-Length \"\(escaped(value))\" is not valid")
        }
        guard result == nil || result == length else {
          throw HTTPParseError(.contentLength, "two different values of Content-Length")
        }
        result = length
      }
    }
    return result
  }

  /// The rules for a message that may have a body; `unframed` is what holds without any length.
  func framing(minorVersion: Int, unframed: BodyFraming) throws(HTTPParseError) -> BodyFraming {
    guard hasTransferEncoding else {
      return try contentLength().map { .length($0) } ?? unframed
    }
    guard !hasContentLength else {
      throw HTTPParseError(.ambiguousLength, "both Transfer-Encoding and Content-Length")
    }
    guard minorVersion >= 1 else {
      throw HTTPParseError(.transferEncoding, "Transfer-Encoding in an HTTP/1.0 message")
    }
    guard codings.count == 1, HTTPFields.isSame(codings[0], "chunked") else {
      let list = codings.joined(separator: ", ")
      throw HTTPParseError(
        .transferEncoding, "Transfer-Encoding \"\(escaped(list))\" is not supported")
    }
    return .chunked
  }

  private static func decimal(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(Octet.isDigit) else { return nil }
    return Int64(text)
  }
}
