import LibraryAPI
import Testing
import TestSupport
@testable import Control

/// `API.yaml` describes what the router answers, no more and no less.
@Suite struct APIDescriptionTests {
  @Test("every route is described, and every description has its route")
  func routes() throws {
    let described = try APIDescription().operations
    let router = Router(
      MemoryLibrary(), .nothing(root: "/"),
      hello: HelloMessage(api: 1, library: "/", processID: 1, engine: "1"),
      viewedRecords: ViewedRecords())
    let routed = router.routes.map {
      APIDescription.Operation(method: $0.method, path: $0.path)
    }
    #expect(routed.count == Set(routed).count, "no route twice")
    #expect(described == Set(routed))
  }

  @Test("every route takes exactly the parameters that are described")
  func parameters() throws {
    let document = try APIDescription().document
    let router = Router(
      MemoryLibrary(), .nothing(root: "/"),
      hello: HelloMessage(api: 1, library: "/", processID: 1, engine: "1"),
      viewedRecords: ViewedRecords())
    for route in router.routes {
      let path = document["paths"]?[route.path]
      let described =
        (path?["parameters"]?.items ?? [])
        + (path?[route.method.lowercased()]?["parameters"]?.items ?? [])
      let names = described.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
      #expect(Set(names) == route.query, "\(route.method) \(route.path)")
    }
  }

  @Test("every code that an answer can have is described")
  func codes() throws {
    let document = try APIDescription().document
    let described = Schema(document: document).resolve(
      "#/components/schemas/Problem/properties/code")
    let names = Set((described["enum"]?.items ?? []).compactMap(\.string))
    let real =
      ControlError.Code.allCases.map(\.rawValue) + LibraryError.Code.allCases.map(\.rawValue)
    #expect(names == Set(real))
  }

  @Test("every kind of event is described")
  func events() throws {
    let document = try APIDescription().document
    let described = Schema(document: document)
      .resolve("#/components/schemas/EventData/properties/kind")
    let names = Set((described["enum"]?.items ?? []).compactMap(\.string))
    #expect(names == Set(EventMessage.Kind.allCases.map(\.rawValue)))
  }
}
