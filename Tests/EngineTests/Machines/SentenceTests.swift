import Archive
import LibraryAPI
import Models
import TestSupport
import Testing
import Transport

/// Every error of the library is a sentence for people.
@Suite struct SentenceTests {
  @Test(
    "An error without a detail of its own says what its code means",
    arguments: LibraryError.Code.allCases)
  func codes(_ code: LibraryError.Code) {
    #expect(LibraryError(code, "").detail == code.sentence)
    expectSentence(code.sentence)
  }

  @Test("What other modules threw becomes a sentence", arguments: ArchiveError.Code.allCases)
  func wrapped(_ code: ArchiveError.Code) {
    expectSentence(LibraryError.wrapping(ArchiveError(code, "")).detail)
    expectSentence(LibraryError.wrapping(CancellationError()).detail)
  }
}
