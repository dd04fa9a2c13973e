import LibraryAPI
import Models
import Persistence
import ProgressTree
import Testing
import TestSupport
import Transport
@testable import Engine

/// Retry and reload of some resources of a record.
@Suite(.timeLimit(.minutes(60))) struct ChosenResourceTests {
  private static let urls = (1...4).map { "http://h/\($0).png" }

  /// A record whose first two resources are finished, and whose last two have failed.
  private func lab() throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 0
    for (number, url) in zip(1..., Self.urls) {
      if number <= 2 {
        lab.web.serve(url, .file(Lab.image(number)))
      } else {
        lab.web.serve(url, FakeAnswer(status: 404), .file(Lab.image(number)))
      }
    }
    lab.serveList(Self.urls)
    return lab
  }

  @Test("Retry queues the failed ones among the chosen, and no other")
  func retry() async throws {
    let lab = try lab()
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let ids = try await lab.allResources().map(\.id)
    lab.web.forgetRequests()
    #expect(try await engine.retry([ids[0], ids[3]], of: record) == 1)
    try await engine.waitUntilIdle()
    try await events.until(.retried(record, count: 1))
    #expect(lab.web.requests.map(\.url) == [Self.urls[3]])
    let states = try await lab.allResources().map(\.state)
    #expect(states == [.finished, .finished, .failed, .finished])
    #expect(try await engine.retry([ids[3]], of: record) == 0)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Reload downloads the chosen ones again, finished or failed, and no other")
  func reload() async throws {
    let lab = try lab()
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let ids = try await lab.allResources().map(\.id)
    lab.web.forgetRequests()
    #expect(try await engine.reload([ids[1], ids[2]], of: record) == 2)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url).sorted() == [Self.urls[1], Self.urls[2]])
    let resources = try await lab.allResources()
    #expect(resources.map(\.state) == [.finished, .finished, .finished, .failed])
    #expect(resources.allSatisfy { !$0.mustReload })
    #expect(engine.snapshot().finished == 3 && engine.snapshot().failed == 1)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Resources of another record and missing records are refused or left alone")
  func foreign() async throws {
    let lab = try lab()
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    lab.serveList([Lab.url(9)], at: "http://h/other.txt")
    lab.web.serve(Lab.url(9), .file(Lab.image(9)))
    let other = try await engine.add(Lab.request("http://h/other.txt")).records[0]
    try await engine.waitUntilIdle()
    let ids = try await lab.allResources().map(\.id)
    #expect(try await engine.reload(ids, of: other) == 1)
    try await engine.waitUntilIdle()
    await #expect(throws: LibraryError.self) {
      _ = try await engine.retry(ids, of: RecordID(77))
    }
    try await engine.remove(record)
    await #expect(throws: LibraryError.self) { _ = try await engine.retry(ids, of: record) }
    await engine.stop()
    try await lab.checkLibrary()
  }
}
