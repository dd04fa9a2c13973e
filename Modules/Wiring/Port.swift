/// A typed key for a service that an adapter provides.
///
/// An interface declares its port in an extension of `Port`, so that
/// `catalogue.register("socket", for: .transport)` compiles only with a factory of the right type.
public struct Port<Service: Sendable>: Sendable {
  /// The name of the port; the settings key is `adapters.<name>`.
  public let name: String

  public init(_ name: String) { self.name = name }
}
