import Models
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
    catalogue.register("turbine", for: .engine) { Turbine(fuel: try $0.require(.fuel)) }
    catalogue.register("kerosene", for: .fuel) { _ in "kerosene" }
    return catalogue
  }

  private func refusal(_ catalogue: Catalogue, _ choices: [String: String]) -> String? {
    do {
      _ = try Container(catalogue, choosing: choices)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("The chosen adapters are built, those that they need first")
  func chosen() throws {
    let container = try Container(catalogue, choosing: ["engine": "turbine", "fuel": "kerosene"])
    #expect(try container.resolve(.engine).name == "turbine on kerosene")
    let other = try Container(catalogue, choosing: ["engine": "piston", "fuel": "kerosene"])
    #expect(try other.resolve(.engine).name == "piston")
    #expect(catalogue.names(for: "engine") == ["piston", "turbine"])
    #expect(catalogue.ports == ["engine", "fuel"])
  }

  @Test("What is put around a port is around each of its adapters, and around no other port")
  func wrapped() throws {
    var catalogue = catalogue
    catalogue.wrap(.engine) { Turbine(fuel: $0.name) }
    for (choice, name) in [
      ("piston", "turbine on piston"), ("turbine", "turbine on turbine on kerosene"),
    ] {
      let container = try Container(catalogue, choosing: ["engine": choice, "fuel": "kerosene"])
      #expect(try container.resolve(.engine).name == name)
      #expect(try container.resolve(.fuel) == "kerosene")
    }
  }

  @Test("An unknown adapter names the key and what would work")
  func unknownAdapter() {
    var catalogue = Catalogue()
    catalogue.register("socket", for: Port<String>("transport")) { _ in "" }
    catalogue.register("url-session", for: Port<String>("transport")) { _ in "" }
    #expect(
      refusal(catalogue, ["transport": "sockt"])
        == "adapters.transport = \"sockt\" is not known; choose one of: socket, url-session; "
        + "did you mean socket?")
  }

  @Test("An unset port and an unknown one are named")
  func unset() {
    #expect(
      refusal(catalogue, ["fuel": "kerosene"])
        == "adapters.engine is not set; choose one of: piston, turbine")
    #expect(
      refusal(catalogue, ["engine": "piston", "fuel": "kerosene", "wing": "x"])
        == "adapters.wing is not a port; the ports are: engine, fuel")
  }

  @Test("Adapters that need each other are refused with the way round")
  func cycle() {
    var catalogue = catalogue
    catalogue.register("pumped", for: .fuel) { try $0.require(.pump) }
    catalogue.register("driven", for: .pump) { try $0.require(.engine).name }
    #expect(
      refusal(catalogue, ["engine": "turbine", "fuel": "pumped", "pump": "driven"])
        == "these adapters need each other: engine → fuel → pump → engine")
    catalogue.register("own", for: .pump) { try $0.require(.pump) }
    #expect(
      refusal(catalogue, ["engine": "piston", "fuel": "kerosene", "pump": "own"])
        == "these adapters need each other: pump → pump")
  }

  @Test("A factory that fails is named with its cause, also from below")
  func failing() {
    var catalogue = catalogue
    catalogue.register("empty", for: .fuel) { _ in throw Broken() }
    #expect(
      refusal(catalogue, ["engine": "turbine", "fuel": "empty"])
        == "adapters.fuel = \"empty\" cannot start: no spark")
  }

  @Test("A copy of the catalogue overrides one entry and leaves the original alone")
  func override() throws {
    let original = catalogue
    var copy = original
    copy.register("turbine", for: .engine) { _ in Turbine(fuel: "water") }
    let choices = ["engine": "turbine", "fuel": "kerosene"]
    #expect(try Container(copy, choosing: choices).resolve(.engine).name == "turbine on water")
    #expect(
      try Container(original, choosing: choices).resolve(.engine).name == "turbine on kerosene")
    #expect(copy.names(for: "engine") == ["piston", "turbine"])
  }

  @Test("Each adapter is built once and shared; a copy of the container is a scope of its own")
  func shared() throws {
    final class Wheel: Sendable {}
    var catalogue = Catalogue()
    let wheel = Port<Wheel>("wheel")
    catalogue.register("a", for: wheel) { _ in Wheel() }
    catalogue.register("b", for: Port<Wheel>("axle")) { try $0.require(wheel) }
    let container = try Container(catalogue, choosing: ["wheel": "a", "axle": "b"])
    let copy = container
    #expect(try container.resolve(wheel) === container.resolve(Port<Wheel>("axle")))
    #expect(try copy.resolve(wheel) === container.resolve(wheel))
  }

  @Test("A value that is given needs no choice, and cannot be chosen")
  func given() throws {
    var catalogue = catalogue
    catalogue.provide("hydrogen", for: .fuel)
    let container = try Container(catalogue, choosing: ["engine": "turbine"])
    #expect(try container.resolve(.engine).name == "turbine on hydrogen")
    #expect(catalogue.ports == ["engine"])
    #expect(
      refusal(catalogue, ["engine": "turbine", "fuel": "kerosene"])
        == "adapters.fuel is not a port; the ports are: engine")
  }

  @Test("A port that nobody filled is an error, not a trap")
  func unfilled() throws {
    let container = try Container(Catalogue(), choosing: [:])
    #expect(throws: WiringError.unset(port: "engine", known: [])) {
      try container.resolve(.engine)
    }
  }
}
