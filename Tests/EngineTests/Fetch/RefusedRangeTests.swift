import Models
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// Servers that refuse a request because of its range or its condition.
@Suite(.timeLimit(.minutes(60))) struct RefusedRangeTests {
  private let content = Attempt.content

  @Test("A refused range is repeated as a request for the whole file", arguments: [400, 403, 501])
  func refusedRange(status: Int) async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    attempt.transport.serve(attempt.url, FakeAnswer(status: status), .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == ["bytes=1000-", nil, nil])
    #expect(attempt.told.forgotten.value == 1)
  }

  @Test("The bytes of a file that the server refuses as a whole, too, are kept")
  func refusedFile() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    attempt.transport.serve(attempt.url, FakeAnswer(status: 403))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure == .status(403, retryAfter: nil))
    #expect(attempt.transport.requests.map(\.range) == ["bytes=1000-", nil])
    #expect(partial?.validator.entityTag == EntityTag("\"v1\""))
    #expect(attempt.told.forgotten.value == 0)
    #expect(FileSystem.exists(attempt.path))
  }
}
