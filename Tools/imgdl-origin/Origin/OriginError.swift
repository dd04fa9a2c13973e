/// Why a server cannot start.
public struct OriginError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case argument, address, folder, series, log, resources
  }

  public let code: Code
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
