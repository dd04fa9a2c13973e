import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Reload (DL9): downloads all files of a record again, and keeps each old file until the new one is complete.
@Suite(.timeLimit(.minutes(60))) struct ReloadTests {
  private static let urls = (1...3).map { "http://h/\($0).png" }

  /// The same pictures under the same URLs.
  private func serve(_ lab: Lab, _ numbers: [Int] = [1, 2, 3], tag: String = "\"v1\"") {
    for (url, number) in zip(Self.urls, numbers) {
      lab.web.serve(
        url,
        FakeAnswer.file(Lab.image(number), tag: tag).with("Cache-Control", "max-age=3600"))
    }
    lab.serveList(Self.urls)
    lab.serveList(Self.urls, at: "http://h/twin.txt")
  }

  private func path(_ lab: Lab, _ number: Int) -> String {
    "\(lab.folder.path)/list/000\(number)-\(number).png"
  }

  private func inode(_ path: String) throws -> UInt64 { try FileSystem.status(path).inode }

  @Test(
    "Reload is one unconditional GET per resource, fresh or not; unchanged content stays the same file"
  )
  func unchanged() async throws {
    let lab = try Lab()
    serve(lab)
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let before = try (1...3).map { try inode(path(lab, $0)) }
    lab.web.forgetRequests()
    #expect(try await engine.reload(record) == 3)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url).sorted() == Self.urls)
    #expect(lab.web.requests.allSatisfy { $0.isPlain })
    #expect(try (1...3).map { try inode(path(lab, $0)) } == before)
    #expect(engine.snapshot().finished == 3 && engine.snapshot().total == 3)
    try await events.until(.reloading(record, count: 3))
    await engine.stop()
    #expect(try await lab.allResources().map(\.pageCount) == [1, 1, 1])
    #expect(try await lab.allResources().allSatisfy { !$0.mustReload })
    try await lab.checkLibrary()
  }

  @Test("The old file stays until the new one is complete, and is replaced atomically")
  func staysUntilWhole() async throws {
    let lab = try Lab()
    serve(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let gate = Gate()
    lab.web.serve(
      Self.urls[1], FakeAnswer.file(Lab.image(8), tag: "\"v2\"").held(by: gate, after: 40))
    try await engine.reload(record)
    try await gate.untilWaiting()
    #expect(try FileSystem.contents(of: path(lab, 2)) == Lab.image(2))
    let row = try #require(try await lab.allResources().dropFirst().first)
    #expect(row.state == .queued && row.file != nil)
    gate.open()
    try await engine.waitUntilIdle()
    #expect(try FileSystem.contents(of: path(lab, 2)) == Lab.image(8))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A link to a replaced file keeps its content")
  func twin() async throws {
    let lab = try Lab()
    serve(lab)
    let engine = try await lab.open()
    let record = try await engine.add(Lab.request()).records[0]
    let other = try await engine.add(Lab.request("http://h/twin.txt")).records[0]
    try await engine.start()
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.filter { $0.url.hasSuffix(".png") }.count == 3)
    serve(lab, [4, 5, 6], tag: "\"v2\"")
    try await engine.reload(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    for number in 1...3 {
      #expect(try FileSystem.contents(of: path(lab, number)) == Lab.image(number + 3))
      let twin = "\(lab.folder.path)/twin/000\(number)-\(number).png"
      #expect(try FileSystem.contents(of: twin) == Lab.image(number))
    }
    #expect(try await lab.disk.record(other)?.counts.finished == 3)
    try await lab.checkLibrary()
  }

  @Test("Another kind of content has another name, and the old name is removed")
  func otherFormat() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/view", .file(Lab.image(1)))
    lab.serveList(["http://h/view"])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    #expect(try lab.names("list") == ["0001-view.png"])
    lab.web.serve("http://h/view", FakeAnswer(body: Array("%PDF-1.7".utf8)))
    lab.renderer.document("\(lab.folder.path)/list/0001-view.pdf", pages: 2)
    try await engine.reload(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try lab.names("list") == ["0001-view.pdf"])
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished && resource.pageCount == 2)
    try await lab.checkLibrary()
  }

  @Test("A resource that fails on reload stays finished with its old file and pages, and a remark")
  func fails() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    serve(lab)
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve(Self.urls[0], FakeAnswer(status: 410), .file(Lab.image(1)))
    lab.web.serve(Self.urls[1], FakeAnswer(body: Array("<html>".utf8)), .file(Lab.image(2)))
    try await engine.reload(record)
    try await engine.waitUntilIdle()
    func remark(_ failure: String) -> String {
      "its reload failed: \(failure); the earlier version is kept"
    }
    let resources = try await lab.allResources()
    #expect(resources.map(\.state) == [.finished, .finished, .finished])
    #expect(
      resources.map(\.reason)
        == [remark("HTTP 410 Gone"), remark("the server sent a web page"), nil])
    #expect(resources.map(\.pageCount) == [1, 1, 1] && resources.allSatisfy { !$0.mustReload })
    #expect(engine.snapshot().finished == 3 && engine.snapshot().failed == 0)
    for number in 1...3 {
      #expect(try FileSystem.contents(of: path(lab, number)) == Lab.image(number))
    }
    try await events.until(.problem("list/0001-1.png: " + remark("HTTP 410 Gone")))
    // There is nothing to retry; the next reload succeeds and removes the remarks.
    #expect(try await engine.retry(record) == 0)
    #expect(try await engine.reload(record) == 3)
    try await engine.waitUntilIdle()
    #expect(try await lab.allResources().allSatisfy { $0.state == .finished && $0.reason == nil })
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A file that somebody has deleted before its reload fails is not said to be kept")
  func failsWithoutFile() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    serve(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    try FileSystem.remove(path(lab, 1))
    lab.web.serve(Self.urls[0], FakeAnswer(status: 410))
    try await engine.reload(record)
    try await engine.waitUntilIdle()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .failed && resource.reason == "HTTP 410 Gone" && resource.file == nil)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A remark about a failed reload survives the end of the process before the pages are made")
  func remarkAfterKill() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    serve(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve(Self.urls[0], FakeAnswer(status: 410))
    lab.renderer.hold()
    try await engine.reload(record)
    try await lab.renderer.untilHeld(1)
    try await lab.untilCommitted { $0.fetched == 3 }
    lab.store.die()
    await engine.stop()
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    let resource = try #require(try await lab.allResources().first)
    #expect(
      resource.state == .finished && resource.reason?.hasPrefix("its reload failed: ") == true)
    await next.stop()
    try await lab.checkLibrary()
  }

  @Test("A reload that is cancelled keeps the old files with their pages")
  func cancelled() async throws {
    let lab = try Lab()
    serve(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let gate = Gate()
    for url in Self.urls {
      lab.web.serve(url, FakeAnswer.file(Lab.image(9), tag: "\"v2\"").held(by: gate, after: 40))
    }
    try await engine.reload(record)
    try await gate.untilWaiting(3)
    #expect(try await engine.cancel(record) == 3)
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().finished == 3 && engine.snapshot().failed == 0)
    await engine.stop()
    let resources = try await lab.allResources()
    #expect(resources.map(\.state) == [.finished, .finished, .finished])
    #expect(resources.map(\.pageCount) == [1, 1, 1])
    for number in 1...3 {
      #expect(try FileSystem.contents(of: path(lab, number)) == Lab.image(number))
    }
    #expect(lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }

  @Test("Without thumbnails no rendition is made of an image whose reload is cancelled")
  func cancelledWithoutThumbnails() async throws {
    let lab = try Lab()
    lab.settings.rendering.thumbnails = false
    serve(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let gate = Gate()
    for url in Self.urls { lab.web.serve(url, FakeAnswer.file(Lab.image(9)).held(by: gate)) }
    try await engine.reload(record)
    try await gate.untilWaiting(3)
    #expect(try await engine.cancel(record) == 3)
    try await engine.waitUntilIdle()
    await engine.stop()
    let resources = try await lab.allResources()
    #expect(resources.map(\.state) == [.finished, .finished, .finished])
    #expect(resources.map(\.pageCount) == [0, 0, 0])
    #expect(lab.renderer.attempted == [])
    try await lab.checkLibrary()
  }

  @Test("An interrupted reload continues in the next run, with unconditional requests")
  func interrupted() async throws {
    let lab = try Lab()
    serve(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Self.urls[0], FakeAnswer.file(Lab.image(7), tag: nil).held(by: gate))
    try await engine.reload(record)
    try await gate.untilWaiting()
    await engine.stop()
    lab.newProcess()
    serve(lab, [7, 8, 9], tag: "\"v2\"")
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests.allSatisfy { $0.isPlain })
    for number in 1...3 {
      let expected = [Lab.image(number), Lab.image(number + 6)]
      #expect(expected.contains(try FileSystem.contents(of: path(lab, number))))
    }
    #expect(try FileSystem.contents(of: path(lab, 1)) == Lab.image(7))
    try await lab.checkLibrary()
  }

  @Test("Reload restarts the record's active transfers, and requests equal URLs once")
  func whileDownloading() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(
      Self.urls[0], FakeAnswer.file(Lab.image(1)).held(by: gate, after: 40),
      .file(Lab.image(4), tag: "\"v2\""))
    lab.web.serve(Self.urls[1], .file(Lab.image(2)))
    lab.serveList([Self.urls[0], Self.urls[1], Self.urls[1]])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await lab.untilCommitted { $0.finished == 2 }
    lab.web.forgetRequests()
    #expect(try await engine.reload(record) == 3)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.map(\.url).sorted() == [Self.urls[0], Self.urls[1]])
    #expect(lab.web.requests.allSatisfy { $0.isPlain })
    #expect(try FileSystem.contents(of: path(lab, 1)) == Lab.image(4))
    try await lab.checkLibrary()
  }

  @Test("A paused record that is reloaded waits for the resume")
  func paused() async throws {
    let lab = try Lab()
    let gate = Gate()
    serve(lab)
    lab.web.serve(
      Self.urls[2], FakeAnswer.file(Lab.image(3)).held(by: gate, after: 40),
      .file(Lab.image(3)))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await lab.untilCommitted { $0.finished == 2 }
    try await engine.pause(record)
    lab.web.forgetRequests()
    #expect(try await engine.reload(record) == 3)
    #expect(lab.web.requests.isEmpty)
    try await engine.resume(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.map(\.url).sorted() == Self.urls)
    #expect(lab.web.requests.allSatisfy { $0.isPlain })
    try await lab.checkLibrary()
  }

  @Test("Reloading while pages are rendered shows the new content in the end")
  func whileRendering() async throws {
    let lab = try Lab()
    serve(lab)
    lab.renderer.hold()
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await lab.untilCommitted { $0.fetched == 3 }
    try await lab.renderer.untilHeld()
    serve(lab, [4, 5, 6], tag: "\"v2\"")
    async let reloaded = engine.reload(record)
    lab.renderer.release()
    #expect(try await reloaded == 3)
    try await engine.waitUntilIdle()
    await engine.stop()
    for resource in try await lab.allResources() {
      let page = try #require(try await lab.disk.pages(of: resource.id).first)
      let digest = try #require(resource.file?.digest)
      #expect(digest == Lab.digest(of: Lab.image(resource.index + 3)))
      #expect(page.thumbnail?.contains(digest.description) == true)
    }
    try await lab.checkLibrary()
  }

  @Test("A reload ends the activity of resources that wait for their pages")
  func activityWhileWaiting() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.serveImages(1...20)
    for number in 1...20 {
      let image = FakeAnswer.file(Lab.image(number))
      lab.web.serve(Lab.url(number), image, image.held(by: gate))
    }
    lab.renderer.hold()
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await lab.untilCommitted { $0.fetched == 20 }
    await engine.run { await $0.commits.flush() }
    #expect(engine.snapshot().active.count > PageQueue.width(lab.settings))
    async let reloaded = engine.reload(record)
    try await engine.until { $0.pages.queue.queued == 0 }
    lab.renderer.release()
    #expect(try await reloaded == 20)
    // The downloads have begun, and the server holds them.
    #expect(!engine.snapshot().active.contains { $0.activity == .rendering })
    gate.open()
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().active.isEmpty)
    await engine.stop()
    try await lab.checkLibrary()
  }
}
