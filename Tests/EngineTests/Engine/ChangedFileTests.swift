import LibraryAPI
import Models
import Persistence
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Files of the library whose content has changed on the disk, while their size and their rows are the same.
@Suite(.timeLimit(.minutes(60))) struct ChangedFileTests {
  private static let url = "http://h/a.png"

  private func change(_ path: String) throws {
    let bytes: [UInt8] = try FileSystem.contents(of: path).reversed()
    try FileSystem.replace(path, with: bytes.span.bytes)
  }

  @Test(
    "A changed file is not shared with another record, although the server calls it current",
    arguments: ["", "max-age=3600"])
  func otherRecord(lifetime: String) async throws {
    let lab = try Lab()
    let answer = FakeAnswer.file(Lab.image(1))
    func serve() {
      lab.web.serve(Self.url, lifetime.isEmpty ? answer : answer.with("Cache-Control", lifetime))
      lab.serveList([Self.url])
    }
    serve()
    try await lab.run()
    let record = try #require(try await lab.records().first)
    let file = try #require(try await lab.resources(record).first?.file)
    try change(lab.layout.original(file, in: record))
    lab.newProcess()
    serve()
    try await lab.run()
    let last = try #require(lab.web.requests(for: Self.url).last)
    #expect(last.isPlain)
    let records = try await lab.records()
    try #require(records.count == 2)
    let resource = try #require(try await lab.resources(records[1]).first)
    #expect(resource.state == .finished)
    #expect(try lab.bytes(resource, records[1]) == Lab.image(1))
  }

  @Test(
    "A changed file is no answer for a caller, and is replaced",
    arguments: [CachePolicy.cached, .validated], ["", "max-age=3600"])
  func caller(policy: CachePolicy, lifetime: String) async throws {
    let lab = try Lab()
    let answer = FakeAnswer.file(Lab.image(1))
    lab.web.serve(Self.url, lifetime.isEmpty ? answer : answer.with("Cache-Control", lifetime))
    let engine = try await lab.started()
    let first = try await engine.resource(at: HTTPURL(Self.url), .cached)
    try change(first.path)
    let second = try await engine.resource(at: HTTPURL(Self.url), policy)
    #expect(try FileSystem.contents(of: second.path) == Lab.image(1))
    #expect(lab.web.requests(for: Self.url).map(\.ifNoneMatch) == [nil, nil])
    try await engine.waitUntilIdle()
    await engine.stop()
    let standalone = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(standalone).count == 1)
    try await lab.checkLibrary()
  }
}
