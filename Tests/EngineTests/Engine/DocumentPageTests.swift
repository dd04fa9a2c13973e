import Archive
import Glibc
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Pages of documents and archives, and when they are drawn (DL11).
@Suite(.timeLimit(.minutes(60))) struct DocumentPageTests {
  @Test("The first page of a document is drawn at once, the others when somebody looks")
  func document() async throws {
    let lab = try Lab()
    let path = lab.original("0001-a.pdf")
    lab.renderer.document(path, pages: 4)
    lab.renderer.fail(path, page: 2, with: RenderError(.damaged, "bad stream"))
    lab.web.serve("http://h/a.pdf", .file(Array("%PDF-1.7".utf8)))
    lab.serveList(["http://h/a.pdf"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished)
    func drawn() async throws -> [Bool] {
      try await lab.disk.pages(of: resource.id).map { page in
        [page.file, page.thumbnail].allSatisfy {
          FileSystem.exists(lab.layout.rendition($0 ?? "-"))
        }
      }
    }
    let pages = try await lab.disk.pages(of: resource.id)
    #expect(pages.map(\.number) == [1, 2, 3, 4])
    #expect(Set(pages.flatMap { [$0.file, $0.thumbnail] }).count == 8)
    #expect(try await drawn() == [true, false, false, false])
    try await engine.draw(page: 4, of: resource.id)
    #expect(try await drawn() == [true, false, false, true])
    let count = lab.renderer.rendered.count
    try await engine.draw(page: 4, of: resource.id)
    #expect(lab.renderer.rendered.count == count)
    let bad = await #expect(throws: LibraryError.self) {
      try await engine.draw(page: 3, of: resource.id)
    }
    #expect(bad?.detail == "page 3: bad stream")
    let none = await #expect(throws: LibraryError.self) {
      try await engine.draw(page: 5, of: resource.id)
    }
    #expect(none?.code == .source)
    await engine.stop()
  }

  @Test("What is a picture already is not drawn, but evicted thumbnails and pages are made again")
  func drawnAlready() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/1.png", .file(Lab.image(1)))
    lab.web.serve("http://h/2.png", .file(Array(Lab.image(2).dropLast(12))))
    let zip = lab.archive.archive("pages", [.init("3.png", Lab.image(3))])
    lab.web.serve("http://h/a.cbz", .file(zip))
    lab.serveList(["http://h/1.png", "http://h/2.png", "http://h/a.cbz"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let resources = try await lab.allResources()
    let (image, broken, archive) = (resources[0].id, resources[1].id, resources[2].id)
    let count = lab.renderer.rendered.count
    try await engine.draw(page: 1, of: image)
    try await engine.draw(page: 1, of: archive)
    let thumbnail = try #require(try await lab.disk.pages(of: image).first?.thumbnail)
    try FileSystem.remove(lab.layout.rendition(thumbnail))
    try await engine.draw(page: 1, of: image)
    #expect(FileSystem.exists(lab.layout.rendition(thumbnail)))
    #expect(lab.renderer.rendered.count == count + 1)
    for (resource, page) in [(image, 2), (broken, 1)] {
      let error = await #expect(throws: LibraryError.self) {
        try await engine.draw(page: page, of: resource)
      }
      #expect(error?.detail == "resource \(resource) has no page \(page) to render")
    }
    let entry = try #require(try await lab.disk.pages(of: archive).first?.file)
    try FileSystem.remove(lab.layout.rendition(entry))
    try await engine.draw(page: 1, of: archive)
    #expect(try FileSystem.contents(of: lab.layout.rendition(entry)) == Lab.image(3))
    #expect(lab.web.requests(for: "http://h/a.cbz").count == 1)
    await engine.stop()
  }

  @Test(
    "An image that browsers do not show is drawn in a format that they show, when it is requested")
  func browserImage() async throws {
    let lab = try Lab()
    let tiff: [UInt8] = [0x49, 0x49, 0x2a, 0x00]
    let zip = lab.archive.archive("pages", [.init("1.tif", tiff), .init("2.png", Lab.image(2))])
    let entry = RenditionName.page(Lab.digest(of: zip), page: 1, fileExtension: "tif")
    for path in [lab.original("0001-a.tif"), lab.layout.rendition(entry)] {
      lab.renderer.document(path, pages: 1)
    }
    lab.web.serve("http://h/a.tif", .file(tiff))
    lab.web.serve("http://h/a.cbz", .file(zip))
    lab.serveList(["http://h/a.tif", "http://h/a.cbz"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let (image, archive) = (try await lab.allResources()[0], try await lab.allResources()[1])
    let page = try #require(try await lab.disk.pages(of: image.id).first)
    let entries = try await lab.disk.pages(of: archive.id)
    for (page, resource) in [(page, image), (entries[0], archive)] {
      let rendition = try #require(BrowserImage(page, of: resource.file))
      let path = lab.layout.rendition(rendition.name(.png))
      let count = lab.renderer.rendered.count
      for _ in 1...2 { try await engine.draw(page: 1, of: resource.id) }
      #expect(lab.renderer.rendered.dropFirst(count).map(\.sides) == [[BrowserImage.maximumSide]])
      // The rendition can be evicted, and is then drawn again.
      try FileSystem.remove(path)
      try await engine.draw(page: 1, of: resource.id)
      #expect(FileSystem.exists(path))
    }
    #expect(BrowserImage(entries[1], of: archive.file) == nil)
    await engine.stop()
  }

  @Test("A WebP that its EXIF block turns is drawn for browsers, and an upright one is not")
  func turnedWebP() async throws {
    let lab = try Lab()
    for (name, orientation) in [("a", UInt8(6)), ("b", 1)] {
      let number = name == "a" ? 1 : 2
      lab.renderer.document(lab.original("000\(number)-\(name).webp"), pages: 1)
      lab.web.serve(
        "http://h/\(name).webp", .file(TestPicture.turnedWebP(orientation: orientation)))
    }
    lab.serveList(["http://h/a.webp", "http://h/b.webp"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let count = lab.renderer.rendered.count
    for image in try await lab.allResources() { try await engine.draw(page: 1, of: image.id) }
    #expect(lab.renderer.rendered.dropFirst(count).map(\.sides) == [[BrowserImage.maximumSide]])
    await engine.stop()
  }

  /// Runs a test with a TIFF image, of which no rendition exists.
  private func withImage(
    _ body: (Lab, Engine, Resource, _ rendition: String) async throws -> Void
  ) async throws {
    let lab = try Lab()
    lab.renderer.document(lab.original("0001-a.tif"), pages: 1)
    lab.web.serve("http://h/a.tif", .file([0x49, 0x49, 0x2a, 0x00]))
    lab.serveList(["http://h/a.tif"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let image = try #require(try await lab.allResources().first)
    let page = try #require(try await lab.disk.pages(of: image.id).first)
    let rendition = try #require(BrowserImage(page, of: image.file)).name(.png)
    try await body(lab, engine, image, lab.layout.rendition(rendition))
    await engine.stop()
  }

  @Test("Callers that want the same image share its drawing, and one that leaves does not end it")
  func sharedDrawing() async throws {
    try await withImage { lab, engine, image, rendition in
      let count = lab.renderer.rendered.count
      lab.renderer.hold()
      let callers = (1...3).map { _ in Task { try await engine.draw(page: 1, of: image.id) } }
      try await engine.until { $0.drawings.shared.callerCount == 3 }
      callers[0].cancel()
      await #expect(throws: LibraryError(.interrupted, "")) { try await callers[0].value }
      lab.renderer.release()
      for caller in callers[1...] { try await caller.value }
      #expect(lab.renderer.rendered.count == count + 1)
      #expect(FileSystem.exists(rendition))
    }
  }

  @Test("A drawing that has lost its callers is cancelled, and another caller begins a new one")
  func leftDrawing() async throws {
    try await withImage { lab, engine, image, rendition in
      lab.renderer.hold()
      let caller = Task { try await engine.draw(page: 1, of: image.id) }
      try await lab.renderer.untilHeld()
      caller.cancel()
      await #expect(throws: LibraryError(.interrupted, "")) { try await caller.value }
      try await engine.until { $0.drawings.shared.anyTask == nil }
      lab.renderer.release()
      #expect(!FileSystem.exists(rendition))
      try await engine.draw(page: 1, of: image.id)
      #expect(FileSystem.exists(rendition))
    }
  }

  @Test("An image whose file is replaced while it is drawn does not get the name of the old one")
  func replacedWhileDrawn() async throws {
    try await withImage { lab, engine, image, rendition in
      lab.renderer.hold()
      let caller = Task { try await engine.draw(page: 1, of: image.id) }
      try await lab.renderer.untilHeld()
      try FileSystem.replace(lab.original("0001-a.tif"), with: "another file")
      lab.renderer.release()
      let error = await #expect(throws: LibraryError.self) { try await caller.value }
      #expect(error?.detail == "the file was replaced while it was rendered; try again")
      #expect(!FileSystem.exists(rendition))
    }
  }

  @Test(
    "A file that is replaced while it is drawn does not concern a resource with the same content")
  func replacedTwin() async throws {
    let lab = try Lab()
    for name in ["0001-a.tif", "0002-b.tif"] {
      lab.renderer.document(lab.original(name), pages: 1)
    }
    for name in ["a", "b"] {
      lab.web.serve("http://h/\(name).tif", .file([0x49, 0x49, 0x2a, 0x00]))
    }
    lab.serveList(["http://h/a.tif", "http://h/b.tif"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let images = try await lab.allResources()
    lab.renderer.hold()
    let callers = images.map { image in Task { try await engine.draw(page: 1, of: image.id) } }
    try await lab.renderer.untilHeld(2)
    let replacement = lab.original("0001-a.tif") + ".new"
    try FileSystem.replace(replacement, with: "another file")
    #expect(rename(replacement, lab.original("0001-a.tif")) == 0)
    lab.renderer.release()
    await #expect(throws: LibraryError.self) { try await callers[0].value }
    try await callers[1].value
    await engine.stop()
  }

  @Test("A page of a document that was evicted is drawn again")
  func evictedPage() async throws {
    let lab = try Lab()
    lab.renderer.document(lab.original("0001-a.pdf"), pages: 1)
    lab.web.serve("http://h/a.pdf", .file(Array("%PDF-1.7".utf8)))
    lab.serveList(["http://h/a.pdf"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let resource = try #require(try await lab.allResources().first)
    let name = try #require(try await lab.disk.pages(of: resource.id).first?.file)
    try FileSystem.remove(lab.layout.rendition(name))
    try await engine.draw(page: 1, of: resource.id)
    #expect(FileSystem.exists(lab.layout.rendition(name)))
    await engine.stop()
  }

  @Test(
    "A rendition that is empty, cut or zeroed is made again when it is wanted",
    arguments: ["empty", "cut", "zeros"])
  func damagedRenditions(damage: String) async throws {
    let lab = try Lab()
    lab.renderer.document(lab.original("0001-a.pdf"), pages: 1)
    let zip = lab.archive.archive(
      "pages", [.init("1.png", Lab.image(1)), .init("2.png", Lab.image(2))])
    lab.web.serve("http://h/a.pdf", .file(Array("%PDF-1.7".utf8)))
    lab.web.serve("http://h/b.cbz", .file(zip))
    lab.web.serve("http://h/c.png", .file(Lab.image(3)))
    lab.serveList(["http://h/a.pdf", "http://h/b.cbz", "http://h/c.png"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    for resource in try await lab.allResources() {
      let state = (resource.state, resource.reason)
      for page in try await lab.disk.pages(of: resource.id) {
        for name in page.fileNames {
          let path = lab.layout.rendition(name)
          let whole = try FileSystem.contents(of: path)
          let damaged =
            switch damage {
            case "empty": [UInt8]()
            case "cut": Array(whole.dropLast(whole.count / 2))
            default: [UInt8](repeating: 0, count: whole.count)
            }
          try FileSystem.replace(path, with: damaged.span.bytes)
          try await engine.draw(page: page.number, of: resource.id)
          #expect(try FileSystem.contents(of: path) == whole, "\(name)")
        }
      }
      let now = try await lab.disk.resource(resource.id)
      #expect(now.map { ($0.state, $0.reason) } ?? (.failed, "") == state)
    }
    #expect(lab.web.requests(for: "http://h/b.cbz").count == 1)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Callers that want evicted pages of one archive share its extraction")
  func sharedExtraction() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive(
      "pages", [.init("1.png", Lab.image(1)), .init("2.png", Lab.image(2))])
    lab.web.serve("http://h/a.cbz", .file(zip))
    lab.serveList(["http://h/a.cbz"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let resource = try #require(try await lab.allResources().first)
    let names = try await lab.disk.pages(of: resource.id).flatMap(\.fileNames)
    for name in names { try FileSystem.remove(lab.layout.rendition(name)) }
    let count = lab.renderer.rendered.count
    lab.renderer.hold()
    let callers = (1...2).map { page in
      Task { try await engine.draw(page: page, of: resource.id) }
    }
    try await lab.renderer.untilHeld()
    lab.renderer.release()
    for caller in callers { try await caller.value }
    #expect(names.allSatisfy { FileSystem.exists(lab.layout.rendition($0)) })
    #expect(lab.renderer.rendered.count == count + 2)
    await engine.stop()
  }

  @Test("A document whose first page cannot be drawn says so")
  func badFirstPage() async throws {
    let lab = try Lab()
    let path = lab.original("0001-a.pdf")
    lab.renderer.document(path, pages: 50)
    lab.renderer.fail(path, page: 0, with: RenderError(.worker, "the decoder died"))
    let resource = try await lab.run("http://h/a.pdf", Array("%PDF-1.7".utf8))
    #expect(resource.state == .failed && resource.reason == "page 1: the decoder died")
    #expect(lab.renderer.attempted.filter { $0 == path }.count == 2)
  }

  @Test("A document that cannot be opened fails with the reason")
  func badDocument() async throws {
    let lab = try Lab()
    lab.renderer.fail(
      lab.original("0001-a.pdf"), with: RenderError(.encrypted, "needs a password"))
    let resource = try await lab.run("http://h/a.pdf", Array("%PDF-1.7".utf8))
    #expect(resource.state == .failed && resource.needsPassword)
    #expect(resource.reason?.hasPrefix("needs a password; --password-file") == true)
  }
}
