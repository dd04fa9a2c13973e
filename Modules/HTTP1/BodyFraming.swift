import Models

/// The method that determines the end of a body (RFC 9112 §6.3).
public enum BodyFraming: Sendable, Equatable {
  /// The message has no body, regardless of its fields.
  case none
  /// The body has this number of bytes.
  case length(Int64)
  case chunked
  /// The body ends with the connection, so its length cannot be verified.
  case untilClose
}

/// The fields of a message that determine its framing and whether the connection persists, parsed once.
struct FramingFields {
  private(set) var hasTransferEncoding = false
  private(set) var hasContentLength = false
  private(set) var hasClose = false
  private(set) var hasKeepAlive = false
  private var codings: [Substring] = []
  /// The common value of all Content-Length fields and their members. A failure is thrown by `framing`, which
  /// evaluates Transfer-Encoding first.
  private var length: Result<Int64, HTTPParseError>?

  init(_ fields: HTTPFields) {
    fields.forEach { name, value in
      switch name.count {
      case 10 where name.isSame("connection"):
        FieldList.forEachMember(of: value) { option in
          if option.isSame("close") { hasClose = true }
          if option.isSame("keep-alive") { hasKeepAlive = true }
        }
      case 14 where name.isSame("content-length"):
        hasContentLength = true
        addLength(length: value)
      case 17 where name.isSame("transfer-encoding"):
        hasTransferEncoding = true
        codings += FieldList.members(FieldText.decode(value.bytes))
      default: break
      }
    }
  }

  private mutating func addLength(length value: Span<UInt8>) {
    FieldList.forEachMember(of: value) { member in
      switch (length, member.decimal) {
      case (.failure, _): break
      case (_, nil):
        let text = value.bytes.escaped(0..<value.count)
        length = .failure(HTTPParseError(.contentLength, "Content-Length \"\(text)\" is not valid"))
      case (nil, let number?): length = .success(number)
      case (.success(let known), let number?) where known != number:
        length = .failure(
          HTTPParseError(.contentLength, "two different values of Content-Length"))
      case (.success, _): break
      }
    }
  }

  /// Whether the connection persists after this message (RFC 9112 §9.3).
  func isPersistent(minorVersion: Int) -> Bool {
    !hasClose && (minorVersion >= 1 || hasKeepAlive)
  }

  /// Returns the framing of a message that may have a body; `unframed` applies if no field gives a length.
  ///
  /// Transfer-Encoding overrides Content-Length, also in HTTP/1.0 (RFC 9112 §6.1, §6.3). The obsolete coding
  /// `identity` has no effect, and `chunked` is applied once, however often it is named.
  func framing(unframed: BodyFraming) throws(HTTPParseError) -> BodyFraming {
    let effective = codings.filter { !HTTPFields.isSame($0, "identity") }
    guard !effective.isEmpty else {
      guard let length else { return unframed }
      return .length(try length.get())
    }
    guard effective.allSatisfy({ HTTPFields.isSame($0, "chunked") }) else {
      let list = codings.joined(separator: ", ")
      throw HTTPParseError(
        .transferEncoding, "Transfer-Encoding \"\(escaped(list))\" is not supported")
    }
    return .chunked
  }

  /// Whether another parser may determine another end of the message. The connection must then be closed
  /// after the message.
  func isAmbiguous(minorVersion: Int) -> Bool {
    hasTransferEncoding
      && (hasContentLength || minorVersion == 0 || codings.count != 1
        || !HTTPFields.isSame(codings[0], "chunked"))
  }
}

extension Span<UInt8> {
  /// Compares without regard to ASCII case; `text` is in lower case.
  fileprivate func isSame(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return indices.allSatisfy { HTTPFields.lowercased(self[$0]) == text.utf8Start[$0] }
  }
}
