import Models
import TestSupport
import Testing
import Transport

@testable import Engine

/// Servers whose partial responses are complete messages with fewer bytes than their range.
@Suite("Ranges that end early", .timeLimit(.minutes(4))) struct ShortRangeTests {
  private let content = Attempt.content

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
