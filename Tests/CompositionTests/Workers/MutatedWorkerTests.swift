import Archive
import ArchiveMessages
import ArchiveSandbox
import Markup
import MarkupSandbox
import Models
import Origin
import RenderMessages
import Rendering
import RenderingSandbox
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Transport
import TransportURLSession
import WorkerProcess

/// Each worker of the program, whose messages are changed on their way: fields, order, repetition and omission.
@Suite("A worker whose messages are changed at random", .serialized, .timeLimit(.minutes(60)))
struct MutatedWorkerTests {
  private static let seeds = UInt64(1)...12
  /// The processor time of a worker for a call. A worker whose answer was omitted waits for ten times as long.
  private static let seconds = 0.5

  @Test("costs single archives, never the reader", arguments: seeds)
  func archives(seed: UInt64) async throws {
    let worker = try MutatedWorker("imgdl-unpack", seed: seed)
    let reader = SandboxedArchiveReader(
      .libarchive,
      workers: ReadingWorkers(.archives(helpers: worker.helpers, seconds: Self.seconds)))
    let names = (1...6).map { "\($0).bin" }
    let path = try worker.folder.write(
      "a.zip", ZipBuilder(names.map { .deflated($0, Array("data of \($0)".utf8)) }).build())
    for _ in 0..<4 {
      let collector = EntryCollector(goesOn: true)
      do throws(ArchiveError) {
        try reader.walk(path, password: nil, visitor: collector)
      } catch {
        // What only the program itself finds out is not to be said by a worker.
        #expect(![.visitor, .limit, .overlap].contains(error.code), "\(error.detail)")
      }
      #expect(collector.entries.map(\.entry.index) == Array(0..<collector.entries.count))
    }
    try worker.becomeHonest()
    let found = await MutatedWorker.recovered {
      let collector = EntryCollector()
      try reader.walk(path, password: nil, visitor: collector)
      guard collector.names == names else { throw ArchiveError(.worker, "an answer too late") }
      return collector.entries.allSatisfy(\.isWhole)
    }
    #expect(found == true)
  }

  @Test("costs single documents, never the reader", arguments: seeds)
  func documents(seed: UInt64) async throws {
    let worker = try MutatedWorker("imgdl-markup", seed: seed)
    let reader = SandboxedMarkupReader(
      workers: ReadingWorkers(.markup(helpers: worker.helpers, seconds: Self.seconds)))
    let request = MarkupRequest(limits: MarkupLimits(items: 500))
    let text = (1...300).map { "<img src=\($0).jpg>" }.joined()
    let file = try FileSystem.open(try worker.folder.write("page.html", Array(text.utf8)))
    for _ in 0..<4 {
      var count = 0
      do throws(MarkupError) {
        try reader.read(file, request) { (items) throws(MarkupError) in count += items.count }
      } catch {
        #expect(error.code != .visitor, "\(error.description)")
      }
      #expect(count <= 2_000)
    }
    try worker.becomeHonest()
    let count = await MutatedWorker.recovered {
      var items: [MarkupItem] = []
      try reader.read(file, request) { (batch) throws(MarkupError) in items += batch }
      guard items.count == 301 else { throw MarkupError(.worker, "an answer too late") }
      return items.count
    }
    #expect(count == 301)
  }

  @Test("costs single pictures, never the renderer", arguments: seeds)
  func pictures(seed: UInt64) async throws {
    let worker = try MutatedWorker("imgdl-render", seed: seed)
    var configuration = WorkerPoolConfiguration(
      Settings(), helpers: worker.helpers, processorCount: 1)
    configuration.workers = 1
    configuration.imageSeconds = Self.seconds
    let renderer = WorkerPoolRenderer(configuration)
    let path = try worker.folder.write("a.png", TestPicture.png(width: 40, height: 30))
    let job = RenderJob(path: path, sides: [16])
    for _ in 0..<4 {
      let result = try? await renderer.render(job)
      #expect(result?.renditions.allSatisfy { max($0.width, $0.height) <= 16 } != false)
    }
    try worker.becomeHonest()
    let width = await MutatedWorker.recovered { try await renderer.render(job).info.width }
    #expect(width == 40)
    await renderer.shutdown()
  }

  @Test("costs single transfers, and no error is taken for one of the disk", arguments: seeds)
  func transfers(seed: UInt64) async throws {
    let worker = try MutatedWorker("imgdl-urlsession", seed: seed, percent: 10)
    let body = String(repeating: "0123456789", count: 20_000)
    let server = try ScriptedServer { _, _, _ in
      [.sendString("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }
    var configuration = URLSessionTransport.Configuration(
      program: WorkerProgram(path: worker.path),
      spoolFolder: Machine.environment("TMPDIR") ?? "/tmp")
    configuration.cancelSeconds = 0.5
    let transport = try URLSessionTransport(configuration)
    var request = TransportRequest(url: try HTTPURL(server.url), addresses: .any)
    request.limits.maxBodyBytes = 1 << 20
    for _ in 0..<2 {
      let results = await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { [request] in await Self.failure(of: request, by: transport) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (error, count) in results {
        #expect(error?.sinkError == nil, "\(error?.detail ?? "")")
        #expect(count <= 1 << 20)
      }
    }
    try worker.becomeHonest()
    let isWhole = await MutatedWorker.recovered {
      let sink = CountingSink()
      _ = try await transport.perform(request, into: sink)
      return sink.count == body.utf8.count
    }
    #expect(isWhole == true)
    await transport.shutdown()
  }

  private static func failure(
    of request: TransportRequest, by transport: URLSessionTransport
  ) async -> (TransportError?, Int) {
    let sink = CountingSink()
    do throws(TransportError) {
      _ = try await transport.perform(request, into: sink)
      return (nil, sink.count)
    } catch {
      return (error, sink.count)
    }
  }
}

/// A sink that, like a file, accepts a body only after its head.
private final class CountingSink: BodySink {
  private let state = Mutex((hasHead: false, count: 0))

  var count: Int { state.withLock { $0.count } }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    state.withLock { $0.hasHead = true }
    return .accept
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    let count = bytes.byteCount
    let isReady = state.withLock { state in
      state.count += count
      return state.hasHead
    }
    guard isReady else { throw SinkError("a body without a head") }
  }
}
