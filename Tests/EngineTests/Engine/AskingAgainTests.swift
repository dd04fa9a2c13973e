import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// What a request costs when the library has an answer already.
@Suite(.timeLimit(.minutes(60))) struct AskingAgainTests {
  private func asked(_ lab: Lab) -> [FakeTransport.Request] {
    lab.web.requests.filter { !$0.url.hasSuffix(".txt") && !$0.url.hasSuffix("/series") }
  }

  /// Adds the list of one engine's run again, in another one.
  private func again(_ lab: Lab, _ set: (Lab) -> Void) async throws {
    lab.newProcess()
    set(lab)
    lab.web.forgetRequests()
    #expect(try await lab.run().outcome == .appended)
  }

  @Test(
    "Adding a source again costs one conditional request per resource, and a 304 creates a link")
  func notModified() async throws {
    let lab = try Lab()
    let bytes = Lab.image(900)
    func serve(_ lab: Lab) {
      lab.web.serve(
        "http://h/dated.png",
        FakeAnswer.file(bytes, tag: nil).with("Last-Modified", "Tue, 01 Jul 2025 10:00:00 GMT"))
      lab.serveList([Lab.url(1), Lab.url(2), "http://h/dated.png"])
    }
    serve(lab)
    try await lab.run()
    try await again(lab, serve)
    #expect(asked(lab).map(\.url).sorted() == ["http://h/dated.png", Lab.url(1), Lab.url(2)])
    #expect(asked(lab).filter(\.isPlain).isEmpty)
    #expect(
      lab.web.requests(for: "http://h/dated.png").map(\.ifModifiedSince)
        == ["Tue, 01 Jul 2025 10:00:00 GMT"])
    #expect(lab.web.requests(for: Lab.url(1)).map(\.ifNoneMatch) == ["\"v1\""])
    let records = try await lab.records()
    #expect(try await lab.inodes(records[0]) == lab.inodes(records[1]))
    // The response is current for a resource that is added after both.
    let last = try #require(try await lab.allResources().last?.id)
    for resource in try await lab.resources(records[0]) {
      #expect(resource.file?.answer.map { $0.asOf >= last } == true)
    }
    try await lab.checkLibrary()
  }

  @Test("A changed resource is downloaded, and the old file stays with the old record")
  func modified() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/a.png", .file(Lab.image(1)))
    lab.serveList(["http://h/a.png"])
    try await lab.run()
    try await again(lab) { lab in
      lab.web.serve("http://h/a.png", .file(Lab.image(2), tag: "\"v2\""))
      lab.serveList(["http://h/a.png"])
    }
    #expect(asked(lab).map(\.ifNoneMatch) == ["\"v1\""])
    let resources = try await lab.allResources()
    let records = try await lab.records()
    #expect(try lab.bytes(resources[0], records[0]) == Lab.image(1))
    #expect(try lab.bytes(resources[1], records[1]) == Lab.image(2))
    try await lab.checkLibrary()
  }

  @Test("A tag from another origin or a mirror does not make later requests conditional")
  func tagOfAnotherOrigin() async throws {
    let lab = try Lab()
    let (moved, mirrored) = ("http://h/a.png", "http://h/b.png")
    let list = "\(moved)\thttp://m/a.png\n\(mirrored)\thttp://m/b.png".utf8
    lab.web.serve(Lab.list, FakeAnswer(body: Array(list)))
    lab.web.serve(moved, FakeAnswer.file(Lab.image(1)).redirected(to: "http://o/a.png"))
    lab.web.serve(mirrored, FakeAnswer(status: 404))
    lab.web.serve("http://m/b.png", .file(Lab.image(2)))
    try await lab.run()
    // Other files with the same tags.
    try await again(lab) { lab in
      lab.web.serve(Lab.list, FakeAnswer(body: Array(list)))
      lab.web.serve(moved, .file(Lab.image(3)))
      lab.web.serve(mirrored, .file(Lab.image(4)))
    }
    #expect(lab.web.requests(for: moved).map(\.isPlain) == [true])
    #expect(lab.web.requests(for: mirrored).map(\.isPlain) == [true])
    let (resources, records) = (try await lab.allResources(), try await lab.records())
    let files = try resources.enumerated().map { try lab.bytes($1, records[$0 / 2]) }
    #expect(files == [1, 2, 3, 4].map(Lab.image))
    try await lab.checkLibrary()
  }

  @Test("Without a validator a resource is downloaded again, and is still one file")
  func noValidator() async throws {
    let lab = try Lab()
    func serve(_ lab: Lab) {
      lab.web.serve("http://h/a.png", .file(Lab.image(1), tag: nil))
      lab.serveList(["http://h/a.png"])
    }
    serve(lab)
    try await lab.run()
    try await again(lab, serve)
    #expect(asked(lab).map(\.isPlain) == [true])
    let records = try await lab.records()
    #expect(try await lab.inodes(records[0]) == lab.inodes(records[1]))
    try await lab.checkLibrary()
  }

  @Test("A resource that is fresh by Cache-Control costs no request")
  func fresh() async throws {
    let lab = try Lab()
    func serve(_ lab: Lab) {
      lab.web.serve(
        "http://h/a.png", FakeAnswer.file(Lab.image(1)).with("Cache-Control", "max-age=3600"))
      lab.web.serve(
        "http://h/b.png", FakeAnswer.file(Lab.image(2)).with("Cache-Control", "no-cache"))
      lab.serveList(["http://h/a.png", "http://h/b.png"])
    }
    serve(lab)
    try await lab.run()
    try await again(lab, serve)
    #expect(asked(lab).map(\.url) == ["http://h/b.png"])
    #expect(try await lab.disk.totals().finished == 4)
    try await lab.checkLibrary()
  }

  @Test("A 304 makes a file fresh for the time that it states")
  func freshAfterConfirmation() async throws {
    let lab = try Lab()
    func serve(_ lab: Lab) {
      lab.web.serve(
        "http://h/a.png", FakeAnswer.file(Lab.image(1)).with("Cache-Control", "max-age=3600"))
      lab.serveList(["http://h/a.png"])
    }
    lab.web.serve("http://h/a.png", .file(Lab.image(1)))
    lab.serveList(["http://h/a.png"])
    try await lab.run()
    try await again(lab, serve)
    #expect(asked(lab).map(\.isPlain) == [false])
    try await again(lab, serve)
    #expect(asked(lab).isEmpty)
    try await lab.checkLibrary()
  }

  @Test("Opening a series again makes no request for its slices")
  func series() async throws {
    let lab = try Lab()
    func serve(_ lab: Lab) {
      lab.web.serve(
        "http://h/api/series", FakeAnswer(body: Array(#"{"id": "c", "slices": ["10", "2"]}"#.utf8)))
      for (index, name) in ["10", "2"].enumerated() {
        lab.web.serve("http://h/api/series/c/slice/\(name)", .file(Lab.image(index), tag: nil))
      }
    }
    var request = try Lab.request("http://h/api")
    request.format = .series
    for round in 0..<2 {
      lab.newProcess()
      serve(lab)
      let engine = try await lab.started()
      _ = try await engine.add(request)
      try await engine.waitUntilIdle()
      await engine.stop()
      #expect(asked(lab).count == (round == 0 ? 2 : 0))
    }
    let records = try await lab.records()
    #expect(records.map(\.counts.finished) == [2, 2])
    #expect(try await lab.inodes(records[0]) == lab.inodes(records[1]))
    try await lab.checkLibrary()
  }

  @Test(
    "A file that was deleted or truncated is downloaded again, and not linked",
    arguments: [true, false])
  func missingTwin(isFresh: Bool) async throws {
    let lab = try Lab()
    func serve(_ lab: Lab) {
      for number in 1...3 {
        lab.web.serve(
          Lab.url(number),
          FakeAnswer.file(Lab.image(number)).with(
            "Cache-Control", isFresh ? "max-age=3600" : nil))
      }
      lab.serveImages(1...3)
    }
    serve(lab)
    try await lab.run()
    try FileSystem.remove(lab.folder.path + "/list/0002-2.png")
    // Of another length: it was cut by hand.
    try FileSystem.replace(lab.folder.path + "/list/0003-3.png", with: "x")
    try await again(lab, serve)
    let plain = asked(lab).filter(\.isPlain).map(\.url)
    #expect(plain.sorted() == [Lab.url(2), Lab.url(3)])
    #expect(asked(lab).count == (isFresh ? 2 : 5))
    let record = try #require(try await lab.records().last)
    for resource in try await lab.resources(record) {
      #expect(try lab.bytes(resource, record) == Lab.image(resource.index))
    }
  }

  @Test("A file that has been replaced under its name is not linked")
  func otherFileOfThatName() async throws {
    // Pictures of one length: nothing but their content tells them apart.
    let lab = try Lab()
    lab.serveImages(1...1, at: "http://h/list.txt")
    lab.serveList([Lab.url(1)], at: "http://h/keep.txt")
    lab.serveList(["http://g/1.png"], at: "http://g/list.txt")
    lab.web.serve("http://g/1.png", .file(Lab.image(2)))
    let gate = Gate()
    lab.web.serve(
      Lab.url(1), .file(Lab.image(1)), FakeAnswer.file(Lab.image(1)).held(by: gate))
    let engine = try await lab.started()
    let first = try #require(try await engine.add(Lab.request()).records.first)
    try await engine.waitUntilIdle()
    _ = try await engine.add(Lab.request("http://h/keep.txt"))
    try await gate.untilWaiting()
    // While the server is asked whether it changed, the name goes to another file.
    try await engine.remove(first)
    _ = try await engine.add(Lab.request("http://g/list.txt"))
    try await lab.untilCommitted { $0.finished == 1 }
    #expect(try lab.names("list") == ["0001-1.png"])
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    let keep = try #require(try await lab.disk.records(titled: "keep").first)
    let resource = try #require(try await lab.resources(keep).first)
    #expect(try lab.bytes(resource, keep) == Lab.image(1))
    try await lab.checkLibrary()
  }

  @Test("A retry of a resource that could not be shown is a conditional request")
  func retryOfUnshown() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/a.png", .file(Lab.image(1)))
    lab.serveList(["http://h/a.png"], at: "http://h/a.txt")
    lab.serveList(["http://h/a.png"], at: "http://h/b.txt")
    let paths = ["a", "b"].map { "\(lab.folder.path)/\($0)/0001-a.png" }
    let engine = try await lab.started()
    for path in paths { lab.renderer.fail(path, with: .init(.worker, "the decoder died")) }
    _ = try await engine.add(Lab.request("http://h/a.txt"))
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().failed == 2)
    lab.web.forgetRequests()
    for path in paths { lab.renderer.fail(path, with: nil) }
    #expect(try await engine.retry() == 2)
    try await engine.waitUntilIdle()
    #expect(asked(lab).count == 1)
    #expect(engine.snapshot().finished == 2)
    #expect(engine.snapshot().failed == 0)
    #expect(try await lab.allResources().map(\.state) == [.finished, .finished])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A public list must not lead to a private address; a local list may")
  func addresses() async throws {
    let lab = try Lab()
    lab.serveImages(1...2, at: "http://93.184.216.34/list.txt")
    lab.serveImages(3...4, at: "http://192.168.1.9/list.txt")
    let first = try await lab.started()
    _ = try await first.add(Lab.request("http://93.184.216.34/list.txt"))
    _ = try await first.add(Lab.request("http://192.168.1.9/list.txt"))
    try await first.waitUntilIdle()
    await first.stop()
    let strict = lab.web.requests.filter { $0.addresses == .publicOnly }.map(\.url)
    #expect(strict.sorted() == [Lab.url(1), Lab.url(2)])
    // Also in another run.
    lab.newProcess()
    let engine = try await lab.started()
    for record in try await lab.records() { _ = try await engine.reload(record.id) }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(
      Dictionary(grouping: lab.web.requests, by: \.addresses).mapValues { Set($0.map(\.url)) }
        == [.publicOnly: [Lab.url(1), Lab.url(2)], .noPublicToPrivate: [Lab.url(3), Lab.url(4)]])
    try await lab.checkLibrary()
  }

  @Test("A file from a private list does not answer a request of a public one")
  func addressesApart() async throws {
    let lab = try Lab()
    lab.web.serve(
      Lab.url(1), FakeAnswer.file(Lab.image(1)).with("Cache-Control", "max-age=3600"))
    let engine = try await lab.started()
    for host in ["192.168.1.9", "93.184.216.34", "93.184.216.35"] {
      lab.serveImages(1...1, at: "http://\(host)/list.txt")
      _ = try await engine.add(Lab.request("http://\(host)/list.txt"))
      try await engine.waitUntilIdle()
    }
    await engine.stop()
    #expect(
      lab.web.requests(for: Lab.url(1)).map(\.addresses) == [.noPublicToPrivate, .publicOnly])
    try await lab.checkLibrary()
  }
}
