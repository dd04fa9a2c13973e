/// Which program to start as a helper, and how.
public struct WorkerProgram: Sendable {
  public enum StandardError: Sendable {
    /// Its last 500 bytes become part of the message when the helper dies.
    case captured
    /// It goes where ours goes.
    case inherited
  }

  public var path: String
  /// Without the program's name.
  public var arguments: [String]
  /// All of it, as `NAME=value`.
  public var environment: [String]
  /// What we accept from the helper.
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

  /// Where the helper finds its end of the socket.
  public static let socketDescriptor: Int32 = 3
}
