import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// One request for all records that need its response, and one file for equal content (RM2).
@Suite(.timeLimit(.minutes(60))) struct CoalescingTests {
  /// Requests for pictures, by URL.
  private func asked(_ lab: Lab) -> [String] {
    lab.web.requests.map(\.url).filter { $0.contains("/p/") }
  }

  @Test(
    "Two records with the same 500 URLs cost 500 requests, and are 1,000 files in 500 inodes",
    arguments: [true, false])
  func twoRecords(areOneSource: Bool) async throws {
    let lab = try Lab()
    lab.settings.rendering.thumbnails = false
    let urls = (1...500).map { Lab.url($0) }
    let lists = [urls, urls.reversed()].map { $0.map { "\"\($0)\"" }.joined(separator: ",") }
    let zip = lab.archive.archive(
      "lists",
      [.init("a.json", Array("[\(lists[0])]".utf8)), .init("b.json", Array("[\(lists[1])]".utf8))])
    lab.web.serve("http://h/lists.zip", .file(zip))
    lab.serveList(urls, at: "http://h/a.txt")
    lab.serveList(urls.reversed(), at: "http://h/b.txt")
    let engine = areOneSource ? try await lab.started() : try await lab.open()
    for list in areOneSource ? ["lists.zip"] : ["a.txt", "b.txt"] {
      _ = try await engine.add(Lab.request("http://h/\(list)"))
    }
    try await engine.start()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab).count == 500 && Set(asked(lab)).count == 500)
    let records = try await lab.records()
    #expect(records.map(\.counts.finished) == [500, 500])
    let first = try await lab.inodes(records[0]).compactMap { $0 }
    #expect(first.count == 500 && Set(first).count == 500)
    #expect(try await lab.inodes(records[1]).compactMap { $0 } == first.reversed())
    try await lab.checkLibrary()
  }

  @Test("A list of the same command does not repeat requests that the command has made")
  func sameCommand() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let urls = (1...20).map { Lab.url($0) }
    for name in ["a", "b", "c"] { lab.serveList(urls, at: "http://h/\(name).txt") }
    var request = try Lab.request("http://h/a.txt")
    request.since = try await engine.add(request).began
    // All of the first list is there, and each of its files is stale.
    try await engine.waitUntilIdle()
    request.location = .url(try HTTPURL("http://h/b.txt"))
    #expect(try await engine.add(request).began == request.since)
    try await engine.waitUntilIdle()
    #expect(asked(lab).count == 20)
    // Another command asks whether they have changed.
    _ = try await engine.add(try Lab.request("http://h/c.txt"))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab).count == 40)
    #expect(lab.web.requests.count { $0.ifNoneMatch != nil } == 20)
    try await lab.checkLibrary()
  }

  @Test("The requests of a command are forgotten once its records are finished or removed")
  func commandsForgotten() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let gate = Gate()
    for number in 1...3 {
      let list = "http://h/\(number).txt"
      lab.web.serve("http://h/held\(number).png", .file(Lab.image(number)).held(by: gate))
      lab.serveList([Lab.url(10 + number), "http://h/held\(number).png"], at: list)
      _ = try await engine.add(try Lab.request(list))
    }
    try await lab.untilCommitted { $0.finished == 3 }
    // Each has something left to do.
    var began = await engine.run { $0.context.records.newestResourceAtAdd }
    #expect(began.count == 3)
    let first = try #require(try await lab.records().first?.id)
    try await engine.remove(first)
    began = await engine.run { $0.context.records.newestResourceAtAdd }
    #expect(began.count == 2 && began[first] == nil)
    gate.open()
    try await engine.waitUntilIdle()
    began = await engine.run { $0.context.records.newestResourceAtAdd }
    #expect(began.isEmpty)
    // So is what nothing came of.
    lab.serveList(["http://h/missing.gif"], at: "http://h/4.txt")
    _ = try await engine.add(try Lab.request("http://h/4.txt"))
    try await engine.waitUntilIdle()
    began = await engine.run { $0.context.records.newestResourceAtAdd }
    #expect(began.isEmpty)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The same URL many times in one list is one request and one inode")
  func withinOneRecord() async throws {
    let lab = try Lab()
    lab.serveList(
      [Lab.url(1), "http://H:80/p/1.png", "http://h/p/%31.png#top", Lab.url(2), Lab.url(1)])
    try await lab.run()
    #expect(asked(lab).count == 2)
    let record = try #require(try await lab.records().first)
    #expect(record.counts.finished == 5)
    #expect(Set(try await lab.inodes(record)).count == 2)
    try await lab.checkLibrary()
  }

  @Test("Other request fields, or another host, are another request")
  func otherRequests() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a.json",
      FakeAnswer(
        body: Array(
          #"""
          ["/p/1.png", {"url": "/p/1.png", "headers": {"Accept": "image/webp"}}, "http://g/p/1.png"]
          """#.utf8)))
    try await lab.run("http://h/a.json")
    #expect(asked(lab).sorted() == ["http://g/p/1.png", Lab.url(1), Lab.url(1)])
    #expect(lab.web.requests(for: Lab.url(1)).compactMap { $0.fields["Accept"] } == ["image/webp"])
    let record = try #require(try await lab.records().first)
    #expect(Set(try await lab.inodes(record)).count == 1)
    try await lab.checkLibrary()
  }

  @Test("A resource that is added during a transfer of its URL joins it")
  func joins() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate, after: 30))
    lab.serveImages(1...1, at: "http://h/a.txt")
    lab.serveImages(1...2, at: "http://h/b.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request("http://h/a.txt"))
    try await gate.untilWaiting()
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await lab.untilCommitted { $0.finished == 1 }
    // What became of a batch is told in a turn after the one that wrote its rows.
    try await engine.until { $0.commits.queue.count == 0 }
    #expect(engine.snapshot().active.map(\.label) == [Lab.url(1)])
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Lab.url(1)).count == 1)
    #expect(try await lab.records().map(\.counts.finished) == [1, 2])
    try await lab.checkLibrary()
  }

  @Test("A failure applies to all resources of a request, and so does the retry")
  func sharedFailure() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 1
    lab.web.serve(
      Lab.url(1), FakeAnswer(status: 500), FakeAnswer(status: 404), .file(Lab.image(1)))
    lab.serveList([Lab.url(1), Lab.url(1)], at: "http://h/a.txt")
    lab.serveImages(1...1, at: "http://h/b.txt")
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request("http://h/a.txt"))
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await engine.start()
    try await engine.waitUntilIdle()
    #expect(
      try await lab.allResources().map(\.reason) == Array(repeating: "HTTP 404 Not Found", count: 3)
    )
    #expect(asked(lab).count == 2)
    #expect(try await engine.retry() == 3)
    try await engine.waitUntilIdle()
    #expect(asked(lab).count == 3)
    #expect(engine.snapshot().finished == 3 && engine.snapshot().failed == 0)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Each resource checks the file against its own list")
  func promises() async throws {
    let lab = try Lab()
    let right = Lab.digest(of: Lab.image(1))
    let wrong = Lab.digest(of: [1])
    lab.web.serve(
      "http://h/a.json",
      FakeAnswer(
        body: Array(
          """
          [{"url": "/p/1.png", "sha256": "\(wrong)"}, {"url": "/p/1.png", "sha256": "\(right)"},
           "/p/1.png"]
          """.utf8)))
    try await lab.run("http://h/a.json")
    #expect(asked(lab).count == 1)
    let resources = try await lab.allResources()
    #expect(resources.map(\.state) == [.failed, .finished, .finished])
    #expect(resources[0].reason?.contains("SHA-256") == true && resources[0].file == nil)
    try await lab.checkLibrary()
  }

  @Test("If no resource accepts the file, nothing is left")
  func brokenPromises() async throws {
    let lab = try Lab()
    let wrong = Lab.digest(of: [1])
    lab.web.serve(
      "http://h/a.json",
      FakeAnswer(body: Array(#"[{"url": "/p/1.png", "sha256": "\#(wrong)"}]"#.utf8)))
    try await lab.run("http://h/a.json")
    #expect(try await lab.allResources().map(\.state) == [.failed])
    #expect(lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }

  @Test("Equal content of different URLs is one file with several names")
  func equalContent() async throws {
    let lab = try Lab()
    let bytes = [0x47, 0x49, 0x46] + [UInt8](repeating: 7, count: 400_000)
    for name in ["a", "b", "c"] { lab.web.serve("http://h/\(name)", .file(bytes)) }
    lab.serveList(["http://h/a", "http://h/b"], at: "http://h/1.txt")
    lab.serveList(["http://h/c"], at: "http://h/2.txt")
    try await lab.run("http://h/1.txt")
    lab.newProcess()
    lab.web.serve("http://h/c", .file(bytes))
    lab.serveList(["http://h/c"], at: "http://h/2.txt")
    try await lab.run("http://h/2.txt")
    let records = try await lab.records()
    let inodes = try await lab.inodes(records[0]) + lab.inodes(records[1])
    #expect(inodes.count == 3 && Set(inodes).count == 1)
    try await lab.checkLibrary()
  }

  @Test("Empty files are not linked")
  func emptyFiles() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/a", FakeAnswer())
    lab.web.serve("http://h/b", FakeAnswer())
    lab.serveList(["http://h/a", "http://h/b"])
    try await lab.run()
    let record = try #require(try await lab.records().first)
    #expect(Set(try await lab.inodes(record)).count == 2)
    try await lab.checkLibrary()
  }

  @Test("A file with an equal digest is compared before it is linked")
  func changedTwin() async throws {
    let lab = try Lab()
    lab.serveImages(1...1, at: "http://h/a.txt")
    try await lab.run("http://h/a.txt")
    let path = lab.folder.path + "/a/0001-1.png"
    var bytes = Lab.image(1)
    bytes[40] ^= 1
    try FileSystem.replace(path, with: bytes.span.bytes)
    lab.newProcess()
    lab.serveList([Lab.url(1, host: "g")], at: "http://h/b.txt")
    try await lab.run("http://h/b.txt")
    let record = try #require(try await lab.records().last)
    let resource = try #require(try await lab.resources(record).first)
    #expect(try lab.bytes(resource, record) == Lab.image(1))
  }

  @Test("Removing one of two names leaves the other")
  func removeOne() async throws {
    let lab = try Lab()
    lab.serveImages(1...3, at: "http://h/a.txt")
    lab.serveImages(1...3, at: "http://h/b.txt")
    let engine = try await lab.started()
    let first = try #require(try await engine.add(Lab.request("http://h/a.txt")).records.first)
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await engine.waitUntilIdle()
    try await engine.remove(first)
    await engine.stop()
    #expect(try await lab.records().map(\.counts.finished) == [3])
    try await lab.checkLibrary()
  }
}
