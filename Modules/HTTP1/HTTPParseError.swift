/// The reason why bytes are not a valid HTTP/1.1 message, or why a message cannot be sent.
///
/// Every error is final: the position of the next message is unknown, so the connection must be closed.
public struct HTTPParseError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The first bytes are not an `HTTP/` status line.
    case notHTTP
    case startLine
    case version
    case status
    case method
    case target
    case host
    /// A line does not end in CR LF, or contains a CR or NUL.
    case lineEnd
    case fieldName
    case fieldValue
    /// A field section has a continuation line where none is allowed.
    case fold
    case headTooLarge
    case tooManyFields
    case contentLength
    case transferEncoding
    case chunk
    /// A chunk size has more digits than allowed.
    case chunkSizeTooLong
    case chunkExtensionTooLarge
    case trailerTooLarge
    case tooManyInformational
    /// The server sent 101 although no upgrade was requested.
    case unexpectedUpgrade
    /// The connection ended before the end of the message.
    case truncated
  }

  public let code: Code
  /// The problem as a text for messages. Quoted bytes of the message are escaped unless they are visible
  /// ASCII.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }
}
