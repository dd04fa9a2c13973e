import Models
import TestSupport
import Testing
import Transport

@testable import Engine

/// Downloads of a large file whose version on the server changes again and again.
@Suite("A large file that changes", .timeLimit(.minutes(60))) struct ChangingFileTests {
  private static let url = "http://h/large.bin"

  fileprivate static let bytes: [UInt8] = {
    var random = SeededGenerator(seed: 13)
    return [0, 1, 2, 3] + random.bytes(1_200_000)
  }()

  /// A server with a new version for each request that is not one for a segment. It serves the segments of the
  /// first half of the file, and refuses the others with 503.
  private final class Server: Sendable {
    /// The gates of a response to a request without a range: before the segments can begin, and behind their
    /// beginning.
    struct Stream {
      let start = Gate()
      let rest = Gate()
    }

    let streams = Watched<[Stream]>([])
    private let version = Watched(0)
    /// Whether responses are not held any more, and no segment is refused.
    private let isFree = Watched(false)

    func free() {
      isFree.update { $0 = true }
      for stream in streams.value {
        stream.start.open()
        stream.rest.open()
      }
    }

    func answer(_ request: FakeTransport.Request) -> FakeAnswer {
      let bounds = request.range?.dropFirst("bytes=".count).split(separator: "-") ?? []
      if bounds.count == 2 {
        let isServed = isFree.value || (Int(bounds[0]) ?? 0) < ChangingFileTests.bytes.count / 2
        return isServed
          ? file(version.value) : FakeAnswer(status: 503).with("Retry-After", "60")
      }
      let number = version.update { version in
        version += 1
        return version
      }
      if request.range != nil || isFree.value { return file(number) }
      let stream = Stream()
      streams.update { $0.append(stream) }
      // The segments begin with the first bytes behind 32 KiB.
      return file(number).held(by: stream.start, after: 32_000).held(by: stream.rest, after: 60_000)
    }

    private func file(_ version: Int) -> FakeAnswer {
      FakeAnswer.ranged(ChangingFileTests.bytes, tag: "\"v\(version)\"")
    }
  }

  @Test("If it has changed after each backoff, the retries are used up, and the reason is told")
  func changesInBackoffs() async throws {
    let clock = ManualClock()
    let lab = try Lab(clock: clock)
    lab.settings.network.segments = 3
    lab.settings.network.segmentBytes = 64 << 10
    lab.settings.network.segmentSeconds = 0
    lab.settings.network.maxPerHost = 64
    lab.settings.network.retries = 1
    let server = Server()
    defer { server.free() }
    lab.web.serve(Self.url) { server.answer($0) }
    lab.serveList([Self.url])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    // The first attempt discards nothing, so that its end in the backoff is no failure. The two others are.
    for number in 1...3 {
      try await engine.turn(clock) { _ in server.streams.value.count >= number }
      let stream = try #require(server.streams.value.last)
      try await stream.start.untilWaiting()
      try await engine.turn(clock) { $0.transfers.scheduler.usedSlots >= 3 }
      stream.start.open()
      // The connections of the segments are returned: one range was served, and another one refused.
      try await engine.until { $0.transfers.scheduler.usedSlots == 1 }
      stream.rest.open()
      try await engine.until { $0.transfers.scheduler.usedSlots == 0 }
    }
    server.free()
    clock.run()
    try await engine.waitUntilIdle()
    await engine.stop()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .failed)
    #expect(resource.reason == "the file on the server changed before all of it was received")
    #expect(lab.web.requests(for: Self.url).count { $0.range == nil } == 3)
    try await lab.checkLibrary()
  }
}

extension Engine {
  /// Turns the hands of the clock until the stages are such.
  fileprivate func turn(
    _ clock: ManualClock, until isMet: @Sendable (Stages) -> Bool
  ) async throws {
    while !isMet(stages) {
      try Task.checkCancellation()
      clock.advance(by: 1)
      await Task.yield()
    }
  }
}
