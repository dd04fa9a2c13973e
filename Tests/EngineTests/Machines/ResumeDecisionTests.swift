import Models
import Testing
import Transport

@testable import Engine

@Suite struct ResumeDecisionTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var fields: KeyValuePairs<String, String>
    var expected: ResumeDecision
    var testDescription: String { name }
  }

  /// 100 of 300 bytes are there, of the version "v1".
  private static let known = ResumeDecision.PriorBytes(
    byteCount: 100, validator: Validator(entityTag: EntityTag("\"v1\"")), totalBytes: 300,
    url: "http://h/x")

  private static func decide(
    _ status: Int, _ fields: KeyValuePairs<String, String>,
    _ known: ResumeDecision.PriorBytes = known
  ) throws -> ResumeDecision {
    ResumeDecision(
      ResponseHead(
        status: status, url: try HTTPURL("http://h/x"), fields: HTTPFields(fields)),
      known: known)
  }

  private static let ladder: [Answer] = [
    Answer(
      name: "exactly the rest", status: 206,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "\"v1\"", "Content-Length": "200"],
      expected: .append(total: 300)),
    Answer(
      name: "the rest, in chunks", status: 206,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "\"v1\""],
      expected: .append(total: 300)),
    Answer(
      name: "exactly the rest, with the status of the whole", status: 200,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "\"v1\"", "Content-Length": "200"],
      expected: .append(total: 300)),
    Answer(
      name: "the rest with that status and without a tag", status: 200,
      fields: ["Content-Range": "bytes 100-299/300", "Content-Length": "200"],
      expected: .startOver),
    Answer(
      name: "the rest of another version with that status", status: 200,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "\"v2\""], expected: .startOver),
    Answer(
      name: "as many bytes as are missing, without a range", status: 200,
      fields: ["Content-Length": "200", "ETag": "\"v1\""], expected: .restart),
    Answer(
      name: "the file is not ready", status: 202, fields: ["Retry-After": "3"],
      expected: .fail(.status(202, retryAfter: "3"))),
    Answer(
      name: "shifted back", status: 206,
      fields: ["Content-Range": "bytes 99-299/300", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "shifted forward", status: 206,
      fields: ["Content-Range": "bytes 101-299/300", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "from the beginning", status: 206,
      fields: ["Content-Range": "bytes 0-299/300", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "only a part of the rest", status: 206,
      fields: ["Content-Range": "bytes 100-198/300", "ETag": "\"v1\"", "Content-Length": "99"],
      expected: .append(total: 300, end: 199)),
    Answer(
      name: "a part of the rest, and another length in Content-Length", status: 206,
      fields: ["Content-Range": "bytes 100-198/300", "ETag": "\"v1\"", "Content-Length": "200"],
      expected: .startOver),
    Answer(
      name: "a part of the rest of another version", status: 206,
      fields: ["Content-Range": "bytes 100-198/300", "ETag": "\"v2\""], expected: .startOver),
    Answer(
      name: "the file has grown", status: 206,
      fields: ["Content-Range": "bytes 100-399/400", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "the whole length is a secret", status: 206,
      fields: ["Content-Range": "bytes 100-299/*", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "another length in Content-Length", status: 206,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "\"v1\"", "Content-Length": "201"],
      expected: .startOver),
    Answer(name: "no Content-Range", status: 206, fields: ["ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "a Content-Range of nonsense", status: 206,
      fields: ["Content-Range": "bytes 299-100/300", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "another unit", status: 206,
      fields: ["Content-Range": "lines 100-299/300", "ETag": "\"v1\""], expected: .startOver),
    Answer(
      name: "several ranges", status: 206,
      fields: ["Content-Type": "multipart/byteranges; boundary=x", "ETag": "\"v1\""],
      expected: .startOver),
    Answer(
      name: "several ranges with a range of their own", status: 206,
      fields: [
        "Content-Type": "Multipart/ByteRanges ; boundary=x", "ETag": "\"v1\"",
        "Content-Range": "bytes 100-299/300",
      ],
      expected: .startOver),
    Answer(
      name: "another tag", status: 206,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "\"v2\""], expected: .startOver),
    Answer(
      name: "the tag has become weak", status: 206,
      fields: ["Content-Range": "bytes 100-299/300", "ETag": "W/\"v1\""], expected: .startOver),
    Answer(
      name: "the tag has vanished", status: 206,
      fields: ["Content-Range": "bytes 100-299/300"], expected: .startOver),
    Answer(
      name: "all of the same version", status: 200,
      fields: ["ETag": "\"v1\"", "Content-Length": "300"], expected: .restart),
    Answer(
      name: "all of another version", status: 200, fields: ["ETag": "\"v2\""],
      expected: .startOver),
    Answer(name: "all, of no version", status: 200, fields: [:], expected: .startOver),
    Answer(
      name: "416 with another length", status: 416, fields: ["Content-Range": "bytes */90"],
      expected: .startOver),
    Answer(
      name: "416 with the length that is there but not that of before", status: 416,
      fields: ["Content-Range": "bytes */100"], expected: .startOver),
    Answer(
      name: "416 of another version", status: 416,
      fields: ["Content-Range": "bytes */100", "ETag": "\"v2\""], expected: .startOver),
    Answer(name: "416 without a length", status: 416, fields: [:], expected: .startOver),
    Answer(name: "412", status: 412, fields: [:], expected: .startOver),
    Answer(name: "the range is refused (400)", status: 400, fields: [:], expected: .requestWhole),
    Answer(name: "the range is refused (403)", status: 403, fields: [:], expected: .requestWhole),
    Answer(name: "the range is refused (501)", status: 501, fields: [:], expected: .requestWhole),
    Answer(
      name: "404", status: 404, fields: [:], expected: .fail(.status(404, retryAfter: nil))),
    Answer(
      name: "304 unasked", status: 304, fields: ["ETag": "\"v1\""],
      expected: .fail(.status(304, retryAfter: nil))),
    Answer(
      name: "429", status: 429, fields: ["Retry-After": "7"],
      expected: .fail(.status(429, retryAfter: "7"))),
    Answer(
      name: "204", status: 204, fields: [:],
      expected: .fail(.content("the server sent no content (204)"))),
  ]

  @Test("On any doubt the download begins again from zero", arguments: ladder)
  func resumed(answer: Answer) throws {
    #expect(try Self.decide(answer.status, answer.fields) == answer.expected)
  }

  @Test("304 confirms the file only if the request had a condition and stayed at its origin")
  func unchanged() throws {
    for (isConditional, hasLeftOrigin) in [(true, false), (true, true), (false, false)] {
      let head = ResponseHead(
        status: 304, url: try HTTPURL("http://o/x"), fields: HTTPFields(["ETag": "\"v1\""]),
        hasLeftOrigin: hasLeftOrigin)
      let known = ResumeDecision.PriorBytes(isConditional: isConditional)
      let isBelieved = isConditional && !hasLeftOrigin
      #expect(
        ResumeDecision(head, known: known)
          == (isBelieved ? .unchanged : .fail(.status(304, retryAfter: nil))))
    }
  }

  @Test(
    "416 with the length of the partial file means that the file is complete",
    arguments: [100, nil])
  func complete(total: Int64?) throws {
    var known = Self.known
    known.totalBytes = total
    #expect(try Self.decide(416, ["Content-Range": "bytes */100"], known) == .complete)
    let other: KeyValuePairs = ["Content-Range": "bytes */100", "ETag": "\"v2\""]
    #expect(try Self.decide(416, other, known) == .startOver)
  }

  @Test("Without a tag an equal date is sufficient, and nothing else")
  func lastModified() throws {
    let date = "Tue, 01 Jul 2025 10:00:00 GMT"
    let range = "bytes 100-299/300"
    var known = Self.known
    known.validator = Validator(lastModified: date)
    func decide(_ fields: KeyValuePairs<String, String>) throws -> ResumeDecision {
      try Self.decide(206, fields, known)
    }
    #expect(
      try decide(["Content-Range": range, "Last-Modified": date]) == .append(total: 300))
    #expect(
      try decide(["Content-Range": range, "Last-Modified": "Tue, 01 Jul 2025 10:00:01 GMT"])
        == .startOver)
    #expect(try decide(["Content-Range": range]) == .startOver)
    #expect(
      try decide(["Content-Range": range, "Last-Modified": date, "ETag": "\"v1\""]) == .startOver)
  }

  @Test("Without any validator nothing is appended")
  func noValidator() throws {
    var known = Self.known
    known.validator = Validator()
    #expect(try Self.decide(206, ["Content-Range": "bytes 100-299/300"], known) == .startOver)
  }

  @Test("Bytes that count as safe from a power cut are not written over while they are known")
  func syncedBytes() throws {
    var known = Self.known
    known.syncedByteCount = 50
    #expect(try Self.decide(200, ["ETag": "\"v1\""], known) == .startOver)
  }

  @Test("An unconditional request accepts any response, except for a part")
  func plain() throws {
    let none = ResumeDecision.PriorBytes()
    #expect(try Self.decide(200, [:], none) == .restart)
    #expect(try Self.decide(203, [:], none) == .restart)
    for range in ["bytes 0-8/10", "bytes 1-9/10", "bytes 0-9/*"] {
      let part = try Self.decide(206, ["Content-Range": range], none)
      guard case .fail(.protocolViolation) = part else {
        Issue.record("\(range): \(part)")
        return
      }
    }
    #expect(try Self.decide(416, [:], none) == .fail(.status(416, retryAfter: nil)))
    #expect(try Self.decide(412, [:], none) == .fail(.status(412, retryAfter: nil)))
  }

  @Test("A part that is the whole file is accepted as the file")
  func wholeRange() throws {
    let none = ResumeDecision.PriorBytes()
    let range = "bytes 0-9/10"
    #expect(try Self.decide(206, ["Content-Range": range], none) == .restart)
    #expect(
      try Self.decide(206, ["Content-Range": range, "Content-Length": "10"], none) == .restart)
    #expect(
      try Self.decide(206, ["Content-Range": range, "Content-Length": "9"], none) != .restart)
  }

  @Test("A condition that the server calls failed is given up, once")
  func refusedCondition() throws {
    var conditional = ResumeDecision.PriorBytes()
    conditional.isConditional = true
    for status in [400, 403, 412, 501] {
      #expect(try Self.decide(status, [:], conditional) == .startOver)
    }
    #expect(try Self.decide(404, [:], conditional) == .fail(.status(404, retryAfter: nil)))
    let plain = ResumeDecision.PriorBytes()
    #expect(try Self.decide(403, [:], plain) == .fail(.status(403, retryAfter: nil)))
    #expect(try Self.decide(304, [:], conditional) == .unchanged)
  }

  @Test("Numbers at the end of the range of 64 bits do not trap")
  func hugeNumbers() throws {
    let max = Int64.max
    #expect(
      try Self.decide(
        206,
        [
          "Content-Range": "bytes 100-\(max - 1)/\(max)", "Content-Length": "\(max)",
          "ETag": "\"v1\"",
        ]) == .startOver)
    #expect(
      try Self.decide(200, ["ETag": "\"v1\"", "Content-Length": "\(max)"]) == .restart)
  }

  @Test(
    "Only the URL that has sent the bytes continues them, behind redirects with any query",
    arguments: [
      // The source of the bytes, the URL of the response, and the result.
      ("http://h/x", "http://h/x", true), ("http://h/x", "http://h/%78", true),
      ("http://h/x", "http://h/y", false), ("http://h/x", "http://h/x?1", false),
      ("http://h/x", "http://c/x", false), (nil, "http://h/x", false),
      ("http://h/x http://h/y", "http://h/y", true),
      ("http://h/x http://h/y", "http://h/y?signature=2", true),
      ("http://h/x http://h/y", "http://h/z", false),
      ("http://h/x http://h/y", "http://h/x", false),
      ("http://h/x http://c/x", "http://c/x?signature=2", true),
      ("http://h/x http://c/x", "http://c/y", false),
      ("http://h/x http://c/x", "http://d/x", false),
      ("http://h/x http://c/x", "http://h/x", false),
      // The text of an earlier version of the program, which has not recorded the path.
      ("http://h/x http://c", "http://c/x", false),
    ] as [(String?, String, Bool)])
  func sources(source: String?, url: String, continues: Bool) throws {
    var known = Self.known
    known.url = source
    let table: [(Int, HTTPFields, ResumeDecision)] = [
      (
        206, HTTPFields(["Content-Range": "bytes 100-299/300", "ETag": "\"v1\""]),
        .append(total: 300)
      ),
      (200, HTTPFields(["ETag": "\"v1\"", "Content-Length": "300"]), .restart),
    ]
    for (status, fields, expected) in table {
      let head = ResponseHead(status: status, url: try HTTPURL(url), fields: fields)
      let decision = ResumeDecision(head, known: known)
      #expect(decision == (continues ? expected : .startOver))
      known.continuation = .verifiedByChecksum
      if status == 206 { #expect(ResumeDecision(head, known: known) == expected) }
      known.continuation = .none
    }
  }
}
