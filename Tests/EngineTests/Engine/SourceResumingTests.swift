import Glibc
import LibraryAPI
import Models
import Persistence
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Sources that take time: they go on where they broke off, and say how far they are.
@Suite(.timeLimit(.minutes(60))) struct SourceResumingTests {
  private static let url = "http://h/scan.raw"

  /// A body of unknown type that is longer than `FileSink.minimumResumableBytes`, so partial files are kept.
  private static let bytes: [UInt8] = {
    var random = SeededGenerator(seed: 3)
    return [1, 2, 3, 0] + random.bytes(300_000)
  }()

  private func kept(_ lab: Lab) async throws {
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished && resource.reason?.hasPrefix("no preview") == true)
    #expect(resource.file?.byteCount == Int64(Self.bytes.count))
    let record = try #require(try await lab.records().first)
    let file = try #require(resource.file)
    #expect(try FileSystem.contents(of: lab.layout.original(file, in: record)) == Self.bytes)
    #expect(lab.incomingFiles.isEmpty)
    #expect(try await lab.disk.partials().isEmpty)
  }

  @Test("A file of unknown type is kept as a resource, downloaded once")
  func unknown() async throws {
    let lab = try Lab()
    lab.web.serve(Self.url, .file(Self.bytes))
    try await lab.run(Self.url)
    #expect(lab.web.requests.map(\.url) == [Self.url])
    try await kept(lab)
  }

  @Test("Text in an encoding of no list is refused by its first bytes, at any length")
  func early() async throws {
    let lab = try Lab()
    let text = [0xff, 0xfe, 0, 0, 0x68, 0, 0, 0] + [UInt8](repeating: 32, count: 90_000)
    // The gate is never opened.
    lab.web.serve(Self.url, FakeAnswer(body: text).held(by: Gate(), after: 20_000))
    let engine = try await lab.started()
    let request = try Lab.request(Self.url)
    let error = await #expect(throws: LibraryError.self) { try await engine.add(request) }
    #expect(
      error
        == LibraryError(
          .source, "\(Self.url): the text is UTF-32; a list must be in UTF-8 or UTF-16"))
    await engine.stop()
    #expect(try await lab.records().isEmpty && lab.incomingFiles.isEmpty)
  }

  @Test("An interrupted source continues by range, as long as there is progress")
  func broken() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 2
    lab.web.serve(Self.url, FakeAnswer.file(Self.bytes).cut(after: 100_000))
    try await lab.run(Self.url)
    #expect(
      lab.web.requests.map(\.range) == [
        nil, "bytes=100000-", "bytes=200000-", "bytes=300000-", "bytes=300004-",
      ])
    #expect(lab.web.requests.dropFirst().allSatisfy { $0.ifRange == "\"v1\"" })
    try await kept(lab)
  }

  @Test("A source that was interrupted continues in the next run", arguments: [false, true])
  func interrupted(isStopped: Bool) async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Self.url, FakeAnswer.file(Self.bytes).held(by: gate, after: 100_000))
    let engine = try await lab.started()
    let request = try Lab.request(Self.url)
    let add = Task { try await engine.add(request) }
    try await gate.untilWaiting()
    // The command ends, or the whole engine.
    if isStopped { await engine.stop() } else { add.cancel() }
    await #expect(throws: LibraryError.self) { try await add.value }
    await engine.stop()
    lab.newProcess()
    lab.web.serve(Self.url, .file(Self.bytes))
    try await lab.run(Self.url)
    #expect(lab.web.requests.map(\.range) == ["bytes=100000-"])
    try await kept(lab)
  }

  @Test("A source that has changed meanwhile is downloaded again, and versions are never mixed")
  func changed() async throws {
    let lab = try Lab()
    lab.web.serve(
      Self.url, FakeAnswer.file([UInt8](repeating: 7, count: 300_004)).cut(after: 100_000),
      FakeAnswer.file(Self.bytes, tag: "\"v2\""))
    try await lab.run(Self.url)
    #expect(lab.web.requests.map(\.range) == [nil, "bytes=100000-", nil])
    try await kept(lab)
  }

  @Test("Two simultaneous adds of one source do not write to one file")
  func twice() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(
      Self.url, FakeAnswer.file(Self.bytes).held(by: gate, after: 100_000), .file(Self.bytes))
    let engine = try await lab.started()
    var request = try Lab.request(Self.url)
    let first = Task { [request] in try await engine.add(request) }
    try await gate.untilWaiting()
    request.again = true
    _ = try await engine.add(request)
    gate.open()
    _ = try await first.value
    try await engine.waitUntilIdle()
    await engine.stop()
    let files = try await lab.allResources().compactMap(\.file)
    #expect(files.count == 2 && files[0].digest == files[1].digest)
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test("The second add of one source, interrupted, leaves no file that cannot be continued")
  func secondBrokenOff() async throws {
    let lab = try Lab()
    let (gate, other) = (Gate(), Gate())
    lab.web.serve(
      Self.url, FakeAnswer.file(Self.bytes).held(by: gate, after: 100_000),
      FakeAnswer.file(Self.bytes).held(by: other, after: 200_000))
    let engine = try await lab.started()
    var request = try Lab.request(Self.url)
    let first = Task { [request] in try await engine.add(request) }
    try await gate.untilWaiting()
    request.again = true
    let second = Task { [request] in try await engine.add(request) }
    try await other.untilWaiting()
    second.cancel()
    await #expect(throws: LibraryError.self) { try await second.value }
    #expect(lab.incomingFiles.count <= 1)
    #expect(try await lab.disk.partials().count <= 1)
    gate.open()
    _ = try await first.value
    try await engine.waitUntilIdle()
    await engine.stop()
    try await kept(lab)
  }

  @Test("A partial file without references is removed after a week; others stay")
  func orphans() async throws {
    let lab = try Lab()
    let gates = [Gate(), Gate()]
    let picture = "http://h/long.png"
    lab.web.serve(Self.url, FakeAnswer.file(Self.bytes).held(by: gates[0], after: 100_000))
    lab.web.serve(
      picture, FakeAnswer.file(Lab.image(1) + Self.bytes).held(by: gates[1], after: 100_000))
    lab.serveList([picture])
    let engine = try await lab.started()
    _ = try await engine.add(try Lab.request())
    try await gates[1].untilWaiting()
    let add = Task { [request = try Lab.request(Self.url)] in try await engine.add(request) }
    try await gates[0].untilWaiting()
    await engine.stop()
    await #expect(throws: LibraryError.self) { try await add.value }
    let left = Set(lab.incomingFiles)
    #expect(left.count == 2)
    // The source may be added again soon.
    lab.newProcess()
    await (try await lab.open()).stop()
    #expect(Set(lab.incomingFiles) == left)
    let old = Machine.unixSeconds - Recovery.orphanRetention - 60
    for name in left {
      let times = [timeval](repeating: timeval(tv_sec: Int(old), tv_usec: 0), count: 2)
      #expect(utimes("\(lab.layout.incoming)/\(name)", times) == 0)
    }
    lab.newProcess()
    await (try await lab.open()).stop()
    #expect(lab.incomingFiles.count == 1)
    #expect(try await lab.disk.partials().count == 1)
    // What is left is that of the picture, which goes on from there.
    lab.newProcess()
    lab.web.serve(picture, .file(Lab.image(1) + Self.bytes))
    let last = try await lab.started()
    try await last.waitUntilIdle()
    #expect(lab.web.requests.map(\.range) == ["bytes=100000-"])
    await last.stop()
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test("While a source is read, its received and total bytes are reported")
  func progress() async throws {
    let lab = try Lab()
    lab.web.serve(Self.url, .file(Self.bytes))
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(try Lab.request(Self.url))
    try await events.until {
      if case .sourceReading(Self.url, let bytes, 300_004) = $0 { bytes > 0 } else { false }
    }
    await engine.stop()
  }

  @Test("A list that is complete is requested again: its response may name the next page")
  func wholeList() async throws {
    let lab = try Lab()
    let list = Array((1...2_000).map { Lab.url($0) }.joined(separator: "\n").utf8)
    let answer = FakeAnswer.file(list, type: "text/plain")
    lab.web.serve(
      Lab.list, answer.cut(after: list.count),
      answer.with("Link", "<http://h/next.txt>; rel=\"next\""))
    lab.serveList([Lab.url(2_001)], at: "http://h/next.txt")
    let engine = try await lab.open()
    #expect(try await engine.add(try Lab.request(Lab.list)).entryCount == 2_001)
    await engine.stop()
    #expect(
      lab.web.requests(for: Lab.list).map(\.range) == [nil, "bytes=\(list.count)-", nil])
  }
}
