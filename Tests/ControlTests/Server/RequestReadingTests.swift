import HTTP1
import TestSupport
import Testing

@testable import Control

@Suite("Request reading")
struct RequestReadingTests {
  /// What a connection that brings these pieces comes to.
  private func outcome(_ pieces: [[UInt8]]) -> [String] {
    var reading = RequestReading()
    var log: [String] = []
    var head: ControlRequest?
    var body: [UInt8] = []
    do throws(ControlError) {
      for piece in pieces {
        reading.receive(piece)
        steps: while true {
          switch try reading.next() {
          case .needsInput:
            if reading.awaitsContinue {
              log.append("continue")
              reading.sentContinue()
            }
            break steps
          case .head(let request): (head, body) = (request, [])
          case .body(let part): body += part
          case .end:
            guard let head else { return ["no head"] }
            let path = head.target.segments.joined(separator: "/")
            let text = String(decoding: body, as: UTF8.self)
            log.append("\(head.method) \(path) \(text) \(head.keepsConnection)")
          }
        }
      }
    } catch {
      log.append("\(error.code) \(error.detail)")
    }
    return log
  }

  private func outcome(_ text: String) -> [String] { outcome([Array(text.utf8)]) }

  static let requests = [
    requestText("GET", "/v1/status?x=1"),
    requestText("PUT", "/v1/settings/concurrency", body: "{\"limit\": 4}"),
    requestText("DELETE", "/v1/records/5", fields: ["Connection: close"]),
  ]

  @Test("takes one request after another, the same wherever they are cut")
  func cuts() {
    let bytes = Array(Self.requests.joined().utf8)
    let expected = [
      "GET v1/status  true", "PUT v1/settings/concurrency {\"limit\": 4} true",
      "DELETE v1/records/5  false",
    ]
    for cut in 0...bytes.count {
      #expect(outcome([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected)
    }
    #expect(outcome(bytes.map { [$0] }) == expected)
  }

  static let refused: [(String, ControlError.Code)] = [
    ("GET / HTTP/1.1\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\nHost: a\n\n", .badRequest),
    ("GET /v1/../x HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /%2e%2e/x HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET http://a/v1 HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n", .badRequest),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .unsupportedVersion),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthRequired),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
      .lengthRequired
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 4\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n", .badRequest),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 200-ok\r\n\r\n",
      .expectationFailed
    ),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 16_384))", .headTooLarge
    ),
    (
      "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 200) + "\r\n",
      .headTooLarge
    ),
  ]

  @Test("refuses what is not within the rules, at once and in single bytes", arguments: refused)
  func refuses(_ text: String, _ code: ControlError.Code) {
    let log = outcome(text)
    #expect(log.count == 1)
    #expect(log.first?.hasPrefix("\(code) ") == true)
    #expect(outcome(Array(text.utf8).map { [$0] }) == log)
  }

  @Test("asks for a body that the client holds back, once, and only if it is held back")
  func expectation() {
    let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"
    #expect(outcome([Array(head.utf8), Array("ok".utf8)]) == ["continue", "POST a ok true"])
    #expect(outcome(head + "ok") == ["POST a ok true"])
    let empty = head.replacing("Content-Length: 2\r\n", with: "")
    #expect(outcome(empty) == ["POST a  true"])
    let old = head.replacing("HTTP/1.1", with: "HTTP/1.0")
    #expect(outcome([Array(old.utf8), Array("ok".utf8)]) == ["POST a ok false"])
  }

  @Test("tells the length of a body with the head, before it is read")
  func bodyLength() throws {
    var reading = RequestReading()
    for length in ["3", "9223372036854775807"] {
      reading = RequestReading()
      reading.receive(Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n".utf8))
      guard case .head = try reading.next() else {
        Issue.record("no head")
        return
      }
      #expect(reading.bodyLength == Int64(length))
      #expect(try reading.next() == .needsInput)
    }
  }

  @Test("knows what the next byte belongs to")
  func phases() throws {
    var reading = RequestReading()
    #expect(reading.phase == .idle)
    reading.receive(Array("G".utf8))
    _ = try reading.next()
    #expect(reading.phase == .head)
    reading.receive(Array("ET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n".utf8))
    _ = try reading.next()
    #expect(reading.phase == .body)
    reading.receive(Array("xG".utf8))
    #expect(try reading.next() == .body(Array("x".utf8)))
    #expect(try reading.next() == .end)
    #expect(reading.phase == .idle)
    _ = try reading.next()
    #expect(reading.phase == .head)
  }

  @Test("is never stopped, and cuts never change the verdict", arguments: 0..<16)
  func mutations(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let original = Array(Self.requests.joined().utf8)
    for _ in 0..<200 {
      let bytes = Damage.apply(to: original, &random)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let whole = outcome([bytes])
      #expect(outcome([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
    }
  }
}
