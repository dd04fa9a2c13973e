import LibraryAPI
import Models
import Persistence
import ProgressTree
import Testing
import TestSupport

@testable import Engine

/// Lists that sign their URLs anew for each reading.
@Suite(.timeLimit(.minutes(60))) struct SignedListTests {
  private func urls(_ lab: Lab, _ record: RecordID) async throws -> [String] {
    try await lab.disk.resources(of: record, offset: 0, limit: 1_000).map(\.url)
  }

  @Test("A list whose URLs are signed anew costs the download of what is new or has failed")
  func signedAnew() async throws {
    let lab = try Lab()
    func url(_ number: Int, _ signature: String) -> String {
      "http://h/p/\(number).png?Expires=1&Signature=\(signature)"
    }
    lab.serveList((1...3).map { url($0, "a") }, tag: "a")
    for number in 1...2 { lab.web.serve(url(number, "a"), .file(Lab.image(number))) }
    for number in 1...4 { lab.web.serve(url(number, "b"), .file(Lab.image(number))) }
    lab.web.serve(url(3, "a"), FakeAnswer(status: 403))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().failed == 1)
    lab.web.forgetRequests()
    lab.serveList((1...4).map { url($0, "b") }, tag: "b")
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().finished == 4 && engine.snapshot().total == 4)
    await engine.stop()
    #expect(
      try await urls(lab, record) == [url(4, "b"), url(1, "b"), url(2, "b"), url(3, "b")])
    #expect(lab.web.requests.map(\.url).sorted() == [Lab.list, url(3, "b"), url(4, "b")])
    try await lab.checkLibrary()
  }

  @Test(
    "A list that is added again after it has signed its URLs anew shares the files that have not changed"
  )
  func addedAgain() async throws {
    let lab = try Lab()
    func url(_ number: Int, _ signature: String) -> String {
      "http://h/p/\(number).png?Expires=1&Signature=\(signature)"
    }
    let engine = try await lab.started()
    for (version, signature) in ["a", "b", "c"].enumerated() {
      lab.serveList((1...3).map { url($0, signature) })
      for number in 1...2 { lab.web.serve(url(number, signature), .file(Lab.image(number))) }
      // The third one is another file each time.
      lab.web.serve(
        url(3, signature), .file(Lab.image(3 + version), tag: "\"\(signature)\""))
      #expect(try await engine.add(Lab.request()).outcome == .appended)
      try await engine.waitUntilIdle()
    }
    #expect(engine.snapshot().finished == 9)
    await engine.stop()
    func conditions(_ signature: String) -> [String?] {
      (1...3).flatMap { lab.web.requests(for: url($0, signature)).map(\.ifNoneMatch) }
    }
    #expect(conditions("a") == [nil, nil, nil])
    #expect(conditions("b") == ["\"v1\"", "\"v1\"", "\"a\""])
    #expect(conditions("c") == ["\"v1\"", "\"v1\"", "\"b\""])
    let files = try await lab.allResources().map { try #require($0.file) }
    #expect(Set(files.map(\.digest)).count == 5)
    try await lab.checkLibrary()
  }

  @Test(
    "A partial file goes on with the URL that was signed anew, if a strong tag tells versions apart",
    arguments: ["\"v1\"", "W/\"v1\""])
  func partOfSigned(tag: String) async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    var random = SeededGenerator(seed: 12)
    let content = random.bytes(100_000)
    func url(_ signature: String) -> String { "http://h/f.bin?Expires=1&Signature=\(signature)" }
    let answer = FakeAnswer.file(content, tag: tag)
    lab.web.serve(url("a"), answer.cut(after: 60_000))
    lab.web.serve(url("b"), answer)
    lab.serveList([url("a")], tag: "a")
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().failed == 1)
    lab.serveList([url("b")], tag: "b")
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 0))
    try await engine.waitUntilIdle()
    await engine.stop()
    let isStrong = tag.first == "\""
    #expect(lab.web.requests(for: url("b")).map(\.range) == [isStrong ? "bytes=60000-" : nil])
    #expect(lab.web.requests(for: url("b")).map(\.ifRange) == [isStrong ? tag : nil])
    let resource = try #require(try await lab.allResources().first)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == content)
    try await lab.checkLibrary()
  }
}
