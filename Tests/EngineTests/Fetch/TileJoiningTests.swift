import Hashing
import Models
import ProgressTree
import Rendering
import Synchronization
import SystemCalls
import Testing
import TestSupport
import Threading
import Transport
@testable import Engine

/// A renderer that answers each row with strips of one colour, and records the rows.
final class TileRenderer: Renderer {
  let rows = Mutex<[(row: TileRow, bytes: [UInt8])]>([])
  let error: RenderError?
  /// The number of strips that are left out of each answer.
  let missing: Int

  init(error: RenderError? = nil, missing: Int = 0) {
    self.error = error
    self.missing = missing
  }

  @concurrent
  func probe(
    _ path: String, limits: RenderLimits?, password: DocumentPassword?
  ) async throws(RenderError) -> DocumentInfo { throw RenderError(.unsupported, "") }

  @concurrent
  func render(
    _ job: RenderJob, receive: @escaping @Sendable (RenderResult) -> Void
  ) async throws(RenderError) -> RenderResult { throw RenderError(.unsupported, "") }

  @concurrent
  func joinTiles(
    of row: TileRow, in file: OwnedDescriptor
  ) async throws(RenderError) -> RenderResult {
    let bytes = (try? file.bytes(count: 1 << 20, at: 0)) ?? []
    let index = rows.withLock { rows in
      rows.append((row, bytes))
      return rows.count
    }
    if let error { throw error }
    let squares = Array(repeating: [UInt8(index), 128, 128], count: row.width / 8)
    let strips = row.stripHeights.dropLast(missing).map { height in
      Rendition(
        format: .jpeg, width: row.width, height: height, bytes: TestJPEG.squares(squares))
    }
    return RenderResult(info: DocumentInfo(format: .jpeg, width: 8, height: 8), renditions: strips)
  }

  func shutdown() async {}
}

