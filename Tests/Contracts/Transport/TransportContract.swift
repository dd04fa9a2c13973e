public import Testing
public import Transport

/// The rules that every transport follows, as named rules over a transport that is not shared.
public enum TransportContract {
  public struct Rule: Sendable, CustomTestStringConvertible {
    public let name: String
    /// Checks the rule on a transport that no other rule uses, and does not shut it down.
    public let check: @Sendable (any Transport) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (any Transport) async throws -> Void) {
      self.name = name
      self.check = check
    }

    public var testDescription: String { name }
  }

  public static let rules =
    bodies + heads + requests + redirects + sinks + brokenServers + deadlines + cancellation
    + begun + connections + plainServers
}
