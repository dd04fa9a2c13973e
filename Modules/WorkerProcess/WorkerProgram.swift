/// The program to start as a helper, with its arguments and environment.
public struct WorkerProgram: Sendable {
  public enum StandardError: Sendable {
    /// The last 500 bytes become part of the error's text when the helper dies.
    case captured
    /// The helper inherits the standard error of this process.
    case inherited
  }

  public var path: String
  /// The arguments without the program's name.
  public var arguments: [String]
  /// The whole environment, as `NAME=value`.
  public var environment: [String]
  /// The limits of frames from the helper.
  public var limits: FrameLimits
  public var standardError: StandardError

  public init(
    path: String, arguments: [String] = [],
    environment: [String] = WorkerEnvironment.passing(), limits: FrameLimits = FrameLimits(),
    standardError: StandardError = .captured
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.limits = limits
    self.standardError = standardError
  }

  /// The last part of the path, for messages.
  public var name: String {
    String(path.split(separator: "/").last ?? Substring(path))
  }

  /// The descriptor of the helper's end of the socket.
  public static let socketDescriptor: Int32 = 3
}
