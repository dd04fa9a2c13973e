import Models
import TestSupport
import Testing
import Transport

@testable import Engine

/// Servers whose partial responses are complete messages with fewer bytes than their range.
@Suite("Ranges that end early", .timeLimit(.minutes(60))) struct ShortRangeTests {
  private let content = Attempt.content

  /// Serves `first`, and of each range the beginning, as `Content-Range` states it.
  private func serve(
    _ attempt: Attempt, _ first: FakeAnswer, partsOf limit: Int, excess: Int = 0
  ) {
    attempt.transport.serve(attempt.url) { [content] request in
      guard let text = request.range?.dropFirst(6) else { return first }
      let bounds = text.split(separator: "-").compactMap { Int($0) }
      let end = min(bounds.count > 1 ? bounds[1] + 1 : content.count, bounds[0] + limit)
      let body = content[bounds[0]..<min(content.count, end + excess)]
      return FakeAnswer(status: 206, body: Array(body)).withoutLength()
        .with("Content-Range", "bytes \(bounds[0])-\(end - 1)/\(content.count)")
        .with("ETag", "\"v1\"")
    }
  }

  /// Serves the whole file, and of each range the bytes that `part` returns.
  private func serve(
    _ attempt: Attempt, _ part: @escaping @Sendable (ArraySlice<UInt8>) -> ArraySlice<UInt8>
  ) {
    attempt.transport.serve(attempt.url) { [content] request in
      guard let text = request.range?.dropFirst(6) else { return .ranged(content) }
      let bounds = text.split(separator: "-").compactMap { Int($0) }
      let range = bounds[0]..<(bounds.count > 1 ? bounds[1] + 1 : content.count)
      return FakeAnswer(status: 206, body: Array(part(content[range]))).withoutLength()
        .with("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)")
        .with("ETag", "\"v1\"")
    }
  }

  /// Attempts until the file is complete.
  private func complete(_ attempt: Attempt, atMost count: Int) async throws -> Int {
    var attempt = attempt
    for number in 1...count {
      switch await attempt.run() {
      case .complete:
        #expect(attempt.bytes == content)
        return number
      case .failed(let failure, let partial):
        guard case .transport(.truncated, _, true) = failure else { throw failure }
        attempt.partial = partial
      case let other: Issue.record("\(other)")
      }
    }
    Issue.record("the file is not complete after \(count) attempts")
    return count
  }

  @Test("If the end of the file is never sent by range, the whole file is requested")
  func endsEarly() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000)
    serve(attempt) { $0.dropLast(100) }
    #expect(try await complete(attempt, atMost: 2) == 2)
    let rest = "bytes=\(content.count - 100)-"
    #expect(attempt.transport.requests.map(\.range) == ["bytes=300000-", rest, rest, nil])
  }

  @Test("If the ends of segments are never sent, the whole file is requested")
  func segmentsEndEarly() async throws {
    var attempt = try Attempt.segmented()
    try attempt.leave(300_000)
    serve(attempt) { $0.dropLast(100) }
    _ = try await complete(attempt, atMost: 4)
    #expect(attempt.transport.requests.count { $0.range == nil } == 1)
    #expect(attempt.transport.requests.last?.range == nil)
  }

  @Test("The bytes of ranges that end at random are kept")
  func progress() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000)
    serve(attempt) { $0.count < 100_000 ? $0 : $0.prefix($0.count / 2) }
    #expect(try await complete(attempt, atMost: 8) == 4)
    #expect(attempt.transport.requests.allSatisfy { $0.range != nil })
  }

  @Test("One range without bytes is requested again, and the file continued")
  func accident() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000)
    let count = Watched(0)
    let isFirst: @Sendable () -> Bool = {
      count.update { count in
        count += 1
        return count == 1
      }
    }
    serve(attempt) { isFirst() ? $0.prefix(1_000) : $0 }
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == ["bytes=300000-", "bytes=301000-"])
  }

  @Test("If the server says that it sends less, the rest is requested at once")
  func stated() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000)
    serve(attempt, .ranged(content), partsOf: 100_000)
    _ = try await attempt.runWhole()
    let expected: [String?] = stride(from: 300_000, to: content.count, by: 100_000).map {
      "bytes=\($0)-"
    }
    #expect(attempt.transport.requests.map(\.range) == expected)
    #expect(attempt.transport.requests.allSatisfy { $0.ifRange == "\"v1\"" })
    #expect(attempt.told.forgotten.value == 0)
  }

  @Test(
    "Segments of a server that says that it sends less complete the file",
    arguments: [20_000, 50_000, 200_000], [0, 3])
  func statedSegments(limit: Int, connections: Int) async throws {
    for isResumed in [true, false] {
      var attempt = try Attempt.segmented()
      attempt.told.allowedConnections.update { $0 = connections }
      if isResumed { try attempt.leave(300_000) }
      serve(attempt, FakeAnswer.ranged(content).cut(after: 200_000), partsOf: limit)
      if !isResumed {
        // With further connections, one attempt completes the file, although the first one is lost.
        if connections == 0 { attempt.partial = try await attempt.runFailing().1 }
      }
      _ = try await attempt.runWhole()
      #expect(attempt.transport.requests.count { $0.range == nil } == (isResumed ? 0 : 1))
      #expect(attempt.told.endedConnections.value.allSatisfy { $0 == nil || !isResumed })
    }
  }

  @Test("A server that says that it sends next to nothing is asked for the whole file")
  func statedNothing() async throws {
    for isSegmented in [true, false] {
      var attempt = try isSegmented ? Attempt.segmented() : Attempt()
      try attempt.leave(300_000)
      serve(attempt, .ranged(content), partsOf: 1_000)
      _ = try await attempt.runWhole()
      #expect(attempt.transport.requests.count < 20)
      #expect(attempt.transport.requests.last?.range == nil)
    }
  }

  @Test("Bytes beyond the stated range are not part of the file")
  func excess() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000)
    serve(attempt, .ranged(content), partsOf: 100_000, excess: 10)
    let (failure, partial) = try await attempt.runFailing()
    guard case .protocolViolation = failure else { throw failure }
    #expect(partial == nil)
  }

  @Test("A response of several parts is never a part of the file", arguments: [true, false])
  func severalParts(isSegmented: Bool) async throws {
    var attempt = try isSegmented ? Attempt.segmented() : Attempt()
    if !isSegmented { try attempt.leave(300_000) }
    let gate = Gate()
    attempt.transport.serve(attempt.url) { [content] request in
      guard let text = request.range?.dropFirst(6) else {
        let whole = FakeAnswer.ranged(content)
        return isSegmented ? whole.held(by: gate, after: 40_000) : whole
      }
      let bounds = text.split(separator: "-").compactMap { Int($0) }
      let range = bounds[0]..<(bounds.count > 1 ? bounds[1] + 1 : content.count)
      let field = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
      // As many bytes as the range has, so that only the type tells.
      let body = Array("--x\r\nContent-Range: \(field)\r\n\r\n".utf8) + content[range]
      return FakeAnswer(status: 206, body: Array(body.prefix(range.count)))
        .with("Content-Range", field).with("ETag", "\"v1\"")
        .with("Content-Type", "multipart/byteranges; boundary=x")
    }
    let running = attempt
    async let file = running.runWhole()
    if isSegmented { try await attempt.open(gate, after: 1) }
    _ = try await file
    #expect(attempt.transport.requests.count { $0.range == nil } == 1)
  }
}
