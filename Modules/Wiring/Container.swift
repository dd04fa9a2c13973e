/// The dependency graph of a program. The names of adapters are checked in `init`; a service is created when
/// it is first resolved, so that a caller that needs one service starts no other.
///
/// Only the module Composition resolves services; every other type receives its dependencies in `init`.
public struct Container: Sendable {
  private let catalogue: Catalogue
  private let choices: [String: String]
  private var services: [String: any Sendable] = [:]
  private var underConstruction: [String] = []

  /// - Parameter choices: The name of the chosen adapter by the name of its port.
  /// - Throws: `WiringError` for an unknown port or adapter.
  public init(_ catalogue: Catalogue, choosing choices: [String: String]) throws(WiringError) {
    self.catalogue = catalogue
    self.choices = choices
    for port in choices.keys.sorted() {
      guard catalogue.ports.contains(port) else {
        throw WiringError.unknownPort(port, known: catalogue.ports)
      }
      _ = try chosenAdapter(for: port)
    }
  }

  /// Returns the service of a port, which is created once together with its dependencies and then shared. The
  /// order of registration does not matter.
  /// - Throws: `WiringError` for a port without a choice, a cycle, or a factory that failed.
  public mutating func resolve<Service>(_ port: Port<Service>) throws(WiringError) -> Service {
    try build(port.name)
    guard let provided = services[port.name] as? Catalogue.Provided<Service> else {
      throw WiringError.unset(port: port.name, known: catalogue.names(for: port.name))
    }
    return provided.service
  }

  /// Creates the services of all ports, to check that each of them can be created.
  public mutating func resolveAll() throws(WiringError) {
    for port in catalogue.adapters.keys.sorted() { try build(port) }
  }

  private mutating func build(_ port: String) throws(WiringError) {
    guard services[port] == nil else { return }
    guard !underConstruction.contains(port) else {
      throw WiringError.cycle(underConstruction + [port])
    }
    let adapter = try chosenAdapter(for: port)
    underConstruction.append(port)
    defer { underConstruction.removeLast() }
    do {
      services[port] = try adapter.make(&self)
    } catch let error as WiringError {
      throw error
    } catch {
      throw WiringError.failed(port: port, adapter: adapter.name, cause: "\(error)")
    }
  }

  private func chosenAdapter(for port: String) throws(WiringError) -> Catalogue.Adapter {
    let known = catalogue.adapters[port] ?? []
    if let only = known.first, only.name == Catalogue.providedName { return only }
    guard let choice = choices[port] else {
      throw WiringError.unset(port: port, known: known.map(\.name))
    }
    guard let adapter = known.first(where: { $0.name == choice }) else {
      throw WiringError.unknownAdapter(choice, port: port, known: known.map(\.name))
    }
    return adapter
  }
}
