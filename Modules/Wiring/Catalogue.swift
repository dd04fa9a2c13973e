/// The registered adapters, by port and name. The type is a struct, so that tests can copy it and replace an
/// entry.
public struct Catalogue: Sendable {
  typealias Factory = @Sendable (inout Container) throws -> any Sendable

  /// A service boxed with the type of its port, so that `resolve` casts it without a search for protocol
  /// conformances.
  struct Provided<Service: Sendable>: Sendable {
    let service: Service
  }

  struct Adapter: Sendable {
    let name: String
    let make: Factory
  }

  private(set) var adapters: [String: [Adapter]] = [:]

  public init() {}

  /// Registers an adapter. A later registration of the same name replaces the earlier one.
  public mutating func register<Service>(
    _ name: String, for port: Port<Service>,
    _ make: @escaping @Sendable (inout Container) throws -> Service
  ) {
    adapters[port.name, default: []].removeAll { $0.name == name }
    adapters[port.name, default: []].append(
      Adapter(name: name) { Provided(service: try make(&$0)) })
  }

  /// Registers a value that is not chosen by a setting, such as the settings themselves, a clock or
  /// a path.
  public mutating func provide<Service>(_ value: Service, for port: Port<Service>) {
    adapters[port.name] = [Adapter(name: Self.providedName) { _ in Provided(service: value) }]
  }

  /// Wraps every adapter that is already registered for a port, for example to count requests.
  public mutating func wrap<Service>(
    _ port: Port<Service>, in wrapper: @escaping @Sendable (Service) -> Service
  ) {
    adapters[port.name] = adapters[port.name]?.map { adapter in
      Adapter(name: adapter.name) { container in
        let made = try adapter.make(&container)
        // A service of a wrong type is passed on; `Container.resolve` reports it.
        guard let made = made as? Provided<Service> else { return made }
        return Provided(service: wrapper(made.service))
      }
    }
  }

  static let providedName = "given"

  /// Returns the names registered for a port, in order of registration.
  public func names(for port: String) -> [String] {
    (adapters[port] ?? []).map(\.name)
  }

  /// The names of the ports whose adapter is chosen by a setting, sorted.
  public var ports: [String] {
    adapters.filter { $0.value.first?.name != Self.providedName }.keys.sorted()
  }
}
