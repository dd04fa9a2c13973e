import Models
import TestSupport
import Testing

@testable import Engine

/// For tests of the result of one resource.
extension Lab {
  /// Downloads a list of that URL and an image beside it, which has to finish even if the first one
  /// fails.
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
