import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Large files that the engine receives over several connections.
@Suite(.timeLimit(.minutes(60))) struct LargeFileTests {
  private static let url = "http://h/large.bin"

  private static let bytes: [UInt8] = {
    var random = SeededGenerator(seed: 12)
    return [0, 1, 2, 3] + random.bytes(1_200_000)
  }()

  private static var file: FakeAnswer { .file(bytes).with("Accept-Ranges", "bytes") }

  private static func lab() throws -> Lab {
    let lab = try Lab()
    lab.settings.network.segments = 8
    lab.settings.network.segmentBytes = 64 << 10
    lab.settings.network.segmentSeconds = 0
    return lab
  }

  /// Opens the gate of the first response when the engine has granted the connections that it requested.
  private static func openWhenGranted(_ gate: Gate, _ engine: Engine) async throws {
    try await gate.untilWaiting()
    // A turn of the engine that follows the one of the request.
    _ = await engine.status()
    gate.open()
  }

  /// The file, whose first response waits twice: before the segments can begin, and after `count` bytes.
  private static func file(_ start: Gate, _ gate: Gate, after count: Int) -> FakeAnswer {
    file.held(by: start, after: 33_000).held(by: gate, after: count)
  }

  @Test(
    "Each connection counts for the limits of all transfers and of the host",
    arguments: [true, false])
  func limits(isOfHost: Bool) async throws {
    let lab = try Self.lab()
    if isOfHost {
      lab.settings.network.maxPerHost = 3
    } else {
      lab.settings.network.maxConcurrentDownloads = 3
    }
    let (start, gate) = (Gate(), Gate())
    lab.web.serve(Self.url, Self.file(start, gate, after: 40_000), Self.file)
    lab.serveList([Self.url])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await Self.openWhenGranted(start, engine)
    // The list, and then two further connections beside the first one.
    try await lab.web.activity.until { $0.ended >= 4 }
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect((2...3).contains(lab.web.activity.value.peak))
    #expect(lab.web.requests(for: Self.url).count > 3)
    try await Self.expectWhole(lab)
  }

  @Test("The time of a large file is that of all its connections, in milliseconds")
  func duration() async throws {
    let lab = try Self.lab()
    let (start, gate) = (Gate(), Gate())
    lab.web.serve(Self.url, Self.file(start, gate, after: 40_000), Self.file)
    lab.serveList([Self.url])
    let engine = try await lab.started()
    let before = Machine.monotonicNanoseconds
    _ = try await engine.add(Lab.request())
    try await start.untilWaiting()
    let requested = Machine.monotonicNanoseconds
    try await Self.openWhenGranted(start, engine)
    try await lab.web.activity.until { $0.ended >= 4 }
    let unfinished = Machine.monotonicNanoseconds
    gate.open()
    try await engine.waitUntilIdle()
    let after = Machine.monotonicNanoseconds
    await engine.stop()
    let timings = try await lab.allResources().map { try #require($0.file).timings }
    let nanoseconds = try #require(timings.first?.duration) * 1e6
    #expect(nanoseconds >= Double(unfinished - requested))
    #expect(nanoseconds <= Double(after - before))
  }

  @Test("A large file that is itself the source is received over several connections")
  func source() async throws {
    let lab = try Self.lab()
    let (start, gate) = (Gate(), Gate())
    // The first response is that to the request of the source.
    lab.web.serve(
      Self.url, Self.file, Self.file(start, gate, after: 40_000), Self.file)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.url))
    #expect(result.entryCount == 1 && result.problemCount == 0)
    try await Self.openWhenGranted(start, engine)
    try await lab.web.activity.until { $0.ended >= 5 }
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Self.url).count(where: { $0.range != nil }) >= 3)
    #expect(try await lab.allResources().map(\.url) == [Self.url])
    try await Self.expectWhole(lab)
  }

  @Test(
    "A source that gains nothing from several connections is received once",
    arguments: ["small", "no ranges", "off"])
  func receivedOnce(reason: String) async throws {
    let lab = try Self.lab()
    var answer = Self.file
    switch reason {
    case "small": lab.settings.network.segmentBytes = Self.bytes.count
    case "no ranges": answer = answer.with("Accept-Ranges", "none")
    default: lab.settings.network.segments = 1
    }
    lab.web.serve(Self.url, answer)
    try await lab.run(Self.url)
    #expect(lab.web.requests(for: Self.url).count == 1)
    try await Self.expectWhole(lab)
  }

  @Test("A paused download continues where each connection stopped")
  func pause() async throws {
    let lab = try Self.lab()
    let (start, first, others) = (Gate(), Gate(), Gate())
    lab.web.serve(
      Self.url, Self.file(start, first, after: 50_000), Self.file.held(by: others, after: 32_768))
    lab.serveList([Self.url])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await Self.openWhenGranted(start, engine)
    try await first.untilWaiting()
    try await others.untilWaiting(7)
    #expect(await engine.status().progress.active.map(\.connections) == [8])
    try await engine.pause(nil)
    #expect(lab.web.activity.value.active == 0)
    await engine.stop()
    lab.newProcess()
    lab.web.serve(Self.url, Self.file)
    let next = try await lab.started()
    try await next.resume(nil)
    try await next.waitUntilIdle()
    await next.stop()
    let requests = lab.web.requests(for: Self.url)
    #expect(requests.first?.range == "bytes=50000-")
    #expect(requests.allSatisfy { $0.range != nil && $0.ifRange == "\"v1\"" })
    try await Self.expectWhole(lab)
  }

  @Test("Other resources take connections back")
  func others() async throws {
    let lab = try Self.lab()
    lab.settings.network.maxConcurrentDownloads = 4
    let (start, first, others) = (Gate(), Gate(), Gate())
    lab.web.serve(
      Self.url, Self.file(start, first, after: 40_000), Self.file.held(by: others, after: 1_000))
    lab.serveList([Self.url])
    lab.serveImages(1...20, at: "http://h/more.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await Self.openWhenGranted(start, engine)
    try await others.untilWaiting(3)
    _ = try await engine.add(Lab.request("http://h/more.txt"))
    others.open()
    try await lab.untilCommitted { $0.finished >= 20 }
    first.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 21)
    try await lab.checkLibrary()
  }

  @Test("A host that refuses further connections with 503 still sends the whole file")
  func throttled() async throws {
    let lab = try Self.lab()
    let (start, gate) = (Gate(), Gate())
    lab.web.serve(
      Self.url, Self.file(start, gate, after: 40_000),
      FakeAnswer(status: 503).with("Retry-After", "1"))
    lab.serveList([Self.url])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await Self.openWhenGranted(start, engine)
    try await lab.web.activity.until { $0.ended >= 3 }
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Self.url).count { $0.range == nil } == 1)
    try await Self.expectWhole(lab)
  }

  @Test("A client's number of connections replaces the setting", arguments: [1, 3])
  func chosenConnections(count: Int) async throws {
    let lab = try Self.lab()
    let (start, gate) = (Gate(), Gate())
    lab.web.serve(Self.url, Self.file(start, gate, after: 40_000), Self.file)
    let engine = try await lab.started()
    let (ids, _) = try await engine.addResources(
      [SingleDownload(url: Self.url)], toRecord: "aria2")
    try await engine.setConnections([ids[0]: count])
    try await engine.startTransfers([ids[0]: 0])
    try await Self.openWhenGranted(start, engine)
    if count > 1 { try await lab.web.activity.until { $0.ended >= 3 } }
    gate.open()
    try await lab.untilCommitted { $0.finished == 1 }
    await engine.stop()
    #expect(lab.web.activity.value.peak <= count)
    #expect((lab.web.requests(for: Self.url).count == 1) == (count == 1))
    try await lab.checkLibrary()
  }

  private static func expectWhole(_ lab: Lab) async throws {
    #expect(try await lab.disk.totals().finished == 1)
    let record = try await lab.records()[0]
    let resource = try await lab.resources(record)[0]
    #expect(try lab.bytes(resource, record) == bytes)
    #expect(lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }
}
