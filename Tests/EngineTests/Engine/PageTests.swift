import Archive
import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Pictures, documents and archives on their way to pages (DL11, RM5).
@Suite(.timeLimit(.minutes(60))) struct PageTests {

  @Test("The images of an archive become pages in natural order, and other entries are ignored")
  func archive() async throws {
    let lab = try Lab()
    let file = lab.archive.archive(
      "pages",
      [
        .init("p10.png", Lab.image(10)), .init("p2.png", Lab.image(2)),
        .init("readme.txt", Array("hello".utf8)), .init("__MACOSX/._p2.png", Lab.image(3)),
        .init("folder/", kind: .directory), .init("p1", Lab.image(1)),
        .init("../../evil.png", Lab.image(4)),
      ])
    let resource = try await lab.run("http://h/a.cbz", file)
    #expect(resource.state == .finished && resource.reason == nil)
    let pages = try await lab.disk.pages(of: resource.id)
    #expect(pages.map(\.label) == ["p1", "p2.png", "p10.png", "../../evil.png"])
    #expect(pages.map(\.number) == [1, 2, 3, 4])
    for (page, number) in zip(pages, [1, 2, 10, 4]) {
      let path = lab.layout.rendition(page.file ?? "-")
      #expect(try FileSystem.contents(of: path) == Lab.image(number))
      #expect(FileSystem.exists(lab.layout.rendition(page.thumbnail ?? "-")))
    }
  }

  @Test(
    "A zip after a program or a script is recognised as a zip, from a server or the disk"
  )
  func selfExtracting() async throws {
    for stub in [Array("MZ\0\0".utf8), Array("#!/bin/sh\nexit\n".utf8), Array("<html>".utf8)] {
      var zip = ZipBuilder([.stored("a.png", Lab.image(1))])
      zip.prefix = stub + Array(repeating: 0x20, count: 5_000)
      zip.suffix = Array(repeating: 0, count: 100)
      let lab = try Lab()
      #expect(try await lab.run("http://h/a.cbz", zip.build()).file?.format == .zip)
      let local = try Lab()
      let engine = try await local.started()
      let folder = try TemporaryFolder()
      let path = try folder.write("a.exe", zip.build())
      _ = try? await engine.add(SourceRequest(location: .file(path), format: .singleResource))
      try await engine.waitUntilIdle()
      #expect(try await local.allResources().map(\.file?.format) == [.zip])
      await engine.stop()
    }
  }

  @Test("Archives in an archive are opened up to the depth of the setting")
  func nested() async throws {
    let lab = try Lab()
    let third = lab.archive.archive("third", [.init("d.png", Lab.image(4))])
    let second = lab.archive.archive(
      "second", [.init("c.png", Lab.image(3)), .init("third.zip", third)])
    let first = lab.archive.archive(
      "first", [.init("second.cbz", second), .init("b.png", Lab.image(2))])
    let outer = lab.archive.archive(
      "outer", [.init("10.png", Lab.image(1)), .init("2.zip", first)])
    let resource = try await lab.run("http://h/a.zip", outer)
    let pages = try await lab.disk.pages(of: resource.id)
    #expect(pages.map(\.label) == ["10.png", "2.zip/b.png", "2.zip/second.cbz/c.png"])
    #expect(resource.state == .failed)
    #expect(
      resource.reason == "2.zip/second.cbz/third.zip: the archive is nested too deeply "
        + "(limits.archiveNesting)")
    #expect(try FileSystem.list(lab.layout.incoming).isEmpty)
  }

  @Test("Archives in an archive share one budget, and a damaged one loses only its own images")
  func nestedBudget() async throws {
    let lab = try Lab()
    lab.settings.limits.archiveEntries = 4
    let inner = lab.archive.archive(
      "inner", [.init("1.png", Lab.image(1)), .init("2.png", Lab.image(2))])
    let broken = Array("PK\u{3}\u{4} broken".utf8)
    let outer = lab.archive.archive(
      "outer", [.init("a.zip", broken), .init("b.zip", inner), .init("c.zip", inner)])
    let resource = try await lab.run("http://h/a.zip", outer)
    #expect(resource.state == .failed)
    #expect(resource.reason?.contains("limits.archiveEntries") == true, "\(resource.reason ?? "")")
    #expect(try await lab.disk.pages(of: resource.id).map(\.label) == ["b.zip/1.png"])
  }

  @Test("A record may have limits of its own")
  func recordLimits() async throws {
    let lab = try Lab()
    lab.settings.limits.imageSide = 2
    lab.serveList([Lab.url(1)])
    try await lab.run()
    let refused = try #require(try await lab.allResources().first)
    #expect(refused.reason?.contains("limits.imageSide (2)") == true)
    let other = try Lab()
    other.settings.limits.imageSide = 2
    try SettingsSchema.set("records.list.limits.imageSide", to: .integer(3), in: &other.settings)
    let shown = try await other.run(Lab.url(1), Lab.image(1))
    #expect(shown.state == .finished)
  }

  @Test("An archive without images is kept with a remark")
  func noImages() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive("none", [.init("a.txt", Array("a".utf8))])
    let resource = try await lab.run("http://h/a.zip", zip)
    #expect(resource.state == .finished && resource.reason == "this archive contains no images")
  }

  @Test(
    "Entries of an archive that are not images are counted, and the first one is named")
  func omissions() async throws {
    let pdf = Array("%PDF-1.4\n".utf8)
    let tar =
      [UInt8](repeating: 0, count: 257) + Array("ustar".utf8) + [UInt8](repeating: 0, count: 250)
    let dicom = [UInt8](repeating: 0, count: 128) + Array("DICM\u{2}\0\0\0UL".utf8)
    let png = MemoryArchiveReader.Entry("p1.png", Lab.image(1))
    for (others, reason) in [
      (
        [.init("a/book.pdf", pdf)],
        "1 entry is not shown: a/book.pdf (PDF) is not extracted from archives"
      ),
      (
        [.init("x.tar", tar), .init("book.pdf", pdf), .init("note.txt", Array("text".utf8))],
        "2 entries are not shown; the first: x.tar (TAR) is not extracted from archives"
      ),
      (
        [.init("p2.jpg", Array("<html>".utf8))],
        "1 entry is not shown: p2.jpg does not have the content that its name suggests (text/html)"
      ),
      ([.init("p2.jpg", [])], "1 entry is not shown: p2.jpg is empty"),
      (
        [.init("IM1", dicom), .init("p2.jpg", dicom)],
        "2 entries are not shown; the first: IM1 (DICOM) is an image of a kind that imgdl does not read"
      ),
    ] as [([MemoryArchiveReader.Entry], String)] {
      let lab = try Lab()
      let resource = try await lab.run("http://h/a.cbz", lab.archive.archive("a", [png] + others))
      #expect(resource.state == .finished && resource.reason == reason)
      #expect(try await lab.disk.pages(of: resource.id).map(\.label) == ["p1.png"])
    }
    let lab = try Lab()
    let alone = try await lab.run(
      "http://h/a.cbz", lab.archive.archive("a", [.init("book.pdf", pdf)]))
    #expect(
      alone.reason
        == "this archive contains no images; 1 entry is not shown: book.pdf (PDF) is not extracted "
        + "from archives")
  }

  @Test("A damaged entry fails the archive with its name; the good pages stay")
  func damagedEntry() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive(
      "damaged",
      [
        .init("1.png", Lab.image(1)),
        .init(
          "2.png", Array(Lab.image(2).prefix(60)),
          fault: ArchiveError(.damaged, "checksum wrong", entryName: "2.png")),
        .init("3.png", Lab.image(3)),
      ])
    let resource = try await lab.run("http://h/a.zip", zip)
    #expect(resource.state == .failed && resource.reason == "2.png: checksum wrong")
    #expect(try await lab.disk.pages(of: resource.id).map(\.label) == ["1.png", "3.png"])
  }

  @Test("An archive that cannot be read fails with the reason and is kept")
  func unreadableArchive() async throws {
    let lab = try Lab()
    let resource = try await lab.run("http://h/a.zip", Array("PK\u{3}\u{4}nonsense".utf8))
    #expect(resource.state == .failed && resource.reason?.contains("not a zip archive") == true)
    #expect(FileSystem.exists(lab.original("0001-a.zip")))
  }

  private static let zstandard = ArchiveError(.unsupported, "its compression is Zstandard")

  @Test("An archive of a kind that imgdl does not read is kept with a remark that names the kind")
  func unreadArchive() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive("unread", [.init("1.png", [], fault: Self.zstandard)])
    let resource = try await lab.run("http://h/a.zip", zip)
    #expect(resource.state == .finished && resource.reason == "its compression is Zstandard")
    #expect(FileSystem.exists(lab.original("0001-a.zip")))
  }

  @Test("Entries of a kind that imgdl does not read are no failure, damaged ones beside them are")
  func unreadEntries() async throws {
    let damage = ArchiveError(.damaged, "checksum wrong", entryName: "3.png")
    for (fault, state, reason) in [
      (nil, .finished, "1 entry is not read: its compression is Zstandard"),
      (
        Self.zstandard, .finished,
        "2 entries are not read; the first: its compression is Zstandard"
      ),
      (damage, .failed, "2 entries cannot be read; 3.png: checksum wrong"),
    ] as [(ArchiveError?, ResourceState, String)] {
      let lab = try Lab()
      let zip = lab.archive.archive(
        "some",
        [
          .init("1.png", Lab.image(1)), .init("2.png", [], fault: Self.zstandard),
          .init("3.png", Lab.image(3), fault: fault),
        ])
      let resource = try await lab.run("http://h/a.zip", zip)
      #expect(resource.state == state && resource.reason == reason, "\(resource.reason ?? "")")
      #expect(resource.hasUnreadEntries == (state == .finished))
    }
  }

  @Test("A damaged image fails with its reason, and has a thumbnail of its intact part")
  func damaged() async throws {
    let lab = try Lab()
    let reason = "the PNG file is damaged (invalid chunk checksum)"
    lab.renderer.damage(lab.original("0001-1.png"), with: RenderError(.damaged, reason))
    let resource = try await lab.run(Lab.url(1), Lab.image(1))
    #expect(resource.state == .failed && resource.reason == reason)
    let page = try #require(try await lab.disk.pages(of: resource.id).first)
    #expect(page.hasImage)
    #expect(FileSystem.exists(lab.layout.rendition(page.thumbnail ?? "-")))
  }

  @Test("An image in an archive that cannot be shown is named by its page and label")
  func badPictureInArchive() async throws {
    let lab = try Lab()
    let broken = Array(Lab.image(2).dropLast(12))
    let zip = lab.archive.archive(
      "bad", [.init("1.png", Lab.image(1)), .init("2.png", broken), .init("3.png", broken)])
    let resource = try await lab.run("http://h/a.zip", zip)
    #expect(resource.state == .failed)
    #expect(
      resource.reason
        == "2 of 3 pages; page 2 (2.png): the PNG file ends too early, a part of it is missing")
    #expect(
      try await lab.disk.pages(of: resource.id).map { $0.reason == nil } == [true, false, false])
  }

  @Test("A worker that dies fails its resource and nothing else")
  func workerDies() async throws {
    let lab = try Lab()
    lab.renderer.fail(
      lab.original("0001-7.png"), with: RenderError(.worker, "the decoder died (signal 11)"))
    let resource = try await lab.run(Lab.url(7), Lab.image(7))
    #expect(resource.state == .failed && resource.reason == "the decoder died (signal 11)")
    #expect(FileSystem.exists(lab.original("0001-7.png")))
  }

  @Test("An image that the renderer cannot read fails alone")
  func unreadablePicture() async throws {
    let lab = try Lab()
    lab.renderer.fail(lab.original("0001-7.png"), with: RenderError(.io, "no memory"))
    let resource = try await lab.run(Lab.url(7), Lab.image(7))
    #expect(resource.state == .failed && resource.reason == "no memory")
  }

  @Test(
    "A file that cannot be shown is kept with a remark", arguments: ["text/plain", "text/html"])
  func noPreview(type: String) async throws {
    let lab = try Lab()
    let body = type == "text/html" ? "<!DOCTYPE html>" : "hello"
    let resource = try await lab.run("http://h/notes", Array(body.utf8))
    #expect(resource.state == .finished && resource.reason == "no preview (\(type))")
    #expect(resource.file?.byteCount == Int64(body.utf8.count))
  }

  @Test("An image in a format that imgdl does not read is kept, and its reason names the format")
  func undecodedImage() async throws {
    let lab = try Lab()
    let resource = try await lab.run("http://h/a.jpg", Array("8BPS\0\u{1}".utf8))
    #expect(resource.state == .finished)
    #expect(resource.reason == "imgdl does not read PSD files")
  }

  @Test("An image in an unknown format is kept with a remark")
  func unsupported() async throws {
    let lab = try Lab()
    let resource = try await lab.run("http://h/a.bmp", Array("GIF89a".utf8))
    #expect(resource.state == .finished && resource.reason == "no preview (image/gif)")
  }

  @Test("A web page instead of an image fails, and no file is kept")
  func webPage() async throws {
    let lab = try Lab()
    let resource = try await lab.run("http://h/a.jpg", Array("<html></html>".utf8))
    #expect(resource.state == .failed && resource.reason == "the server sent a web page")
    #expect(resource.file == nil)
  }

  @Test("A disk that is full for renditions stops the engine with its code; the originals stay")
  func renditionDiskFails() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    // A file where the folder should be: writing there fails as a full disk would.
    let engine = try await lab.open()
    try FileSystem.removeTree(lab.layout.renditions)
    try FileSystem.replace(lab.layout.renditions, with: "in the way")
    try await engine.start()
    _ = try await engine.add(Lab.request())
    do throws(LibraryError) {
      try await engine.waitUntilIdle()
      Issue.record("it should have stopped")
    } catch {
      #expect(error.code == .io && error.detail.contains(lab.layout.renditions))
    }
    await engine.stop()
    #expect(try await lab.disk.totals().failed == 0)
    try FileSystem.remove(lab.layout.renditions)
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(try await lab.disk.totals().finished == 3)
    try await lab.checkLibrary()
  }

  @Test(
    "A resource that was downloaded and not rendered is rendered in the next run, without a request"
  )
  func renderedLater() async throws {
    let lab = try Lab()
    lab.serveImages(1...20)
    lab.renderer.hold()
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.untilCommitted { $0.fetched == 20 }
    await engine.stop()
    lab.newProcess()
    let next = try await lab.started()
    #expect(next.snapshot().total == 20)
    try await next.waitUntilIdle()
    #expect(next.snapshot().finished == 20)
    await next.stop()
    #expect(lab.web.requests.isEmpty)
    #expect(try await lab.disk.totals().finished == 20)
    try await lab.checkLibrary()
  }

  @Test("If more images are downloaded than the stage holds, all are rendered once")
  func beyondTheStage() async throws {
    let lab = try await Lab.withDatabase()
    let count = PageQueue.queueLimit + 500
    lab.serveImages(1...count)
    lab.renderer.hold()
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await lab.untilCommitted { $0.fetched == count }
    // The rows are there a moment before the engine knows it.
    await engine.run { await $0.commits.flush() }
    #expect(engine.snapshot().active.count < 30)
    lab.renderer.release()
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().finished == count)
    await engine.stop()
    #expect(lab.renderer.rendered.count == count)
    _ = events
    try await lab.checkLibrary()
    await lab.disk.close()
  }

  @Test("Stopping during an archive leaves no partial page and loses nothing")
  func stoppedInArchive() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive(
      "many", (1...30).map { .init("\($0).png", Lab.image($0)) })
    lab.web.serve("http://h/a.zip", .file(zip))
    lab.serveList(["http://h/a.zip"])
    lab.renderer.hold()
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.renderer.untilHeld()
    let stopping = Task { await engine.stop() }
    lab.renderer.release()
    await stopping.value
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished && resource.pageCount == 30)
    try await lab.checkLibrary()
  }
}
