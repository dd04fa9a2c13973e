import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing

@testable import Engine

/// Records that are removed, and libraries that are reset, while a source is read.
@Suite(.timeLimit(.minutes(60))) struct RemovedMeanwhileTests {
  private static let zip = "http://h/lists.zip"

  private func removed(_ title: String) -> LibraryError {
    LibraryError(.noSuchRecord, "the record \"\(title)\" was removed while its source was read")
  }

  @Test("A record that is removed while its source is read again does not come back")
  func refresh() async throws {
    let lab = try Lab()
    lab.serveImages(1...2)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let gate = Gate()
    lab.web.serve(Lab.list, .file(Array(Lab.url(1).utf8), tag: nil).held(by: gate))
    let refresh = Task { try await engine.refresh(record) }
    try await gate.untilWaiting()
    try await engine.remove(record)
    gate.open()
    await #expect(throws: removed("list")) { try await refresh.value }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().isEmpty)
    try await lab.checkLibrary()
  }

  @Test("Nor is it continued if it is removed while its next page is read")
  func more() async throws {
    let lab = try Lab()
    lab.settings.source.pages = .onDemand
    let page = Array(#"{"items": ["/p/1.png"], "next": "/2"}"#.utf8)
    lab.web.serve(Lab.list, .file(page, tag: nil))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let gate = Gate()
    lab.web.serve("http://h/2", .file(Array(#"["/p/2.png"]"#.utf8), tag: nil).held(by: gate))
    let more = Task { try await engine.loadMore(record) }
    try await gate.untilWaiting()
    try await engine.remove(record)
    gate.open()
    await #expect(throws: removed("list")) { try await more.value }
    await engine.stop()
    #expect(try await lab.records().isEmpty)
    try await lab.checkLibrary()
  }

  @Test("A record that is removed while another one of its source is refreshed stays removed, too")
  func sibling() async throws {
    let lab = try Lab()
    let lists = [
      [("cats", [1]), ("dogs", [2])], [("cats", [1, 3]), ("dogs", [2]), ("eels", [4])],
    ].map { lists in
      lab.archive.archive(
        "\(lists.count)",
        lists.map { name, numbers in
          let urls = numbers.map { "\"\(Lab.url($0))\"" }.joined(separator: ",")
          return .init("\(name).json", Array("[\(urls)]".utf8))
        })
    }
    lab.web.serve(Self.zip, .file(lists[0], tag: nil))
    let engine = try await lab.started()
    let records = try await engine.add(Lab.request(Self.zip)).records
    try await engine.waitUntilIdle()
    let gate = Gate()
    lab.web.serve(Self.zip, .file(lists[1], tag: nil).held(by: gate))
    let refresh = Task { try await engine.refresh(records[0]) }
    try await gate.untilWaiting()
    try await engine.remove(records[1])
    gate.open()
    let result = try await refresh.value
    #expect(result.newEntries == 1 && result.newRecords.count == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().map(\.title) == ["eels", "cats"])
    try await lab.checkLibrary()
  }

  @Test("A reset ends the add of a source, and says so")
  func resetDuringAdd() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(
      Lab.list, .file(Array(Lab.url(1).utf8), tag: nil).held(by: gate),
      .file(Array(Lab.url(2).utf8), tag: nil))
    let engine = try await lab.started()
    let add = Task { try await engine.add(Lab.request()) }
    try await gate.untilWaiting()
    try await engine.reset()
    gate.open()
    await #expect(throws: LibraryError.wasReset) { try await add.value }
    #expect(try await lab.records().isEmpty)
    #expect(try await engine.add(Lab.request()).outcome == .appended)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.url) == [Lab.url(2)])
    try await lab.checkLibrary()
  }

  @Test("A reset ends the refresh of a source, and says so")
  func resetDuringRefresh() async throws {
    let lab = try Lab()
    lab.serveImages(1...1)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let gate = Gate()
    lab.web.serve(Lab.list, .file(Array(Lab.url(2).utf8), tag: nil).held(by: gate))
    let refresh = Task { try await engine.refresh(record) }
    try await gate.untilWaiting()
    try await engine.reset()
    gate.open()
    await #expect(throws: LibraryError.wasReset) { try await refresh.value }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().isEmpty)
    #expect(lab.incomingFiles.isEmpty)
  }
}
