/// The reason why a document of markup cannot be read, or only in part.
public struct MarkupError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be opened or read.
    case io
    /// The document is not well-formed, or not of the demanded kind.
    case syntax
    /// The document is of a kind or in a character encoding that imgdl does not support.
    case unsupported
    /// A limit was exceeded; the description states it.
    case limit
    /// The caller ended the reading with an error of its own.
    case visitor
    /// The worker process that read the document crashed, timed out or sent invalid messages.
    case worker
  }

  public let code: Code
  /// The cause as a sentence for people; never empty. Control characters are escaped, and the text is
  /// truncated to 500 bytes.
  public let description: String
  /// Whether the document ends before it is complete. Only a parser states it, and not a worker.
  public let isTruncation: Bool

  public init(_ code: Code, _ description: String, isTruncation: Bool = false) {
    self.code = code
    self.isTruncation = isTruncation
    self.description = Self.escaped(description.isEmpty ? code.sentence : description)
  }

  /// The error of a document for which the memory of a worker does not suffice.
  public static let outOfMemory = MarkupError(
    .limit,
    "the document needs more memory than its worker may use (\(MarkupLimits.memoryBytes >> 20) MiB; "
      + "\(MarkupLimits.fixed))")

  private static let maximumLength = 500

  /// Escapes untrusted text, so that it can neither control a terminal, reverse the direction of the text, nor
  /// fill the screen.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let next =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
        default: String(scalar)
        }
      guard result.utf8.count + next.utf8.count <= maximumLength - 3 else { return result + "…" }
      result += next
    }
    return result
  }
}

extension MarkupError.Code {
  /// The sentence for an error without a description of its own.
  fileprivate var sentence: String {
    switch self {
    case .io: "the document cannot be read"
    case .syntax: "the document is not well-formed"
    case .unsupported: "the document is of a kind that imgdl does not support"
    case .limit: "the document exceeds a limit of the settings"
    case .visitor: "the document was not read to its end"
    case .worker: "the document was not read: its worker failed"
    }
  }
}