@Suite("Images of tiles", .timeLimit(.minutes(60))) struct TileJoiningTests {
  static let base = ImageServiceTests.base
  /// Two rows of two tiles; the edge tiles are 8 pixels wide and high.
  static let info = #"""
    {"type": "ImageService3", "profile": "level0", "width": 24, "height": 16,
     "tiles": [{"width": 16, "height": 8, "scaleFactors": [1]}]}
    """#
  static let tiles = [
    "0,0,16,8/16,8", "16,0,8,8/8,8", "0,8,16,8/16,8", "16,8,8,8/8,8",
  ].map { "\(base)/\($0)/0/default.jpg" }

  private func attempt(_ renderer: TileRenderer) throws -> Attempt {
    var attempt = try Attempt()
    attempt.url = Self.base + "#iiif"
    attempt.renderer = renderer
    attempt.transport.serve(Self.base + "/info.json", FakeAnswer(body: Array(Self.info.utf8)))
    for (index, url) in Self.tiles.enumerated() {
      attempt.transport.serve(url, FakeAnswer(body: Array("tile \(index)".utf8)))
    }
    return attempt
  }

  @Test("The tiles of each row are passed to the renderer, and the strips become the file")
  func joined() async throws {
    let renderer = TileRenderer()
    let attempt = try attempt(renderer)
    guard case .complete(let file) = await attempt.run() else {
      Issue.record("the image was not joined")
      return
    }
    let rows = renderer.rows.withLock { $0 }
    #expect(rows.map(\.row.byteCounts) == [[6, 6], [6, 6]])
    #expect(
      rows.map { String(decoding: $0.bytes, as: UTF8.self) } == ["tile 0tile 1", "tile 2tile 3"])
    #expect(rows.map(\.row.stripHeight) == [8, 8])
    let bytes = try #require(attempt.bytes)
    #expect(EncodedSize(bytes, format: .jpeg) == EncodedSize(width: 24, height: 16))
    #expect(file.format == .jpeg && file.mediaType == "image/jpeg")
    #expect(file.byteCount == Int64(bytes.count) && file.digest == SHA256Hasher.hash(of: bytes))
    #expect(attempt.counter.received == 24)
    #expect(
      attempt.transport.requests.map(\.url)
        == [Self.base + "/info.json", Self.base + "/full/max/0/default.jpg"] + Self.tiles)
    // Only one request is under way at a time.
    #expect(attempt.transport.activity.value.peak == 1)
  }

  @Test("A failed tile is requested again, but not after 429, and not for ever")
  func repeats() async throws {
    let attempt = try attempt(TileRenderer())
    attempt.transport.serve(
      Self.tiles[0], .file(Array("a longer tile".utf8)).cut(after: 9), FakeAnswer(status: 500),
      FakeAnswer(body: Array("tile 0".utf8)))
    guard case .complete = await attempt.run() else {
      Issue.record("not joined")
      return
    }
    #expect(attempt.transport.requests(for: Self.tiles[0]).count == 3)
    attempt.transport.serve(Self.tiles[1], FakeAnswer(status: 500))
    #expect(try await attempt.runFailing() == (.status(500, retryAfter: nil), nil))
    #expect(attempt.transport.requests(for: Self.tiles[1]).count == 4)
    attempt.transport.serve(Self.tiles[1], FakeAnswer(status: 429))
    #expect(try await attempt.runFailing() == (.status(429, retryAfter: nil), nil))
    #expect(attempt.transport.requests(for: Self.tiles[1]).count == 5)
    #expect(attempt.bytes == nil)
  }

  /// The download context that several attempts share, as those of one engine do.
  private func shared(_ attempt: Attempt) -> Download.Context {
    Download.Context(
      layout: attempt.layout, settings: attempt.settings, transport: attempt.transport,
      files: BlockingQueue("test"), renderer: attempt.renderer, bootID: attempt.bootID)
  }

  @Test("The next attempt continues with the row after the last complete one")
  func resumes() async throws {
    let renderer = TileRenderer()
    var attempt = try attempt(renderer)
    attempt.context = shared(attempt)
    attempt.transport.serve(
      Self.tiles[3], FakeAnswer(status: 503).with("Retry-After", "7"),
      FakeAnswer(body: Array("tile 3".utf8)))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure == .status(503, retryAfter: "7"))
    #expect(partial?.validator == Validator() && attempt.bytes?.isEmpty == false)
    // Bytes behind the complete rows do not count.
    let kept = try #require(attempt.bytes)
    try FileSystem.replace(attempt.path, with: (kept + [1, 2, 3]).span.bytes)
    attempt.partial = partial
    guard case .complete(let file) = await attempt.run() else {
      Issue.record("not joined")
      return
    }
    #expect(
      attempt.transport.requests.map(\.url).suffix(3)
        == [Self.base + "/info.json", Self.tiles[2], Self.tiles[3]])
    #expect(attempt.transport.requests(for: Self.tiles[0]).count == 1)
    #expect(renderer.rows.withLock { $0.count } == 2)
    let whole = try self.attempt(TileRenderer())
    guard case .complete(let expected) = await whole.run() else {
      Issue.record("not joined")
      return
    }
    #expect(file.digest == expected.digest && attempt.bytes == whole.bytes)
  }

  @Test(
    "An image begins again if its description or its partial file has changed",
    arguments: ["size", "tag", "file", "process"])
  func startsOver(change: String) async throws {
    var attempt = try attempt(TileRenderer())
    attempt.context = shared(attempt)
    attempt.transport.serve(
      Self.tiles[3], FakeAnswer(status: 503), FakeAnswer(body: Array("tile 3".utf8)))
    attempt.partial = try await attempt.runFailing().1
    let info = Self.base + "/info.json"
    switch change {
    case "size":
      let larger = Self.info.replacing(#""level0""#, with: #""level0", "sizes": []"#)
        .replacing(#""scaleFactors": [1]"#, with: #""scaleFactors": [1, 2]"#)
      attempt.transport.serve(info, FakeAnswer(body: Array(larger.utf8)))
    case "tag":
      attempt.transport.serve(
        info, FakeAnswer(body: Array(Self.info.utf8)).with("ETag", "\"2\""))
    case "file":
      try FileSystem.replace(attempt.path, with: [UInt8](repeating: 1, count: 3).span.bytes)
    default: attempt.context = nil
    }
    guard case .complete(let file) = await attempt.run() else {
      Issue.record("not joined")
      return
    }
    #expect(attempt.transport.requests(for: Self.tiles[0]).count == 2)
    #expect(file.digest == SHA256Hasher.hash(of: try #require(attempt.bytes)))
  }

  @Test("Rows that are received again after the description has changed are no gain")
  func changingDescription() async throws {
    var attempt = try attempt(TileRenderer())
    attempt.context = shared(attempt)
    attempt.transport.serve(Self.tiles[3], FakeAnswer(status: 503))
    for tag in ["v1", "v2", "v3", "v3"] {
      attempt.transport.serve(
        Self.base + "/info.json",
        FakeAnswer(body: Array(Self.info.utf8)).with("ETag", "\"\(tag)\""))
      attempt.partial = try await attempt.runFailing().1
      attempt.longestPartial = attempt.told.gains.value.last?.longest ?? 0
    }
    // A row has two tiles of six bytes.
    #expect(attempt.told.gains.value.map(\.gained) == [12, 0, 0, 0])
  }

  @Test("Only the rows of the attempt itself are a gain")
  func continuedRows() async throws {
    var attempt = try attempt(TileRenderer())
    attempt.context = shared(attempt)
    attempt.transport.serve(Self.tiles[1], FakeAnswer(status: 503), FakeAnswer(body: [1, 2, 3]))
    attempt.transport.serve(Self.tiles[3], FakeAnswer(status: 503))
    for _ in 1...3 {
      attempt.partial = try await attempt.runFailing().1
      // The user has retried the resource, so that the job knows of no earlier attempt.
      attempt.longestPartial = 0
    }
    #expect(attempt.told.gains.value.map(\.gained) == [0, 9, 0])
  }

  @Test("A description that fails does not lose the rows")
  func keepsRows() async throws {
    var attempt = try attempt(TileRenderer())
    attempt.context = shared(attempt)
    attempt.transport.serve(
      Self.tiles[3], FakeAnswer(status: 503), FakeAnswer(body: Array("tile 3".utf8)))
    attempt.transport.serve(
      Self.base + "/info.json", FakeAnswer(body: Array(Self.info.utf8)), FakeAnswer(status: 500),
      FakeAnswer(body: Array(Self.info.utf8)))
    attempt.partial = try await attempt.runFailing().1
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure == .status(500, retryAfter: nil) && partial != nil)
    guard case .complete = await attempt.run() else {
      Issue.record("not joined")
      return
    }
    #expect(attempt.transport.requests(for: Self.tiles[0]).count == 1)
  }

  @Test("A refused first tile leads to the next choice, a later one fails the image")
  func refusal() async throws {
    let attempt = try attempt(TileRenderer())
    attempt.transport.serve(Self.tiles[3], FakeAnswer(status: 404))
    let reason = "the tile in column 2 of row 2 is missing: HTTP 404 Not Found"
    #expect(try await attempt.runFailing() == (.content(reason), nil))
    attempt.transport.serve(Self.tiles[0], FakeAnswer(status: 404))
    let (failure, _) = try await attempt.runFailing()
    #expect(failure == .content("the image service refused all 2 sizes, the last with HTTP 404"))
  }

  @Test("Failures of the renderer and wrong strips fail the image with their reasons")
  func badStrips() async throws {
    for (renderer, isRetryable, reason) in [
      (TileRenderer(error: RenderError(.damaged, "wrong size")), false, "wrong size"),
      (TileRenderer(error: RenderError(.worker, "died")), true, "row 1 of the tiles"),
      (TileRenderer(missing: 1), false, "strips for only 0 of 16"),
    ] {
      let attempt = try attempt(renderer)
      let (failure, partial) = try await attempt.runFailing()
      #expect(failure.isRetryable == isRetryable)
      #expect(failure.reason.contains(reason), "\(failure.reason)")
      #expect(partial == nil && attempt.bytes == nil)
    }
  }

  @Test("Empty tiles, and more bytes than a resource may have, are refused")
  func limits() async throws {
    var attempt = try attempt(TileRenderer())
    attempt.transport.serve(Self.tiles[1], FakeAnswer())
    #expect(
      try await attempt.runFailing() == (.content("the image service sent an empty tile"), nil))
    attempt.settings.limits.resourceBytes = 10
    attempt.transport.serve(Self.tiles[1], FakeAnswer(body: Array("tile 1".utf8)))
    #expect(try await attempt.runFailing() == (.tooLarge(limit: 10), nil))
  }

  @Test("All requests of an image share one time limit")
  func sharedDeadline() async throws {
    var attempt = try attempt(TileRenderer())
    attempt.settings.network.totalTimeout = 30
    guard case .complete = await attempt.run() else {
      Issue.record("the image was not joined")
      return
    }
    let limits = attempt.transport.requests.map(\.totalTimeout)
    #expect(limits.first == 30 && limits.allSatisfy { (0.001...30).contains($0) })
    #expect(limits == limits.sorted(by: >))
    attempt.settings.network.totalTimeout = 1e-9
    attempt.transport.forgetRequests()
    let (failure, _) = try await attempt.runFailing()
    guard case .transport(code: .totalTimeout, _, isRetryable: true) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(attempt.transport.requests.isEmpty, "No request begins when the time is over.")
  }

  @Test("Without a renderer the reason says what is missing")
  func noRenderer() async throws {
    var attempt = try attempt(TileRenderer())
    attempt.renderer = nil
    let (failure, _) = try await attempt.runFailing()
    #expect(failure.reason.contains("consists of tiles"))
  }

  @Test("A cancelled image leaves nothing behind")
  func cancelled() async throws {
    let attempt = try attempt(TileRenderer())
    let gate = Gate()
    attempt.transport.serve(Self.tiles[1], FakeAnswer(body: [1]).held(by: gate))
    let task = Task { await attempt.run() }
    try await gate.untilWaiting(1)
    task.cancel()
    guard case .failed(.cancelled, nil) = await task.value else {
      Issue.record("the image was not cancelled")
      return
    }
    #expect(attempt.bytes == nil)
  }

  @Test("Tiles are joined if the whole image is reduced, and the whole image is kept if they fail")
  func reducedWhole() async throws {
    let attempt = try attempt(TileRenderer())
    let whole = TestPicture.png(width: 3, height: 2, red: 1, green: 2, blue: 3)
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", .file(whole))
    let joined = try await attempt.runComplete()
    #expect(joined.format == .jpeg && joined.remark == nil)
    attempt.transport.serve(Self.tiles[0], FakeAnswer(status: 500))
    let kept = try await attempt.runComplete()
    #expect(kept.format == .png && kept.remark?.contains("3 × 2 of 24 × 16") == true)
    #expect(attempt.bytes == whole)
  }
}
