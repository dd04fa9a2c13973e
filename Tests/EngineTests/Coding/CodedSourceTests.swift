import Models
import TestSupport
import Testing
import Transport

@testable import Engine

/// Sources with gzip, and files that come coded though nobody asked for it.
@Suite(.timeLimit(.minutes(4))) struct CodedSourceTests {
  private static let list = Array(#"["/p/1.png", "/p/2.png"]"#.utf8)

  private func coded(_ body: [UInt8], _ coding: String = "gzip") -> FakeAnswer {
    FakeAnswer(body: body).with("Content-Encoding", coding)
  }

  private func failure(_ answer: FakeAnswer) async throws -> EngineError? {
    let lab = try Lab()
    lab.web.serve(Lab.list, answer)
    let engine = try await lab.started()
    var found: EngineError?
    let request = try Lab.request(Lab.list)
    do throws(EngineError) {
      _ = try await engine.add(request)
    } catch {
      found = error
    }
    try await engine.waitUntilIdle()
    #expect(try await lab.records().isEmpty && lab.litter.isEmpty)
    await engine.stop()
    return found
  }

  @Test("A list that comes with gzip is read as if it came plain", arguments: ["gzip", "X-GZip"])
  func gzip(coding: String) async throws {
    let lab = try Lab()
    lab.web.serve(Lab.list, coded(GzipMember.of(Self.list), coding))
    let result = try await lab.run(Lab.list)
    #expect(result.entryCount == 2)
    #expect(lab.web.requests(for: Lab.list).allSatisfy { $0.acceptsGzip })
    #expect(lab.web.requests(for: Lab.url(1)).allSatisfy { !$0.acceptsGzip })
  }

  @Test(
    "Damaged, cut off, followed by something, or coded in another way it is an error that says so")
  func bad() async throws {
    let member = GzipMember.of(Self.list)
    for (answer, words) in [
      (coded(Array(member.dropLast(3))), "cut off"), (coded(member + [1]), "behind the end"),
      (coded(GzipMember.of(Self.list, checksum: 1)), "damaged"), (coded(Self.list), "damaged"),
      (coded(member, "br"), "coded with br"), (coded(member, "gzip, gzip"), "gzip, gzip"),
      (coded([]), "cut off"),
    ] {
      let error = try await failure(answer)
      #expect(error?.code == .source)
      #expect(error?.detail.contains(words) == true, "\(String(describing: error))")
      #expect(error?.detail.contains(Lab.list) == true)
    }
  }

  @Test("A status counts more than the coding of its page")
  func status() async throws {
    var answer = coded([1, 2, 3])
    answer.status = 404
    let error = try await failure(answer)
    #expect(error?.detail.contains("404") == true, "\(String(describing: error))")
  }

  @Test("A bomb ends at the limit of what comes out")
  func bomb() async throws {
    let count = 64 << 20
    let body = GzipMember.wrap(
      Deflate.compress(repeating: 32, count: count), 0, UInt32(truncatingIfNeeded: count))
    let sink = CountingSink(limit: 1 << 20)
    let decoding = DecodingSink(sink)
    let head = ResponseHead(
      status: 200, url: try HTTPURL("http://h/x"), fields: HTTPFields(["Content-Encoding": "gzip"]))
    #expect(try decoding.begin(head) == .accept)
    #expect(throws: SinkError.self) { try decoding.receive(body.span.bytes) }
    #expect(sink.count <= (1 << 20) + 65_536)
    #expect(decoding.problem == nil, "it is the other sink that had enough")
  }

  @Test("A file that comes coded is refused, whole or in part; identity is no coding")
  func files() throws {
    for (coding, isRefused) in [
      ("gzip", true), ("deflate, br", true), ("identity", false), ("", false),
    ] {
      let head = ResponseHead(
        status: 200, url: try HTTPURL("http://h/x"),
        fields: HTTPFields(["Content-Encoding": coding]))
      let decision = ResumeDecision(head, known: ResumeDecision.Known())
      guard isRefused else {
        #expect(decision == .restart)
        continue
      }
      guard case .fail(.content(let reason)) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(reason.contains(coding))
    }
  }
}

/// @unchecked Sendable: used by one test's task only.
private final class CountingSink: BodySink, @unchecked Sendable {
  private let limit: Int
  private(set) var count = 0

  init(limit: Int) { self.limit = limit }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision { .accept }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    count += bytes.byteCount
    if count > limit { throw SinkError("enough") }
  }
}
