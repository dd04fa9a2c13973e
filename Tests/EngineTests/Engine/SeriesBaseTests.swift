import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing

@testable import Engine

@Suite("A URL as the base of a series")
struct SeriesBaseTests {
  private func error(_ lab: Lab, _ url: String) async throws -> LibraryError? {
    let engine = try await lab.started()
    let found = await #expect(throws: LibraryError.self) { try await engine.add(Lab.request(url)) }
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.incompleteSources().isEmpty)
    await engine.stop()
    return found
  }

  @Test(
    "The base of a series is recognised by the list below it, for any response of the base itself",
    arguments: [
      ("http://h/", FakeAnswer(status: 404)), ("http://h/api/v1.0", FakeAnswer(status: 404)),
      ("http://h/ct", FakeAnswer(body: Array("<!doctype html><title>CT".utf8))),
      ("http://h/ct/", FakeAnswer(body: Array("[]".utf8))),
      ("http://h/ct", FakeAnswer(body: Array(#"{"service": "ct"}"#.utf8))),
    ])
  func seriesBase(_ base: String, _ answer: FakeAnswer) async throws {
    let lab = try Lab()
    lab.web.serve(base, answer)
    let folder = base.hasSuffix("/") ? String(base.dropLast()) : base
    lab.web.serve(
      folder + "/series", FakeAnswer(body: Array(#"{"id": "x", "slices": ["10", "2"]}"#.utf8)))
    for name in ["10", "2"] {
      lab.web.serve("\(folder)/series/x/slice/\(name)", .file(Lab.image(1)))
    }
    let result = try await lab.run(base)
    #expect(result.entryCount == 2)
    #expect(
      try await lab.allResources().map(\.url)
        == ["10", "2"].map { "\(folder)/series/x/slice/\($0)" })
    let record = try #require(try await lab.records().first)
    #expect(try await lab.disk.source(record.source)?.state.isSeries == true)
    try await lab.checkLibrary()
  }

  @Test(
    "A source that is neither a list nor the base of a series fails with the reason for the URL itself"
  )
  func noSeriesBase() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/x", FakeAnswer(status: 404))
    lab.web.serve("http://h/x/series", FakeAnswer(body: Array("<!doctype html>".utf8)))
    #expect(
      try await error(lab, "http://h/x") == LibraryError(.source, "http://h/x: HTTP 404 Not Found"))
    // A file that is missing is no base.
    lab.newProcess()
    lab.web.serve("http://h/x.json", FakeAnswer(status: 404))
    _ = try await error(lab, "http://h/x.json")
    #expect(lab.web.requests.map(\.url) == ["http://h/x.json"])
  }

  @Test(
    "JSON that is no series is named beside the reason for the URL itself",
    arguments: [
      (#"{"id": "x", "slices": [3, 1, 2]}"#, "is a number"),
      (#"{"id": "x", "slices": []}"#, "the list is empty"),
      (#"{"id": "x", "slices": "1"}"#, "\"slices\" are a string"),
      (#"{"id": "x"}"#, "no \"slices\""),
      (#"[{"name": "1"}]"#, "not a series"),
    ])
  func otherSeries(_ body: String, _ reason: String) async throws {
    let lab = try Lab()
    lab.web.serve("http://h/x", FakeAnswer(status: 404))
    lab.web.serve("http://h/x/series", FakeAnswer(body: Array(body.utf8)))
    let found = try #require(try await error(lab, "http://h/x"))
    #expect(found.code == .source)
    #expect(
      found.detail.hasPrefix("http://h/x: HTTP 404 Not Found; http://h/x/series"),
      "\(found.detail)")
    #expect(found.detail.contains(reason), "\(found.detail)")
  }
}
