/// A C library that an adapter stands on, as it runs on this machine.
public struct LibraryVersion: Sendable, Equatable, Codable {
  public let name: String
  /// What the library says of itself at run time; nil if it cannot be opened.
  public let version: String?
  /// What it is used for.
  public let use: String
  /// Why it cannot be opened.
  public let problem: String?
  /// The Debian package that brings it, where it may be missing.
  public let package: String?

  public init(
    _ name: String, _ version: String?, for use: String, problem: String? = nil,
    package: String? = nil
  ) {
    self.name = name
    self.version = version
    self.use = use
    self.problem = problem
    self.package = package
  }
}
