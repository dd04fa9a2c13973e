/// The reason why a worker cannot complete a shard.
public enum ShardError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A line of the driver is not what the protocol requires. Another attempt would fail in the same way.
  case malformed(String)
  /// The shard may succeed at another attempt, such as after a full disk was cleared.
  case failed(String)

  public var description: String {
    switch self {
    case .malformed(let reason), .failed(let reason): reason
    }
  }
}

extension ShardError {
  /// Returns the error with the number of the line whose content it concerns, from 1.
  public func inLine(_ number: Int) -> ShardError {
    if case .malformed(let reason) = self { .malformed("line \(number): \(reason)") } else { self }
  }
}
