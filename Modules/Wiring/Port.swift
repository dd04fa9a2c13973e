/// A typed key for a service: a place in the graph that an adapter fills.
///
/// Interfaces declare theirs in an extension, so that `catalogue.register("socket", for: .transport)`
/// reads like a sentence and a wrong type does not compile.
public struct Port<Service: Sendable>: Sendable {
  /// The settings key is `adapters.<name>`.
  public let name: String

  public init(_ name: String) { self.name = name }
}
