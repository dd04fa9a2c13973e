/// The remark that a newer version of a file could not be downloaded, which is the reason of the resource until its
/// next download.
public struct ReloadRemark: Sendable, Equatable {
  public let text: String

  private static let prefix = "its reload failed: "

  /// - Parameter failure: The reason why there is no newer version, as a clause for users.
  public init(failure: String) { text = "\(Self.prefix)\(failure); the earlier version is kept" }

  /// Returns the remark that is the reason of a resource; nil if there is none.
  public init?(in reason: String?) {
    guard let reason, reason.hasPrefix(Self.prefix) else { return nil }
    text = reason
  }
}
