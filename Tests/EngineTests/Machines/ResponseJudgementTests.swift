import Hashing
import Models
import Persistence
import Testing
import Transport

@testable import Engine

@Suite struct ResponseJudgementTests {
  private typealias Received = ResponseJudgement.Received

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let decision: ResumeDecision?
    var byteCount: Int64 = 300
    var priorByteCount: Int64 = 0
    var totalBytes: Int64? = 300
    var decodingProblem: String?
    var hasWholeBody = true
    var endangered: WholeBodyCheck.Endangered?
    var replaceable: WholeBodyCheck.Endangered?
    let expected: ResponseJudgement

    var testDescription: String { name }
  }

  private static let endangered = WholeBodyCheck.Endangered(byteCount: 100, totalBytes: 300)
  private static let truncated = ResponseJudgement.Failure(
    cause: .transport(
      code: .truncated, detail: "200 of 300 bytes were received", isRetryable: true))

  @Test(
    "The decision about the head and the received bytes tell what a completed exchange means",
    arguments: [
      Case(name: "all bytes", decision: .restart, expected: .complete),
      Case(
        name: "all bytes of unknown length", decision: .restart, totalBytes: nil,
        expected: .complete),
      Case(name: "the rest", decision: .append(total: 300), expected: .complete),
      Case(name: "nothing was missing", decision: .complete, expected: .complete),
      Case(name: "too few bytes", decision: .restart, byteCount: 200, expected: .failed(truncated)),
      Case(
        name: "too little of the rest", decision: .append(total: 300), byteCount: 200,
        expected: .short(truncated)),
      Case(
        name: "much of the rest", decision: .append(total: 30_000), byteCount: 20_000,
        priorByteCount: 10_000, totalBytes: 30_000,
        expected: .failed(
          .init(
            cause: .transport(
              code: .truncated, detail: "20000 of 30000 bytes were received", isRetryable: true)))),
      Case(
        name: "the part of the rest that was stated", decision: .append(total: 30_000, end: 20_000),
        byteCount: 20_000, priorByteCount: 10_000, totalBytes: 30_000, expected: .part),
      Case(
        name: "a stated part of next to nothing", decision: .append(total: 300, end: 200),
        byteCount: 200, priorByteCount: 100, expected: .short(truncated)),
      Case(
        name: "less than the stated part", decision: .append(total: 300, end: 250), byteCount: 200,
        priorByteCount: 100, expected: .short(truncated)),
      Case(
        name: "an incomplete coding", decision: .restart, totalBytes: nil,
        decodingProblem: "gzip: truncated",
        expected: .failed(.init(cause: .content("gzip: truncated"), keepsPartialFile: false))),
      Case(name: "another version", decision: .startOver, expected: .startOver),
      Case(
        name: "a file in place of another URL's bytes", decision: .startOver,
        endangered: endangered, expected: .startOver),
      Case(
        name: "a refused range of another URL's bytes", decision: .startOver,
        hasWholeBody: false, endangered: endangered, expected: .requestWhole(endangered)),
      Case(
        name: "a refused range", decision: .requestWhole, hasWholeBody: false,
        replaceable: endangered, expected: .requestWhole(endangered)),
      Case(
        name: "too large", decision: .fail(.tooLarge(limit: 10)),
        expected: .failed(.init(cause: .tooLarge(limit: 10), keepsPartialFile: false))),
      Case(
        name: "a status", decision: .fail(.status(503, retryAfter: "1")),
        expected: .failed(.init(cause: .status(503, retryAfter: "1")))),
      Case(
        name: "no head", decision: nil,
        expected: .failed(.init(cause: .protocolViolation("there was no response")))),
    ])
  func completed(_ test: Case) {
    let received = Received(
      decision: test.decision, byteCount: test.byteCount,
      priorByteCount: test.priorByteCount, totalBytes: test.totalBytes,
      decodingProblem: test.decodingProblem, hasWholeBody: test.hasWholeBody, hasBegun: true,
      endangered: test.endangered, replaceable: test.replaceable)
    #expect(ResponseJudgement(received, confirming: nil) == test.expected)
  }

  @Test("A 304 confirms the library's file, and is a failure without one")
  func confirmation() {
    let file = ExistingFile(
      resource: ResourceID(1), record: RecordID(2), folder: "r",
      file: StoredFile(
        name: "a.png", byteCount: 3, digest: SHA256Hasher.hash(of: [1, 2, 3]), format: .png))
    let received = Received(decision: .unchanged)
    #expect(ResponseJudgement(received, confirming: file) == .unchanged(file))
    #expect(
      ResponseJudgement(received, confirming: nil)
        == .failed(.init(cause: .status(304, retryAfter: nil), keepsPartialFile: false)))
  }

  @Test("The reason of the sink precedes the error of the transport, and discards what was written")
  func failed() throws {
    let error = TransportError(
      .connectionLost, url: try HTTPURL("http://h/a"), detail: "connection reset")
    let lost = DownloadFailure(error)
    let table: [(ResumeDecision?, Bool, ResponseJudgement.Failure)] = [
      (nil, false, .init(cause: lost)),
      (.restart, true, .init(cause: lost)),
      (.append(total: 9), true, .init(cause: lost)),
      (
        .fail(.content("a web page")), true,
        .init(cause: .content("a web page"), keepsPartialFile: false)
      ),
      (.fail(.status(404, retryAfter: nil)), false, .init(cause: .status(404, retryAfter: nil))),
    ]
    for (decision, hasBegun, expected) in table {
      let received = Received(decision: decision, hasBegun: hasBegun)
      #expect(
        ResponseJudgement.Failure(received, error) == expected, "\(String(describing: decision))")
    }
  }
}
