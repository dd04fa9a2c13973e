import LibraryAPI
import Testing

@testable import Control

/// What monitors learn about an engine that cannot continue.
@Suite struct HealthTests {
  @Test("A working engine is healthy, and its status names no failure")
  func healthy() async throws {
    try await withStage { stage in
      let health = try #require(try await stage.ask("GET", "/v1/health"))
      #expect(health.status == 200 && health.text.contains(#""status":"ok""#))
      let status = try #require(try await stage.ask("GET", "/v1/status"))
      #expect(!status.text.contains("failure"))
    }
  }

  @Test("An engine that cannot continue is a problem of health, and the status names the reason")
  func failing() async throws {
    let library = MemoryLibrary()
    await library.stop(by: LibraryError(.diskFull, "/library: the disk is full"))
    try await withStage(library) { stage in
      let health = try #require(try await stage.ask("GET", "/v1/health"))
      #expect(health.status == 507 && health.code == "diskFull")
      #expect(health.text.contains("/library: the disk is full"))
      let status = try #require(try await stage.ask("GET", "/v1/status"))
      let expected = #""failure":{"code":"diskFull","detail":"/library: the disk is full"}"#
      #expect(status.status == 200 && status.text.contains(expected))
    }
  }

  @Test("A client receives the failure of the engine with the status")
  func client() throws {
    var status = Samples.status()
    status.failure = LibraryError(.io, "the disk does not respond")
    #expect(try StatusMessage(status).status().failure == status.failure)
  }
}
