import Models
import TestSupport
import Testing

@testable import Engine

/// For tests of what becomes of one resource.
extension Lab {
  /// Downloads a list of that URL and a picture beside it, which has to finish whatever becomes of
  /// the first one.
  func run(_ url: String, _ body: [UInt8]) async throws -> Resource {
    web.serve(url, .file(body))
    serveList([url, Lab.url(99)])
    try await run()
    let resources = try await allResources()
    #expect(resources.last?.state == .finished)
    try await checkLibrary()
    return try #require(resources.first)
  }

  /// Where an original of the list lies.
  func original(_ name: String) -> String { "\(folder.path)/list/\(name)" }
}
