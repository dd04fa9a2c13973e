import Archive
import LibraryAPI
import Models
import Persistence
import Rendering
import TestSupport
import Testing

@testable import Engine

/// What is unusual about the pages of sound files.
@Suite(.timeLimit(.minutes(60))) struct PageRemarkTests {
  @Test("What is unusual about sound pages is a remark, of pages of documents and of archives")
  func remarks() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive(
      "some", [.init("1.png", Lab.image(1)), .init("2.png", Lab.image(2))])
    let entry = RenditionName.page(Lab.digest(of: zip), page: 2, fileExtension: "png")
    lab.renderer.remark(lab.layout.rendition(entry), "it has no end")
    let archive = try await lab.run("http://h/a.zip", zip)
    #expect(archive.state == .finished && archive.reason == "page 2 (2.png): it has no end")
    let pages = try await lab.disk.pages(of: archive.id)
    #expect(pages.map(\.remark) == [nil, "it has no end"])
    #expect(pages.allSatisfy { $0.reason == nil && $0.hasImage })
    let other = try Lab()
    let path = other.original("0001-a.pdf")
    other.renderer.document(path, pages: 2)
    other.renderer.remark(path, "the file states 3 pages")
    let document = try await other.run("http://h/a.pdf", Array("%PDF-1.4\n".utf8))
    #expect(document.state == .finished && document.reason == "page 1: the file states 3 pages")
    let first = try #require(try await other.disk.pages(of: document.id).first)
    #expect(first.reason == nil && first.remark == "the file states 3 pages")
  }
}
