import Archive
import LibraryAPI
import Testing
import TestSupport
@testable import Engine

/// Archives of lists that are refused.
@Suite(.timeLimit(.minutes(1))) struct ArchiveSourceTests {
  @Test("An archive beyond a limit is refused by policy, with its name")
  func beyondLimit() async throws {
    let lab = try Lab()
    let fault = ArchiveError(.limit, "the archive unpacks to more than it may")
    lab.web.serve(
      "http://h/l.zip", .file(lab.archive.archive("bomb", [.init("a.json", fault: fault)])))
    let expected = LibraryError(.policy, "http://h/l.zip: the archive unpacks to more than it may")
    await #expect(throws: expected) { try await lab.run("http://h/l.zip") }
  }
}
