/// Decodes one coded body incrementally. The end of the coded data is verified, and data after it is an
/// error.
///
/// Not thread-safe. Memory is bounded for every input: a buffer of 64 KiB and the window of the coding.
/// The output is not bounded: the caller must end the decoding of a body that becomes too large.
public protocol ContentDecoder: AnyObject {
  /// Decodes the next bytes. The decoded body does not depend on how the coded one is divided.
  /// - Parameter take: Receives the decoded bytes, at most 64 KiB at a time, which are valid during the call;
  ///   returns false to end the decoding.
  /// - Returns: false if `take` returned false. The decoder must not be used after that.
  func decode(
    _ bytes: RawSpan, _ take: (RawSpan) -> Bool
  ) throws(DecodingFailure) -> Bool

  /// Ends the input.
  /// - Throws: `truncated` if the coded data is incomplete.
  func finish() throws(DecodingFailure)
}

/// The reason why a coded body cannot be decoded.
public struct DecodingFailure: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: Sendable, Equatable {
    /// The data does not have the format, or is damaged; the text is the library's message.
    case damaged(String)
    /// The data ended before the end of the coded content.
    case truncated
    /// Data follows the end of the coded content.
    case trailingData
    /// The decoder would need a larger window than the coding permits in HTTP.
    case windowTooLarge
    case outOfMemory
  }

  public let coding: ContentCoding
  public let code: Code

  init(_ coding: ContentCoding, _ code: Code) {
    self.coding = coding
    self.code = code
  }

  public var description: String {
    switch code {
    case .damaged(let words): "the \(coding.label) data is damaged (\(words))"
    case .truncated: "the \(coding.label) data is cut off"
    case .trailingData: "data follows the end of the \(coding.label) data"
    case .windowTooLarge: "the \(coding.label) data needs a window of more than 8 MiB"
    case .outOfMemory: "no memory for \(coding.label)"
    }
  }
}

/// The size of the buffers that decoders write to, in bytes.
let outputBufferSize = 65_536
