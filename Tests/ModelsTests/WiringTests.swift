import Models
import Synchronization
import Testing
import Wiring

private protocol Engine: Sendable { var name: String { get } }

private struct Piston: Engine { var name = "piston" }

private struct Turbine: Engine {
  let fuel: String
  var name: String { "turbine on \(fuel)" }
}

private struct Broken: Error, CustomStringConvertible { let description = "no spark" }

extension Port where Service == any Engine {
  fileprivate static var engine: Port<any Engine> { Port("engine") }
}

extension Port where Service == String {
  fileprivate static var fuel: Port<String> { Port("fuel") }
  fileprivate static var pump: Port<String> { Port("pump") }
}

@Suite("Wiring")
struct WiringTests {
  private var catalogue: Catalogue {
    var catalogue = Catalogue()
    catalogue.register("piston", for: .engine) { _ in Piston() }
    catalogue.register("turbine", for: .engine) { Turbine(fuel: try $0.resolve(.fuel)) }
    catalogue.register("kerosene", for: .fuel) { _ in "kerosene" }
    return catalogue
  }

  private func refusal(_ catalogue: Catalogue, _ choices: [String: String]) -> String? {
    do {
      var container = try Container(catalogue, choosing: choices)
      try container.resolveAll()
      return nil
    } catch {
      return error.description
    }
  }

  @Test("The chosen adapters are created, their dependencies first")
  func chosen() throws {
    var container = try Container(catalogue, choosing: ["engine": "turbine", "fuel": "kerosene"])
    #expect(try container.resolve(.engine).name == "turbine on kerosene")
    var other = try Container(catalogue, choosing: ["engine": "piston", "fuel": "kerosene"])
    #expect(try other.resolve(.engine).name == "piston")
    #expect(catalogue.names(for: "engine") == ["piston", "turbine"])
    #expect(catalogue.ports == ["engine", "fuel"])
  }

  @Test("A decorator of a port is applied to each of its adapters, and to no other port")
  func wrapped() throws {
    var catalogue = catalogue
    catalogue.wrap(.engine) { Turbine(fuel: $0.name) }
    for (choice, name) in [
      ("piston", "turbine on piston"), ("turbine", "turbine on turbine on kerosene"),
    ] {
      var container = try Container(catalogue, choosing: ["engine": choice, "fuel": "kerosene"])
      #expect(try container.resolve(.engine).name == name)
      #expect(try container.resolve(.fuel) == "kerosene")
    }
  }

