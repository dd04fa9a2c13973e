import Archive
import LibraryAPI
import Manifests
import Models
import Persistence
import Testing
import TestSupport
@testable import Engine

/// Archives of lists that are refused or continued.
@Suite(.timeLimit(.minutes(60))) struct ArchiveSourceTests {
  @Test("An archive beyond a limit is refused by policy, with its name")
  func beyondLimit() async throws {
    let lab = try Lab()
    let fault = ArchiveError(.limit, "the archive unpacks to more than it may")
    lab.web.serve(
      "http://h/l.zip", .file(lab.archive.archive("bomb", [.init("a.json", fault: fault)])))
    let expected = LibraryError(.policy, "http://h/l.zip: the archive unpacks to more than it may")
    await #expect(throws: expected) { try await lab.run("http://h/l.zip") }
  }

  private static let zip = "http://h/l.zip"

  private func list(_ number: Int, next: String? = nil) -> [UInt8] {
    let next = next.map { #", "next": "\#($0)""# } ?? ""
    return Array(#"{"items": ["\#(Lab.url(number))"]\#(next)}"#.utf8)
  }

  private func records(_ lab: Lab) async throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for record in try await lab.records() {
      found[record.title, default: []] += try await lab.resources(record).map(\.url)
    }
    return found
  }

  @Test(
    "The next page of each list in an archive continues its record",
    arguments: [nil, ManifestFormat.zip])
  func furtherPages(_ format: ManifestFormat?) async throws {
    let lab = try Lab()
    let zip = lab.archive.archive(
      "lists",
      [
        .init("cats.json", list(1, next: "/cats2")), .init("dogs.json", list(2, next: "/dogs2")),
        .init("eels.json", list(3)),
      ])
    lab.web.serve(Self.zip, .file(zip, tag: nil))
    lab.web.serve("http://h/cats2", FakeAnswer(body: list(4, next: "/cats3")))
    lab.web.serve("http://h/cats3", FakeAnswer(body: list(5)))
    lab.web.serve("http://h/dogs2", FakeAnswer(body: list(6)))
    let engine = try await lab.started()
    var request = try Lab.request(Self.zip)
    request.format = format
    let result = try await engine.add(request)
    #expect(result.problems == [])
    let expected = ["cats": [1, 4, 5], "dogs": [2, 6], "eels": [3]].mapValues {
      $0.map { Lab.url($0) }
    }
    #expect(try await records(lab) == expected)
    lab.web.serve("http://h/dogs2", FakeAnswer(body: list(7)))
    #expect(try await engine.refresh(result.records[0]) == RefreshResult(newEntries: 1))
    #expect(try await Set(records(lab)["dogs"] ?? []) == Set([2, 6, 7].map { Lab.url($0) }))
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The next page of a list in an archive is read on demand, too, but that of one list only")
  func onDemand() async throws {
    for isAlone in [true, false] {
      let lab = try Lab()
      lab.settings.source.pages = .onDemand
      var lists = [MemoryArchiveReader.Entry("cats.json", list(1, next: "/cats2"))]
      if !isAlone { lists.append(.init("dogs.json", list(2, next: "/dogs2"))) }
      lab.web.serve(Self.zip, .file(lab.archive.archive("lists", lists), tag: nil))
      lab.web.serve("http://h/cats2", FakeAnswer(body: list(4)))
      let engine = try await lab.started()
      let result = try await engine.add(Lab.request(Self.zip))
      #expect(
        result.problems
          == (isAlone
            ? [] : ["http://h/dogs2: is not read, because http://h/cats2 continues another list"]))
      #expect(try await engine.loadMore(result.records[0]) == 1)
      #expect(try await engine.loadMore(result.records[0]) == 0)
      if isAlone { #expect(try await records(lab) == ["cats": [1, 4].map { Lab.url($0) }]) }
      try await engine.waitUntilIdle()
      await engine.stop()
    }
  }

  @Test("A page of another format than those of lists in archives is refused")
  func otherFormat() async throws {
    let lab = try Lab()
    lab.web.serve(
      Self.zip,
      .file(lab.archive.archive("lists", [.init("cats.json", list(1, next: "/2"))]), tag: nil))
    lab.web.serve("http://h/2", FakeAnswer(body: Array("url\n\(Lab.url(2))\n".utf8)))
    let result = try await lab.run(Self.zip)
    #expect(result.entryCount == 1 && result.problemCount == 1)
    #expect(result.problems.allSatisfy { $0.contains("but the source has \"zip\"") })
  }
}
