/// Why there is no picture.
public struct RenderError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be read, or memory is short.
    case io
    /// No decoder knows the format.
    case unsupported
    /// The data is broken; the detail says what the decoder said.
    case damaged
    case truncated
    /// A password is needed.
    case encrypted
    /// A limit was exceeded; the detail names the setting.
    case limit
    /// The worker process died, hung or answered nonsense.
    case worker
    case cancelled
  }

  public let code: Code
  /// Never empty. One clause for people; control characters escaped.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail.isEmpty ? code.sentence : detail
  }

  /// Bytes of a detail that comes from a library or a worker.
  public static let longestDetail = 500

  /// - Parameter detail: the words of a library or of a worker: control characters are escaped, and
  ///   the result is cut after 500 bytes.
  public init(_ code: Code, escaping detail: String) {
    let trimmed = detail.unicodeScalars.drop { $0.properties.isWhitespace }
    var text = ""
    for scalar in trimmed {
      let next = Self.escaped(scalar)
      guard text.utf8.count + next.utf8.count <= Self.longestDetail - 3 else {
        text += "…"
        break
      }
      text += next
    }
    while text.last?.isWhitespace == true { text.removeLast() }
    self.init(code, text)
  }

  /// Whether the data is at fault, so that a part of the picture may be there all the same.
  public var isDamage: Bool { code == .damaged || code == .truncated }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    guard scalar.properties.generalCategory == .control || scalar.properties.isBidiControl else {
      return String(scalar)
    }
    return scalar.properties.isWhitespace ? " " : "\\u{\(String(scalar.value, radix: 16))}"
  }

  /// The same job may succeed when it is tried again: the file was not at fault for certain.
  public var isRetryable: Bool { code == .io || code == .worker }

  public var description: String { detail }
}

extension RenderError.Code {
  /// The sentence for an error without a detail of its own.
  public var sentence: String {
    switch self {
    case .io: "the file cannot be read"
    case .unsupported: "the file is of a kind that has no decoder here"
    case .damaged: "the file is damaged"
    case .truncated: "the file ends too early, a part of it is missing"
    case .encrypted: "the file needs a password"
    case .limit: "the file exceeds a limit of the settings"
    case .worker: "the decoder of the file failed"
    case .cancelled: "the file was not decoded because nobody waits for it"
    }
  }
}