  @Test("The error of an unknown adapter names the key and the known adapters")
  func unknownAdapter() {
    var catalogue = Catalogue()
    catalogue.register("socket", for: Port<String>("transport")) { _ in "" }
    catalogue.register("url-session", for: Port<String>("transport")) { _ in "" }
    #expect(
      refusal(catalogue, ["transport": "sockt"])
        == "adapters.transport = \"sockt\" is not known; choose one of: socket, url-session; "
        + "did you mean socket?")
  }

  @Test("The errors of an unset port and an unknown one name the port")
  func unset() {
    #expect(
      refusal(catalogue, ["fuel": "kerosene"])
        == "adapters.engine is not set; choose one of: piston, turbine")
    #expect(
      refusal(catalogue, ["engine": "piston", "fuel": "kerosene", "wing": "x"])
        == "adapters.wing is not a port; the ports are: engine, fuel")
  }

  @Test("Adapters with cyclic dependencies are refused, and the error shows the cycle")
  func cycle() {
    var catalogue = catalogue
    catalogue.register("pumped", for: .fuel) { try $0.resolve(.pump) }
    catalogue.register("driven", for: .pump) { try $0.resolve(.engine).name }
    #expect(
      refusal(catalogue, ["engine": "turbine", "fuel": "pumped", "pump": "driven"])
        == "these adapters depend on each other: engine → fuel → pump → engine")
    catalogue.register("own", for: .pump) { try $0.resolve(.pump) }
    #expect(
      refusal(catalogue, ["engine": "piston", "fuel": "kerosene", "pump": "own"])
        == "these adapters depend on each other: pump → pump")
  }

  @Test("The error of a factory names its cause, also that of a dependency")
  func failing() {
    var catalogue = catalogue
    catalogue.register("empty", for: .fuel) { _ in throw Broken() }
    #expect(
      refusal(catalogue, ["engine": "turbine", "fuel": "empty"])
        == "adapters.fuel = \"empty\" cannot be created: no spark")
  }

  @Test("A copy of the catalogue overrides one entry and leaves the original alone")
  func override() throws {
    let original = catalogue
    var copy = original
    copy.register("turbine", for: .engine) { _ in Turbine(fuel: "water") }
    let choices = ["engine": "turbine", "fuel": "kerosene"]
    var (changed, unchanged) = (
      try Container(copy, choosing: choices), try Container(original, choosing: choices)
    )
    #expect(try changed.resolve(.engine).name == "turbine on water")
    #expect(try unchanged.resolve(.engine).name == "turbine on kerosene")
    #expect(copy.names(for: "engine") == ["piston", "turbine"])
  }

  @Test("Each adapter is created once and shared; a copy of the container is a separate scope")
  func shared() throws {
    final class Wheel: Sendable {}
    var catalogue = Catalogue()
    let wheel = Port<Wheel>("wheel")
    catalogue.register("a", for: wheel) { _ in Wheel() }
    catalogue.register("b", for: Port<Wheel>("axle")) { try $0.resolve(wheel) }
    var container = try Container(catalogue, choosing: ["wheel": "a", "axle": "b"])
    var early = container
    let (first, second) = (
      try container.resolve(Port<Wheel>("axle")), try container.resolve(wheel)
    )
    #expect(first === second)
    var late = container
    #expect(try late.resolve(wheel) === first)
    #expect(try early.resolve(wheel) !== first)
  }

  @Test("Dependencies are resolved in any order of names, registrations and requests")
  func order() throws {
    let (first, last) = (Port<String>("a"), Port<String>("z"))
    for isNamedFirst in [true, false] {
      let (port, needed) = isNamedFirst ? (first, last) : (last, first)
      var catalogue = Catalogue()
      catalogue.register("user", for: port) { "with \(try $0.resolve(needed))" }
      catalogue.register("used", for: needed) { _ in "this" }
      var container = try Container(
        catalogue, choosing: [port.name: "user", needed.name: "used"])
      #expect(try container.resolve(port) == "with this")
    }
  }

  @Test("Only the requested adapters and their dependencies are created")
  func onDemand() throws {
    final class Made: Sendable {
      let names = Mutex<[String]>([])
    }
    let made = Made()
    var catalogue = Catalogue()
    for name in ["a", "b", "c"] {
      catalogue.register("only", for: Port<String>(name)) { container in
        if name == "b" { _ = try container.resolve(Port<String>("c")) }
        made.names.withLock { $0.append(name) }
        return name
      }
    }
    var container = try Container(catalogue, choosing: ["a": "only", "b": "only", "c": "only"])
    #expect(made.names.withLock { $0 } == [])
    _ = try container.resolve(Port<String>("b"))
    _ = try container.resolve(Port<String>("b"))
    #expect(made.names.withLock { $0 } == ["c", "b"])
  }

  @Test("A value that is supplied needs no choice, and cannot be chosen")
  func given() throws {
    var catalogue = catalogue
    catalogue.provide("hydrogen", for: .fuel)
    var container = try Container(catalogue, choosing: ["engine": "turbine"])
    #expect(try container.resolve(.engine).name == "turbine on hydrogen")
    #expect(catalogue.ports == ["engine"])
    #expect(
      refusal(catalogue, ["engine": "turbine", "fuel": "kerosene"])
        == "adapters.fuel is not a port; the ports are: engine")
  }

  @Test("A port without an adapter is an error, not a trap")
  func unfilled() throws {
    var container = try Container(Catalogue(), choosing: [:])
    #expect(throws: WiringError.unset(port: "engine", known: [])) {
      try container.resolve(.engine)
    }
  }
}
