import Models
import Testing
import Transport

@testable import Engine

@Suite("The version of a file that is received in segments") struct SegmentVersionTests {
  private static func head(_ status: Int, _ fields: [(String, String)]) throws -> ResponseHead {
    var list = HTTPFields()
    for (name, value) in fields { list.append(name, value) }
    return ResponseHead(status: status, url: try HTTPURL("http://h/a"), fields: list)
  }

  @Test(
    "Segments need ranges, a strong tag, a length and no coding",
    arguments: [
      (200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")], 9, true),
      (200, [("ETag", "\"a\""), ("Accept-Ranges", "none")], 9, false),
      (200, [("ETag", "\"a\"")], 9, true),
      (206, [("ETag", "\"a\"")], 9, true),
      (200, [("ETag", "W/\"a\""), ("Accept-Ranges", "bytes")], 9, false),
      (200, [("Last-Modified", "x"), ("Accept-Ranges", "bytes")], 9, false),
      (200, [("ETag", "\"a\""), ("Accept-Ranges", "x, bytes")], 9, true),
      (
        200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes"), ("Content-Encoding", "gzip")], 9,
        false
      ),
      (200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")], nil, false),
    ] as [(Int, [(String, String)], Int64?, Bool)])
  func conditions(status: Int, fields: [(String, String)], total: Int64?, isUsable: Bool) throws {
    let version = SegmentVersion(try Self.head(status, fields), total: total)
    #expect((version != nil) == isUsable)
  }

  @Test(
    "Only the exact range of the same version is accepted",
    arguments: [
      (206, "\"a\"", "bytes 10-19/100", nil, .accepted),
      (206, "\"a\"", "bytes 10-19/100", "10", .accepted),
      (206, "\"a\"", "bytes 10-19/100", "11", .refused),
      (206, "\"a\"", "bytes 10-18/100", nil, .refused),
      (206, "\"a\"", "bytes 9-19/100", nil, .refused),
      (206, "\"a\"", "bytes 10-20/100", nil, .refused),
      (206, "\"a\"", "bytes 10-19/*", nil, .refused),
      (206, "\"a\"", "items 10-19/100", nil, .refused),
      (206, "\"a\"", nil, nil, .refused),
      (206, "\"a\"", "bytes 10-19/101", nil, .changed),
      (206, "\"b\"", "bytes 10-19/100", nil, .changed),
      (206, "W/\"a\"", "bytes 10-19/100", nil, .changed),
      (206, nil, "bytes 10-19/100", nil, .refused),
      (200, "\"a\"", nil, "100", .refused),
      (200, "\"a\"", nil, nil, .refused),
      (200, "\"a\"", nil, "101", .changed),
      (200, "\"b\"", nil, "100", .changed),
      (200, nil, nil, "7", .refused),
      (204, "\"a\"", nil, nil, .refused),
      (412, nil, nil, nil, .changed),
      (416, nil, "bytes */5", nil, .changed),
      (416, nil, "bytes */100", nil, .refused),
      (416, nil, nil, nil, .refused),
      (403, nil, nil, nil, .failed(.status(403, retryAfter: nil))),
      (503, nil, nil, nil, .failed(.status(503, retryAfter: nil))),
    ] as [(Int, String?, String?, String?, SegmentVersion.Verdict)])
  func verdicts(
    status: Int, tag: String?, range: String?, length: String?, verdict: SegmentVersion.Verdict
  ) throws {
    let first = try Self.head(200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")])
    let version = try #require(SegmentVersion(first, total: 100))
    let fields = [("ETag", tag), ("Content-Range", range), ("Content-Length", length)]
    let head = try Self.head(status, fields.compactMap { name, value in value.map { (name, $0) } })
    #expect(version.judge(head, for: 10..<20) == verdict)
  }

  @Test(
    "The stated beginning of the range is accepted, if it is worth a request",
    arguments: [
      (206, "\"a\"", "bytes 10000-14095/90000", nil, .acceptedPart(end: 14_096)),
      (206, "\"a\"", "bytes 10000-14095/90000", "4096", .acceptedPart(end: 14_096)),
      (206, "\"a\"", "bytes 10000-14095/90000", "10000", .refused),
      (206, "\"a\"", "bytes 10000-14094/90000", nil, .refused),
      (206, "\"a\"", "bytes 10001-19999/90000", nil, .refused),
      (206, "\"a\"", "bytes 10000-20000/90000", nil, .refused),
      (206, nil, "bytes 10000-14095/90000", nil, .refused),
      (206, "\"b\"", "bytes 10000-14095/90000", nil, .changed),
    ] as [(Int, String?, String?, String?, SegmentVersion.Verdict)])
  func beginnings(
    status: Int, tag: String?, range: String?, length: String?, verdict: SegmentVersion.Verdict
  ) throws {
    let first = try Self.head(200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")])
    let version = try #require(SegmentVersion(first, total: 90_000))
    let fields = [("ETag", tag), ("Content-Range", range), ("Content-Length", length)]
    let head = try Self.head(status, fields.compactMap { name, value in value.map { (name, $0) } })
    #expect(version.judge(head, for: 10_000..<20_000) == verdict)
  }

  @Test("A response of several parts is refused, although it states the requested range")
  func parts() throws {
    let first = try Self.head(200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")])
    let version = try #require(SegmentVersion(first, total: 100))
    let fields = [
      ("ETag", "\"a\""), ("Content-Range", "bytes 10-19/100"),
      ("Content-Type", "multipart/byteranges; boundary=x"),
    ]
    #expect(version.judge(try Self.head(206, fields), for: 10..<20) == .refused)
  }

  @Test(
    "A redirect to another URL is refused, even with an equal tag",
    arguments: ["g/a", "h:81/a", "h/b", "h/a?signature=2"])
  func redirects(target: String) throws {
    let first = try Self.head(200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")])
    let version = try #require(SegmentVersion(first, total: 100))
    let fields = HTTPFields(["ETag": "\"a\"", "Content-Range": "bytes 10-19/100"])
    let other = ResponseHead(status: 206, url: try HTTPURL("http://\(target)"), fields: fields)
    #expect(version.judge(other, for: 10..<20) == .refused)
    let same = ResponseHead(status: 206, url: try HTTPURL("http://h/a"), fields: fields)
    #expect(version.judge(same, for: 10..<20) == .accepted)
  }
}
