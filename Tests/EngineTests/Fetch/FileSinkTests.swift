import Hashing
import Models
import ProgressTree
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

@Suite struct FileSinkTests {
  private let folder: TemporaryFolder
  private let told = Attempt.Told()
  private let hashers = HasherPool()

  init() throws { folder = try TemporaryFolder() }

  private func sink(
    syncInterval: Int64?, counter: TransferCounter = TransferCounter(), imageSide: Int = .max,
    aspects: FileSink.Aspects? = nil, ratio: Int = .max
  ) -> FileSink {
    FileSink(
      FileSink.Options(
        path: folder.path + "/x.part", folder: ConfinedFolder(folder.path),
        limit: .max, ratio: ratio, ratioAllowance: 100_000, bootID: "b", syncInterval: syncInterval,
        imageSide: imageSide),
      known: ResumeDecision.PriorBytes(), prefix: nil, hashers: hashers, counter: counter,
      run: DownloadRun(request: Attempt.request, number: 1), owner: told, aspects: aspects)
  }

  private func head(_ fields: HTTPFields) throws -> ResponseHead {
    ResponseHead(status: 200, url: try HTTPURL("http://h/x"), fields: fields)
  }

  @Test("A long body is synced periodically, and the synced length is recorded")
  func syncs() throws {
    let sink = sink(syncInterval: 1 << 20)
    _ = try sink.begin(try head(HTTPFields(["ETag": "\"a\""])))
    let block = [UInt8](repeating: 7, count: 300 << 10)
    for _ in 0..<10 { try sink.receive(block.span.bytes) }
    let synced = told.remembered.value.map(\.syncedBytes)
    #expect(synced == [0, 4 * 300 << 10, 8 * 300 << 10])
    #expect(sink.partial?.syncedBytes == synced.last)
  }

  @Test("Without durability nothing is synced")
  func relaxed() throws {
    let sink = sink(syncInterval: nil)
    _ = try sink.begin(try head(HTTPFields(["ETag": "\"a\""])))
    let block = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<3 { try sink.receive(block.span.bytes) }
    #expect(told.remembered.value.map(\.syncedBytes) == [0])
  }

  @Test("The dimensions of an image are read from its first bytes, until another body begins")
  func dimensions() throws {
    let counter = TransferCounter()
    let sink = sink(syncInterval: nil, counter: counter)
    _ = try sink.begin(try head(HTTPFields()))
    let image = TestPicture.png(width: 30, height: 20, red: 1, green: 2, blue: 3)
    try sink.receive(Array(image.prefix(20)).span.bytes)
    #expect(counter.dimensions == nil)
    try sink.receive(Array(image.dropFirst(20)).span.bytes)
    #expect(counter.dimensions == ImageDimensions(width: 30, height: 20))
    counter.expect(nil)
    #expect(counter.dimensions == nil)
  }

  @Test("Dimensions beyond the limit of the settings are not shown")
  func largeDimensions() throws {
    let counter = TransferCounter()
    let sink = sink(syncInterval: nil, counter: counter, imageSide: 29)
    _ = try sink.begin(try head(HTTPFields()))
    let image = TestPicture.png(width: 30, height: 20, red: 1, green: 2, blue: 3)
    try sink.receive(image.span.bytes)
    #expect(counter.dimensions == nil)
  }

