import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing

@testable import Engine

/// A source whose first document has too many entries.
@Suite(.timeLimit(.minutes(2))) struct EntryLimitTests {
  @Test(
    "Of a list with too many entries, those within the limit are kept; a higher limit adds the others"
  )
  func tooManyEntries() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 2
    lab.serveList((1...3).map { Lab.url($0) }, tag: "a")
    let result = try await lab.run()
    #expect(
      result.problems == [
        "the source has more than 2 entries (limits.manifestEntries); the rest is left out"
      ])
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)])
    lab.settings.limits.manifestEntries = 3
    lab.newProcess()
    lab.serveList((1...3).map { Lab.url($0) }, tag: "a")
    let engine = try await lab.started()
    #expect(try await engine.refresh(result.records[0]) == RefreshResult(newEntries: 1))
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
  }
}
