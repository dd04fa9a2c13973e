import Archive
import LibraryAPI
import Models
import Persistence
import Rendering
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Entries of archives that are more or less than one page.
@Suite(.timeLimit(.minutes(60))) struct ArchivePageTests {
  @Test("Links to images of an archive are pages; one to nothing is named")
  func links() async throws {
    let lab = try Lab()
    func link(_ name: String, _ target: String) -> MemoryArchiveReader.Entry {
      MemoryArchiveReader.Entry(name, kind: .other, linkTarget: target)
    }
    let inner = lab.archive.archive(
      "inner", [.init("d/8.png", Lab.image(8)), link("9.png", "d/8.png")])
    let zip = lab.archive.archive(
      "links",
      [
        link("0.png", "3.png"), .init("./1.png", Lab.image(1)), .init("2.png", Lab.image(2)),
        link("3.png", "1.png"), link("4.png", "gone.png"), link("5.png", "5.png"),
        link("notes", "gone"), .init("in.zip", inner),
      ])
    let resource = try await lab.run("http://h/a.zip", zip)
    #expect(resource.state == .finished)
    #expect(
      resource.reason
        == "2 entries are not shown; the first: 4.png is a link to gone.png, which is "
        + "not an image of the archive")
    let pages = try await lab.disk.pages(of: resource.id)
    let expected = [
      ("./1.png", 1), ("0.png", 1), ("2.png", 2), ("3.png", 1), ("in.zip/9.png", 8),
      ("in.zip/d/8.png", 8),
    ]
    #expect(Set(pages.compactMap(\.label)) == Set(expected.map(\.0)))
    for (label, number) in expected {
      let file = try #require(pages.first { $0.label == label }?.file)
      #expect(
        try FileSystem.contents(of: lab.layout.rendition(file)) == Lab.image(number), "\(label)")
    }
    #expect(try FileSystem.list(lab.layout.incoming).isEmpty)
  }

  @Test("The pages of an image in an archive that are not shown are named")
  func severalPages() async throws {
    let lab = try Lab()
    let tiff: [UInt8] = [0x49, 0x49, 0x2a, 0x00]
    let zip = lab.archive.archive("scans", [.init("1.tif", tiff), .init("2.png", Lab.image(2))])
    let name = RenditionName.page(Lab.digest(of: zip), page: 1, fileExtension: "tif")
    lab.renderer.document(lab.layout.rendition(name), pages: 3)
    let resource = try await lab.run("http://h/a.zip", zip)
    #expect(resource.state == .finished)
    let remark = "the image has 3 pages, of which the first is shown"
    #expect(resource.reason == "page 1 (1.tif): \(remark)")
    #expect(resource.pageCount == 2)
    #expect(try await lab.disk.pages(of: resource.id).map(\.remark) == [remark, nil])
  }

  @Test("What is unusual about a further page of a document is stored when the page is drawn")
  func furtherPages() async throws {
    let lab = try Lab()
    let path = lab.original("0001-a.pdf")
    lab.renderer.document(path, pages: 3)
    lab.web.serve("http://h/a.pdf", .file(Array("%PDF-1.7".utf8)))
    lab.serveList(["http://h/a.pdf"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let id = try #require(try await lab.allResources().first).id
    lab.renderer.remark(path, "the last 2 of the 4 rows of an image are missing")
    try await engine.draw(page: 2, of: id)
    lab.renderer.damage(path, with: RenderError(.damaged, "a strip is damaged"))
    try await engine.draw(page: 3, of: id)
    let pages = try await lab.disk.pages(of: id)
    #expect(
      pages.map(\.remark) == [nil, "the last 2 of the 4 rows of an image are missing", nil])
    #expect(pages.map(\.reason) == [nil, nil, "a strip is damaged"])
    #expect(pages.allSatisfy { $0.hasImage && $0.file != nil && $0.thumbnail != nil })
    // The pages are still shown, and their images are not made again.
    let count = lab.renderer.rendered.count
    for page in 1...3 { try await engine.draw(page: page, of: id) }
    #expect(lab.renderer.rendered.count == count)
    #expect(try #require(try await lab.allResources().first).state == .finished)
    await engine.stop()
    try await lab.checkLibrary()
  }
}
