import LibraryAPI
import Manifests
import Models
import Persistence
import Testing
import TestSupport
@testable import Engine

/// Tables and lists of other programs as sources.
@Suite(.timeLimit(.minutes(4))) struct TableSourceTests {
  private func serve(_ lab: Lab, _ text: String) {
    lab.web.serve(Lab.list, FakeAnswer(body: Array(text.utf8)))
  }

  @Test("A table is recognised; its records and its bad rows are reported")
  func recognised() async throws {
    let lab = try Lab()
    serve(
      lab,
      "url,album\n\(Lab.url(1)),A\nftp://h/x,A\n\(Lab.url(2)),A\n\(Lab.url(3)),\"B\n\(Lab.url(4)),B\n"
    )
    let result = try await lab.run()
    #expect(result.entryCount == 3 && result.problemCount == 2)
    #expect(result.problems.first?.contains("line 3: \"ftp://h/x\"") == true)
    #expect(try await lab.records().map(\.title) == ["A", "B"])
    #expect(try await lab.allResources().map(\.url) == [1, 2, 4].map { Lab.url($0) })
    try await lab.checkLibrary()
  }

  @Test("A refresh uses the columns that were named when the source was added")
  func refresh() async throws {
    let lab = try Lab()
    serve(
      lab, "a,b,c\n\(Lab.url(1)),\(Lab.url(11)),one.png\n\(Lab.url(2)),\(Lab.url(12)),two.png\n")
    var request = try Lab.request()
    request.columns = ListColumns(url: "b", name: "3")
    let engine = try await lab.started()
    let record = try #require(try await engine.add(request).records.first)
    try await engine.waitUntilIdle()
    #expect(try await lab.allResources().map(\.url) == [Lab.url(11), Lab.url(12)])
    #expect(try await lab.allResources().map(\.title) == ["one.png", "two.png"])
    serve(lab, "a,b,c\n\(Lab.url(1)),\(Lab.url(11)),one.png\n\(Lab.url(3)),\(Lab.url(13)),x.png\n")
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    try await engine.waitUntilIdle()
    // The column is gone.
    serve(lab, "a,d\n\(Lab.url(1)),\(Lab.url(11))\n")
    await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    await engine.stop()
    let urls = try await lab.allResources().map(\.url)
    #expect(urls.sorted() == [11, 12, 13].map { Lab.url($0) })
    try await lab.checkLibrary()
  }

  @Test("A column that is not there is an error of the source")
  func missing() async throws {
    let lab = try Lab()
    serve(lab, "a,b\n\(Lab.url(1)),x\n")
    let engine = try await lab.started()
    var request = try Lab.request()
    request.columns = ListColumns(url: "c")
    var failure: LibraryError?
    do throws(LibraryError) {
      _ = try await engine.add(request)
    } catch {
      failure = error
    }
    await engine.stop()
    #expect(failure?.code == .source)
    #expect(
      failure?.description.contains(
        "line 1: --url-column \"c\": no such column; the header has \"a\", \"b\"") == true)
    #expect(try await lab.records().isEmpty)
  }

  @Test("Lists of aria2 and gallery-dl make records with safe names")
  func otherPrograms() async throws {
    let lab = try Lab()
    serve(lab, "\(Lab.url(1))\n out=../../x.png\n dir=/../..\n\(Lab.url(2))\n dir=../Birds\n")
    let engine = try await lab.started()
    #expect(try await engine.add(Lab.request()).records.count == 2)
    try await engine.waitUntilIdle()
    #expect(try await lab.records().map(\.title) == ["list", "Birds"])
    #expect(try lab.names("list") == ["0001-x.png"])
    serve(
      lab,
      "[2,{\"title\":\"../W\"}]\n[3,\"\(Lab.url(3))\",{\"filename\":\"../a\",\"extension\":\"png\"}]\n"
    )
    var request = try Lab.request()
    request.again = true
    #expect(try await engine.add(request).entryCount == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().last?.title == "../W")
    try await lab.checkLibrary()
  }
}
