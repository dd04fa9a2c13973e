/// The installed version of a C library that an adapter uses.
public struct LibraryVersion: Sendable, Equatable, Codable {
  public let name: String
  /// The version that the library reports at run time, or nil if it cannot be opened.
  public let version: String?
  /// The purpose for which the adapter uses the library.
  public let use: String
  /// The reason why the library cannot be opened; nil if it can.
  public let problem: String?
  /// The Debian package that contains the library; nil if the library is always installed.
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
