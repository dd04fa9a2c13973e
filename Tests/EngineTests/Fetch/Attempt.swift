import Hashing
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Rendering
import Synchronization
import SystemCalls
import Testing
import TestSupport
import Threading
import Transport
@testable import Engine

/// One download in a folder of its own, with what an earlier attempt left.
struct Attempt: Sendable {
  let folder: TemporaryFolder
  let transport = FakeTransport()
  let layout: LibraryLayout
  let counter = TransferCounter()
  let told = Told()
  var settings = Settings()
  var bootID = "boot-1"
  var partial: PartialDownload?
  /// The largest number of resumable bytes of the earlier attempts.
  var longestPartial: Int64 = 0
  var expectedChecksum: Checksum?
  var url = "http://h/a.png"

  /// The URLs of the content, if the attempt requests another one than `url`.
  var mirrors: MirrorSelection?

  /// What a library holds of an earlier answer.
  var existing: Job.ExistingAnswer?
  /// More than one may wait for the answer; each has its promise.
  var others: [Checksum?] = []
  var origin = RequestOrigin.privateList
  var renderer: (any Renderer)?
  /// The context that several attempts share; nil for one of the attempt's own.
  var context: Download.Context?

  static let id = ResourceID(7)
  static let request = RequestKey(high: 1, low: 2)
  /// 1 MiB that does not repeat, beginning like a PNG.
  static let content: [UInt8] = {
    var random = SeededGenerator(seed: 7)
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + random.bytes(1 << 20)
  }()

  /// What the download told its engine.
  final class Told: DownloadOwner {
    let remembered = Watched<[PartialDownload]>([])
    let forgotten = Watched(0)
    let canForget = Watched(true)
    /// The number of further connections that are granted at most, and those in use.
    let allowedConnections = Watched(0)
    let usedConnections = Watched(0)
    let endedConnections = Watched<[DownloadFailure?]>([])
    /// The number of further connections that the download has requested last.
    let wantedConnections = Watched(0)
    let refusedConnections = Watched(0)
    /// The host of the connections that the download has requested.
    let wantedHost = Watched("")
    let download = Mutex<Download?>(nil)
    /// The gains of the attempts that have ended.
    let gains = Watched<[Gain]>([])

    struct Gain: Equatable {
      let gained: Int64
      let longest: Int64

      init(_ download: Download) {
        (gained, longest) = (download.gainedBytes, download.longestPartial)
      }
    }

    /// Who waits for the end.
    let ending = Mutex<CheckedContinuation<Download.Outcome, Never>?>(nil)

    func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun) {
      remembered.update { $0.append(partial) }
    }

    func forgetRow(of request: RequestKey) async -> Bool {
      forgotten.update { $0 += 1 }
      return canForget.value
    }

    func replaceRow(of request: RequestKey, by partial: PartialDownload) async -> Bool {
      remembered.update { $0.append(partial) }
      return canForget.value
    }

    func segmentsWanted(_ count: Int, of run: DownloadRun) {
      wantedConnections.update { $0 = count }
      let limit = allowedConnections.value
      let new = usedConnections.update { used in
        let new = max(0, min(count, limit) - used)
        used += new
        return new
      }
      let download = download.withLock { $0 }
      if count > 0, let host = download?.lastHost.text { wantedHost.update { $0 = host } }
      for _ in 0..<new { download?.addConnection() }
    }

    func segmentEnded(_ failure: DownloadFailure?, of run: DownloadRun) {
      usedConnections.update { $0 -= 1 }
      endedConnections.update { $0.append(failure) }
    }

    func segmentRefused(of run: DownloadRun) {
      wantedConnections.update { $0 = 0 }
      usedConnections.update { $0 -= 1 }
      refusedConnections.update { $0 += 1 }
    }

    func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome) {
      ending.withLock { $0.take() }?.resume(returning: outcome)
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    layout = LibraryLayout(root: folder.path)
    try FileSystem.makeFolders(layout.incoming)
  }

  var path: String { layout.partial(of: Self.request) }

  var bytes: [UInt8]? { try? FileSystem.contents(of: path, limit: 1 << 24) }

  /// Leaves the beginning of the content behind, as an attempt that broke off.
  mutating func leave(
    _ count: Int, tag: String? = "\"v1\"", date: String? = nil, boot: String = "boot-1",
    synced: Int64 = 0
  ) throws {
    try FileSystem.replace(path, with: Array(Self.content.prefix(count)).span.bytes)
    partial = PartialDownload(
      validator: Validator(entityTag: tag.flatMap { EntityTag($0) }, lastModified: date),
      totalBytes: Int64(Self.content.count), bootID: boot, syncedBytes: synced)
  }

  /// Puts back the partial file that an earlier attempt has left.
  func restore(_ bytes: [UInt8]) throws { try FileSystem.replace(path, with: bytes.span.bytes) }

  /// - Parameter other: replaces the attempt's own transport.
  func run(through other: FakeTransport? = nil) async -> Download.Outcome {
    let subscribers = ([expectedChecksum] + others).enumerated().map { offset, checksum in
      Job.Subscriber(
        resource: Resource(
          id: ResourceID(Self.id.rawValue + Int64(offset)), record: RecordID(1), index: 3,
          url: url, expectedChecksum: checksum))
    }
    var job = Job(
      request: Self.request, host: "http://h", location: ResourceLocation(url),
      subscribers: subscribers, partial: partial, existing: existing)
    if let mirrors { job.follow(mirrors) }
    job.longestPartial = longestPartial
    let told = told
    let context =
      context
      ?? Download.Context(
        layout: layout, settings: settings, transport: other ?? transport,
        files: BlockingQueue("test"), renderer: renderer, bootID: bootID)
    let download = Download(
      job: job, number: 1, origin: origin, asOf: ResourceID(99),
      downloadContext: context, counter: counter, owner: told,
      terms: RequestTerms(context.defaults, scope: .everyEntry))
    told.usedConnections.update { $0 = 0 }
    told.download.withLock { $0 = download }
    defer {
      told.download.withLock { $0 = nil }
      told.gains.update { $0.append(Told.Gain(download)) }
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        told.ending.withLock { $0 = continuation }
        download.start()
      }
    } onCancel: {
      download.cancel()
    }
  }

  /// Runs and expects the whole content.
  func runWhole(sourceLocation: SourceLocation = #_sourceLocation) async throws -> StoredFile {
    let outcome = await run()
    guard case .complete(let file) = outcome else {
      Issue.record("\(outcome)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    #expect(
      file.digest == SHA256Hasher.hash(of: Self.content), sourceLocation: sourceLocation)
    #expect(file.byteCount == Int64(Self.content.count), sourceLocation: sourceLocation)
    #expect(bytes == Self.content, sourceLocation: sourceLocation)
    return file
  }

  func runFailing(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (DownloadFailure, PartialDownload?) {
    let outcome = await run()
    guard case .failed(let failure, let partial) = outcome else {
      Issue.record("\(outcome)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    return (failure, partial)
  }
}
