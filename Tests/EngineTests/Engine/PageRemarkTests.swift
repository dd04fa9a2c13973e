import Archive
import LibraryAPI
import Models
import Persistence
import Rendering
import SystemCalls
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

  @Test("A page that is drawn again without anything unusual loses its remark")
  func cleared() async throws {
    let lab = try Lab()
    let path = lab.original("0001-a.pdf")
    lab.renderer.document(path, pages: 1)
    lab.renderer.remark(path, "the file states 3 pages")
    lab.web.serve("http://h/a.pdf", .file(Array("%PDF-1.7".utf8)))
    lab.serveList(["http://h/a.pdf"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let resource = try #require(try await lab.allResources().first)
    let page = try #require(try await lab.disk.pages(of: resource.id).first)
    #expect(page.remark == "the file states 3 pages")
    try FileSystem.remove(lab.layout.rendition(try #require(page.file)))
    lab.renderer.remark(path, nil)
    try await engine.draw(page: 1, of: resource.id)
    let drawn = try #require(try await lab.disk.pages(of: resource.id).first)
    #expect(drawn.remark == nil && drawn.reason == nil && drawn.hasImage)
    await engine.stop()
  }
}
