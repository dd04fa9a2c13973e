/// Every adapter that is known, by port and by name. A value: tests copy it and override an entry.
public struct Catalogue: Sendable {
  typealias Factory = @Sendable (inout Container) throws -> any Sendable

  /// A service as the type of its port, which is found again without a search for what it conforms to.
  struct Provided<Service: Sendable>: Sendable {
    let service: Service
  }

  struct Adapter: Sendable {
    let name: String
    let make: Factory
  }

  private(set) var adapters: [String: [Adapter]] = [:]

  public init() {}

  /// Makes an adapter known. The newest registration of a name wins.
  public mutating func register<Service>(
    _ name: String, for port: Port<Service>,
    _ make: @escaping @Sendable (inout Container) throws -> Service
  ) {
    adapters[port.name, default: []].removeAll { $0.name == name }
    adapters[port.name, default: []].append(
      Adapter(name: name) { Provided(service: try make(&$0)) })
  }

  /// Registers a value that needs no choice: settings, clocks, places on disk.
  public mutating func provide<Service>(_ value: Service, for port: Port<Service>) {
    adapters[port.name] = [Adapter(name: Self.given) { _ in Provided(service: value) }]
  }

  /// Puts something around every adapter of a port that is known by now: for counting, for tests.
  public mutating func wrap<Service>(
    _ port: Port<Service>, in wrapper: @escaping @Sendable (Service) -> Service
  ) {
    adapters[port.name] = adapters[port.name]?.map { adapter in
      Adapter(name: adapter.name) { container in
        let made = try adapter.make(&container)
        // Another type is found when the port is resolved.
        guard let made = made as? Provided<Service> else { return made }
        return Provided(service: wrapper(made.service))
      }
    }
  }

  static let given = "given"

  /// The names known for a port, in order of registration.
  public func names(for port: String) -> [String] {
    (adapters[port] ?? []).map(\.name)
  }

  /// The ports that take an adapter by name, sorted.
  public var ports: [String] {
    adapters.filter { $0.value.first?.name != Self.given }.keys.sorted()
  }
}
