/// Why there is no picture.
public struct RenderError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
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
  /// One clause for people; control characters escaped.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }
}
