/// Why bytes are not an HTTP/1.1 message, or why a message may not be sent as it is.
///
/// Every error is final: the position of the next message is not known any more, so the connection
/// has to be closed.
public struct HTTPParseError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The first bytes are no `HTTP/` status line.
    case notHTTP
    case startLine
    case version
    case status
    case method
    case target
    case host
    /// A line that does not end in CR LF, or a CR or NUL inside one.
    case lineEnd
    case fieldName
    case fieldValue
    /// A continued line where none is allowed.
    case fold
    case headTooLarge
    case tooManyFields
    case contentLength
    case transferEncoding
    /// Transfer-Encoding together with Content-Length: request smuggling or a broken server.
    case ambiguousLength
    case chunk
    /// A chunk size of more digits than allowed.
    case chunkSizeTooLong
    case chunkExtensionTooLarge
    case trailerTooLarge
    case tooManyInformational
    /// 101 without having been requested.
    case unexpectedUpgrade
    /// The connection ended before the message did.
    case truncated
  }

  public let code: Code
  /// What was found, with control characters and non-ASCII bytes escaped.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }
}
