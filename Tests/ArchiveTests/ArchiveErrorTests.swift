import Archive
import TestSupport
import Testing

@Suite("Reasons of archives") struct ArchiveErrorTests {
  @Test(
    "are sentences about the archive or the entry, also where nothing more is known",
    arguments: ArchiveError.Code.allCases)
  func sentences(_ code: ArchiveError.Code) {
    let archive = ArchiveError(code, "")
    let entry = ArchiveError(code, "", entryName: "a.png")
    expectSentence(archive.detail)
    expectSentence(entry.detail)
    #expect(archive.description.hasPrefix("the archive "))
    #expect(entry.description.hasPrefix("a.png: the "))
  }
}