  @Test(
    "A source ends at the limit of its kind, whether its length is stated or not",
    arguments: [nil, 5_000] as [Int?])
  func limitOfKind(total: Int?) throws {
    let limit = FileSink.Aspects.SizeLimit(byteCount: 4_000, reason: "the page is too large")
    let sink = sink(
      syncInterval: nil,
      aspects: FileSink.Aspects(judge: { _, _, _ in .accepted(limit) }, report: { _, _ in }))
    var fields = HTTPFields()
    if let total { fields.append("Content-Length", "\(total)") }
    _ = try sink.begin(try head(fields))
    let block = [UInt8](repeating: 0x20, count: ResourceFormat.sniffLength + 76)
    var received = 0
    #expect(throws: SinkError.self) {
      for _ in 0..<100 {
        try sink.receive(block.span.bytes)
        received += 1
      }
    }
    #expect(received == (total == nil ? 3 : 0))
    #expect(sink.decision == .fail(.tooLarge(limit: 4_000, reason: "the page is too large")))
  }

  @Test("A coded body that grows beyond the ratio is given up")
  func ratio() throws {
    let zeros = GzipMember.of([UInt8](repeating: 0, count: 1_000_000))
    for (ratio, isRefused) in [(20, true), (5_000, false)] {
      let sink = sink(syncInterval: nil, ratio: ratio)
      _ = try sink.begin(try head(HTTPFields(["Content-Encoding": "gzip"])))
      do throws(SinkError) {
        for start in stride(from: 0, to: zeros.count, by: 100) {
          #expect(!sink.provesEnd)
          try sink.receive(Array(zeros[start..<min(start + 100, zeros.count)]).span.bytes)
        }
        #expect(!isRefused && sink.provesEnd)
      } catch {
        #expect(isRefused && error.description.contains("20 times its size"))
        #expect(sink.count < 500_000)
      }
    }
    #expect(!sink(syncInterval: nil).provesEnd)
  }

  @Test("A body without a length proves its end with the last byte of a picture, and not before")
  func markedEnd() throws {
    let image = TestPicture.png(width: 30, height: 20, red: 1, green: 2, blue: 3)
    for (fields, isProof) in [
      (HTTPFields(), true), (HTTPFields(["Content-Length": "9999"]), false),
    ] {
      let sink = sink(syncInterval: nil)
      _ = try sink.begin(try head(fields))
      for byte in image {
        #expect(!sink.provesEnd)
        try sink.receive([byte].span.bytes)
      }
      #expect(sink.provesEnd == isProof)
    }
    let sink = sink(syncInterval: nil)
    _ = try sink.begin(try head(HTTPFields()))
    try sink.receive(Array("a list without a mark".utf8).span.bytes)
    #expect(!sink.provesEnd)
  }

  @Test("Bytes before the head are refused")
  func noHead() {
    let bytes: [UInt8] = [1]
    #expect(throws: SinkError.self) { try sink(syncInterval: nil).receive(bytes.span.bytes) }
  }

  @Test("Refused responses do not change a file", arguments: [404, 503, 206, 204])
  func refused(status: Int) throws {
    let sink = sink(syncInterval: nil)
    let head = ResponseHead(
      status: status, url: try HTTPURL("http://h/x"), fields: HTTPFields())
    #expect(try sink.begin(head) == .refuse)
    #expect(!sink.hasBegun && sink.partial == nil)
    #expect(!FileSystem.exists(folder.path + "/x.part"))
  }

  @Test("The beginning is sniffed, for portions of any size")
  func sniffsPieces() async throws {
    let sink = sink(syncInterval: nil)
    _ = try sink.begin(try head(HTTPFields()))
    let picture = TestPicture.png(width: 40, height: 40)
    for byte in picture { try sink.receive([byte].span.bytes) }
    let response = TransportResponse(
      head: try head(HTTPFields()),
      body: .complete(byteCount: Int64(picture.count), isLengthKnown: false),
      timings: TransferTimings())
    let file = try await sink.finish(response)
    #expect(file.format == .png)
    #expect(file.digest == SHA256Hasher.hash(of: picture))
    #expect(sink.sniffed.count == ResourceFormat.sniffLength)
  }

  @Test(
    "The digest is that of all bytes, hashed inline or in the background",
    arguments: [
      0, 1, BodyHasher.maximumInlineBytes - 1, BodyHasher.maximumInlineBytes,
      BodyHasher.maximumInlineBytes + 1, 30_000_001,
    ])
  func digests(count: Int64) async throws {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = random.bytes(Int(count))
    let sink = sink(syncInterval: nil)
    _ = try sink.begin(try head(HTTPFields()))
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...2_000_000, using: &random))
      try sink.receive(bytes.span.bytes.extracting(start..<end))
      start = end
    }
    let response = TransportResponse(
      head: try head(HTTPFields()), body: .complete(byteCount: count, isLengthKnown: true),
      timings: TransferTimings())
    let file = try await sink.finish(response)
    #expect(file.digest == SHA256Hasher.hash(of: bytes))
    #expect(file.byteCount == count)
    let next = hashers.acquire()
    #expect(next.finalize() == SHA256Hasher.hash(of: []), "a hasher that comes back is as new")
  }
}

extension FileSink {
  fileprivate func finish(_ response: TransportResponse) async throws -> StoredFile {
    try await withCheckedContinuation { continuation in
      completeFile(response, answer: nil) { continuation.resume(returning: $0) }
    }.get()
  }
}
