import LibraryAPI
import Models
import Testing

@testable import Engine

/// The documents of one source have one budget together.
@Suite("The budget of a source")
struct SourceBudgetTests {
  private func budget(_ change: (inout Settings.Limits) -> Void) -> SourceBudget {
    var limits = Settings().limits
    change(&limits)
    return SourceBudget(limits, at: 100)
  }

  @Test("Entries of all documents count together, and problems reduce the room for them")
  func entries() {
    var budget = budget { $0.manifestEntries = 10 }
    let admitted1 = budget.admit(entries: 6)
    #expect(admitted1 == 6)
    budget.admit(problems: 1)
    let admitted2 = budget.admit(entries: 3)
    #expect(admitted2 == 3)
    #expect(budget.excess == nil)
    budget.admit(problems: 5)
    #expect(budget.excess == nil)
    let admitted3 = budget.admit(entries: 2)
    #expect(admitted3 == 0)
    #expect(budget.excess?.contains("limits.manifestEntries") == true)
  }

  @Test("The first document may have any size; the others share the limit of all")
  func bytes() {
    var budget = budget { $0.manifestBytes = 10 }
    let admitted4 = budget.admit(bytes: 9)
    #expect(admitted4)
    let admitted5 = budget.admit(bytes: 1)
    #expect(admitted5)
    let admitted6 = budget.admit(bytes: 1)
    #expect(!admitted6)
    #expect(budget.excess?.contains("limits.manifestBytes") == true)
    var other = self.budget { $0.manifestBytes = 10 }
    let admitted7 = other.admit(bytes: .max)
    #expect(admitted7)
    let admitted8 = other.admit(bytes: .max)
    #expect(!admitted8)
  }

  @Test("Time is measured from the last document that could be read")
  func time() throws {
    var budget = budget { $0.sourceSeconds = 300 }
    budget.check(at: 399)
    #expect(budget.excess == nil)
    budget.progressed(at: 399)
    budget.check(at: 698)
    #expect(budget.excess == nil)
    budget.check(at: 699)
    let unread = [try HTTPURL("http://h/1"), try HTTPURL("http://h/2")]
    #expect(
      budget.problem(unread: unread.map { .url($0) })
        == "no document of the source could be read for 300 s (limits.sourceSeconds); "
        + "2 documents are not read, the first: http://h/1")
  }

  @Test("The further page at which the budget was exceeded is named")
  func cutPage() throws {
    var budget = budget { $0.manifestEntries = 1 }
    let admitted = budget.admit(entries: 2)
    #expect(admitted == 1)
    let page = try HTTPURL("http://h/p2")
    let expected =
      "the source has more than 1 entry (limits.manifestEntries); http://h/p2 is not read to its end, "
      + "and the pages of the list from there on are not read"
    #expect(budget.problem(unread: [], cutPage: page) == expected)
    #expect(
      budget.problem(unread: [.url(try HTTPURL("http://h/x/"))], cutPage: page)
        == expected + "; http://h/x/ is not read")
  }
}
