import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// What `add` makes of sources, and of the same source again (DL1, DL4).
@Suite(.timeLimit(.minutes(60))) struct AddingTests {
  @Test("A list becomes a record with its files in order, under our names")
  func list() async throws {
    let lab = try Lab()
    lab.serveImages(1...12)
    let result = try await lab.run()
    #expect(result.outcome == .appended && result.entryCount == 12 && result.problemCount == 0)
    let record = try #require(try await lab.records().first)
    #expect(record.title == "list" && record.folder == "list")
    #expect(record.counts.finished == 12)
    #expect(try lab.names("list") == (1...12).map { String(format4($0)) + "-\($0).png" })
    for resource in try await lab.resources(record) {
      #expect(resource.state == .finished && resource.pageCount == 1)
      #expect(try lab.bytes(resource, record) == Lab.image(resource.index))
      let page = try #require(try await lab.disk.pages(of: resource.id).first)
      #expect(page.width == 3 && page.height == 2)
      #expect(FileSystem.exists(lab.layout.rendition(page.thumbnail ?? "-")))
    }
    try await lab.checkLibrary()
  }

  private func format4(_ number: Int) -> String {
    String(repeating: "0", count: 4 - String(number).count) + String(number)
  }

  @Test("An archive of lists becomes a record for each, titled with its name")
  func archiveOfLists() async throws {
    var lab = try Lab()
    let zip = lab.archive.archive(
      "lists",
      [
        .init("cats.json", Array(#"["http://h/p/1.png", "http://h/p/2.png"]"#.utf8)),
        .init("notes.txt", Array("http://h/p/9.png".utf8)),
        .init("deep/dogs.json", Array(#"[{"url": "/p/3.png", "title": "Rex"}]"#.utf8)),
        .init("bad.json", Array(#"{"url": "#.utf8)),
        .init("empty.json", Array("[]".utf8)),
      ])
    lab.web.serve("http://h/lists.zip", .file(zip))
    let result = try await lab.run("http://h/lists.zip")
    #expect(result.records.count == 2 && result.entryCount == 3)
    #expect(result.problems.contains { $0.contains("bad.json") })
    #expect(try await lab.records().map(\.title) == ["cats", "dogs"])
    #expect(try lab.names("dogs") == ["0001-Rex.png"])
    try await lab.checkLibrary()
    lab = try Lab()
  }

  @Test("The same source again is another record at the end")
  func twice() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    try await lab.run()
    lab.newProcess()
    lab.serveImages(1...3)
    #expect(try await lab.run().outcome == .appended)
    let records = try await lab.records()
    #expect(records.map(\.folder) == ["list", "list (2)"])
    #expect(records.map(\.title) == ["list", "list"])
    #expect(records.map(\.counts.finished) == [3, 3])
    try await lab.checkLibrary()
  }

  @Test("Where only failures remain it says so and fetches nothing")
  func onlyFailures() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1), "http://h/gone.png"])
    try await lab.run()
    lab.newProcess()
    lab.serveList([Lab.url(1), "http://h/gone.png"])
    #expect(try await lab.run().outcome == .onlyFailuresRemain)
    #expect(lab.web.requests.isEmpty)
    #expect(try await lab.records().count == 1)
    lab.newProcess()
    lab.serveList([Lab.url(1), "http://h/gone.png"])
    #expect(try await lab.run(again: true).outcome == .appended)
    #expect(try await lab.records().count == 2)
  }

  @Test("An interrupted add is continued, with nothing fetched twice")
  func continued() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(3), FakeAnswer.file(Lab.image(3)).held(by: gate))
    lab.serveImages(1...5)
    let engine = try await lab.started()
    let added = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    await engine.interrupt()
    await #expect(throws: LibraryError(.interrupted, "")) {
      try await engine.waitUntilIdle()
    }
    await engine.stop()
    #expect(try await lab.disk.totals().failed == 0)
    lab.newProcess()
    let result = try await lab.run()
    #expect(result.outcome == .continued && result.records == added.records)
    #expect(!result.isUnderWay)
    #expect(result.entryCount == 5)
    #expect(Set(lab.web.requests.map(\.url)) == [Lab.url(3), Lab.url(4), Lab.url(5)])
    #expect(try await lab.records().map(\.counts.finished) == [5])
    try await lab.checkLibrary()
  }

  @Test("While it still runs, the same source is continued, too")
  func continuedWhileRunning() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(2), FakeAnswer.file(Lab.image(2)).held(by: gate))
    lab.serveImages(1...4)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    let again = try await engine.add(Lab.request())
    #expect(again.outcome == .continued && again.isUnderWay)
    gate.open()
    try await engine.waitUntilIdle()
    let progress = engine.snapshot()
    #expect(progress.finished == 4 && progress.total == 4)
    #expect(lab.web.requests.count == 5)
    await engine.stop()
  }

  @Test("Sources that are added while files are on their way to the disk cost no file twice")
  func manySourcesAtOnce() async throws {
    let lab = try Lab()
    for list in 0..<10 {
      let urls = (1...20).map { Lab.url(list * 100 + $0) }
      lab.serveList(urls, at: "http://h/\(list).txt")
    }
    let engine = try await lab.started()
    for list in 0..<10 { _ = try await engine.add(Lab.request("http://h/\(list).txt")) }
    try await engine.waitUntilIdle()
    let pictures = lab.web.requests.filter { $0.url.contains("/p/") }.map(\.url)
    #expect(pictures.count == 200 && Set(pictures).count == 200)
    #expect(engine.snapshot().finished == 200)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A picture by itself is one request and one record")
  func adopted() async throws {
    let lab = try Lab()
    let result = try await lab.run(Lab.url(5))
    #expect(result.entryCount == 1 && result.outcome == .appended)
    #expect(lab.web.requests.map(\.url) == [Lab.url(5)])
    let record = try #require(try await lab.records().first)
    #expect(record.counts.finished == 1 && record.title == "5.png")
    #expect(try lab.names(record.folder) == ["0001-5.png"])
    #expect(lab.progress.snapshot().finished == 1)
    try await lab.checkLibrary()
  }

  @Test("A picture that is added while much else runs is one request, too")
  func adoptedAmongOthers() async throws {
    let lab = try Lab()
    lab.serveImages(1...50)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    _ = try await engine.add(Lab.request(Lab.url(1_000)))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Lab.url(1_000)).count == 1)
    #expect(lab.web.requests.count == 52)
    try await lab.checkLibrary()
  }

  @Test("Without thumbnails an adopted picture is finished and counted at once")
  func adoptedWithoutThumbnails() async throws {
    let lab = try Lab()
    lab.settings.rendering.thumbnails = false
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let result = try await engine.add(Lab.request(Lab.url(5)))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.progress.snapshot().finished == 1)
    let record = try #require(result.records.first)
    try await events.until { if case .finished(_, record) = $0 { true } else { false } }
  }

  @Test("A web page that is added as a picture is a failure that says so")
  func adoptedWebPage() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/a.png", FakeAnswer(body: Array("<html>no</html>".utf8)))
    let engine = try await lab.started()
    var request = try Lab.request("http://h/a.png")
    request.format = .singleResource
    _ = try await engine.add(request)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.reason) == ["the server sent a web page"])
    #expect(lab.web.requests.count == 1)
    try await lab.checkLibrary()
  }

  @Test("A file of this machine is copied and stays where it is")
  func localFile() async throws {
    let lab = try Lab()
    let outside = try TemporaryFolder()
    let path = try outside.write("My heron.png", Lab.image(1))
    let engine = try await lab.started()
    _ = try await engine.add(SourceRequest(location: .file(path)))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try lab.names("My heron.png") == ["0001-My heron.png"])
    #expect(FileSystem.exists(path))
    #expect(lab.web.requests.isEmpty)
    try await lab.checkLibrary()
  }

  @Test("A list on this machine may have its own name twice in its URLs")
  func localList() async throws {
    let lab = try Lab()
    let outside = try TemporaryFolder()
    let path = try outside.write("list.json", Array(#"["\#(Lab.url(1))", "\#(Lab.url(1))"]"#.utf8))
    let engine = try await lab.started()
    _ = try await engine.add(SourceRequest(location: .file(path)))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try lab.names("list") == ["0001-1.png", "0002-1.png"])
    try await lab.checkLibrary()
  }

  @Test("Standard input is a list, or a picture, and its spool goes")
  func standardInput() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    for (index, bytes) in [Array(Lab.url(1).utf8), Lab.image(2)].enumerated() {
      let spool = "\(lab.layout.incoming)/stdin-\(index).spool"
      try FileSystem.replace(spool, with: bytes.span.bytes)
      let result = try await engine.add(SourceRequest(location: .standardInput(spool: spool)))
      #expect(result.entryCount == 1)
    }
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 2)
    // The same content again is the same source.
    let spool = "\(lab.layout.incoming)/stdin-2.spool"
    try FileSystem.replace(spool, with: Lab.image(2).span.bytes)
    #expect(
      try await engine.add(SourceRequest(location: .standardInput(spool: spool))).outcome
        == .appended)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().count == 3)
    try await lab.checkLibrary()
  }

  @Test("A folder that is there already is not ours to write into")
  func foreignFolder() async throws {
    let lab = try Lab()
    try FileSystem.makeFolders(lab.folder.path + "/list")
    _ = try lab.folder.write("list/0001-1.png", [1, 2, 3])
    lab.serveImages(1...1)
    try await lab.run()
    #expect(try FileSystem.contents(of: lab.folder.path + "/list/0001-1.png") == [1, 2, 3])
    #expect(try lab.names("list (2)") == ["0001-1.png"])
  }

  @Test("Ten thousand and one files lie in folders of ten thousand, in order")
  func manyNames() async throws {
    let lab = try await Lab.withDatabase()
    lab.settings.rendering.thumbnails = false
    lab.serveImages(1...10_001)
    try await lab.run()
    #expect(try lab.names("list") == ["00001-10000", "10001-20000"])
    #expect(try lab.names("list/10001-20000") == ["10001-10001.png"])
    #expect(try lab.names("list/00001-10000").count == 10_000)
    #expect(lab.web.requests.count == 10_002)
    // The window of the queue, not the queue, was in memory.
    let windows = lab.store.calls.compactMap { call in
      if case .window(.queued, of: _, after: _, let limit, found: _) = call { return limit }
      return nil
    }
    #expect(windows.allSatisfy { $0 <= Scheduler.batch })
    // One more for each priority, and for what changed while one was on its way.
    #expect(windows.count <= 10_001 / Scheduler.batch + 8)
    // Not one question to the store for each file; how many files share one is the machine's matter.
    #expect(lab.store.calls.count < 10_001 / 2)
    await lab.disk.close()
  }
}
