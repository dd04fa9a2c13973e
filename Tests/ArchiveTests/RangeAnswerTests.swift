import Archive
import Models
import Testing

@testable import RemoteArchive

/// Tests of the meaning of responses to requests for a part of a file.
@Suite struct RangeAnswerTests {
  private static let tagged = RemoteVersion(
    byteCount: 100, validator: Validator(entityTag: EntityTag("\"a\"")))

  private func answer(
    _ status: Int, _ fields: [String: String], to range: RemoteRange = .bytes(10..<20),
    of version: RemoteVersion? = nil
  ) -> RangeAnswer {
    var all = HTTPFields()
    for (name, value) in fields { all.append(name, value) }
    return RangeAnswer(range, of: version, wholeLimit: 50, status: status, fields: all)
  }

  @Test("The last bytes may be fewer than requested, and the whole of a small file is a part")
  func tails() {
    let version = RemoteVersion(byteCount: 30, validator: Validator())
    #expect(
      answer(206, ["Content-Range": "bytes 0-29/30"], to: .last(50)) == .part(0..<30, version))
    #expect(answer(200, ["Content-Length": "30"], to: .last(50)) == .part(0..<30, version))
    #expect(answer(200, ["Content-Length": "51"], to: .last(50)) == .whole(byteCount: 51))
    #expect(answer(200, [:], to: .last(50)) == .whole(byteCount: nil))
    #expect(answer(416, ["Content-Range": "bytes */0"]) == .unsatisfiable(byteCount: 0))
    #expect(answer(416, [:]) == .unsatisfiable(byteCount: nil))
  }

  @Test("A name that is no registered content coding does not change the bytes of a part")
  func unregisteredCodings() {
    let version = RemoteVersion(byteCount: 30, validator: Validator())
    for coding in ["identity", "none", "aws-chunked"] {
      let fields = ["Content-Range": "bytes 0-29/30", "Content-Encoding": coding]
      #expect(answer(206, fields, to: .last(50)) == .part(0..<30, version), "\(coding)")
    }
  }

  @Test("Another version is recognised by its tag, its date, its size and its status")
  func versions() {
    let range = "bytes 10-19/100"
    #expect(
      answer(206, ["Content-Range": range, "ETag": "\"a\""], of: Self.tagged)
        == .part(10..<20, Self.tagged))
    #expect(answer(206, ["Content-Range": range], of: Self.tagged) == .part(10..<20, Self.tagged))
    for (status, fields) in [
      (206, ["Content-Range": range, "ETag": "\"b\""]),
      (206, ["Content-Range": "bytes 10-19/101", "ETag": "\"a\""]),
      (200, ["Content-Length": "100", "ETag": "\"b\""]), (412, [:]), (416, [:]),
    ] {
      #expect(answer(status, fields, of: Self.tagged) == .changed, "\(status) \(fields)")
    }
    #expect(
      answer(200, ["Content-Length": "100", "ETag": "\"a\""], of: Self.tagged)
        == .whole(byteCount: 100))
    let dated = RemoteVersion(byteCount: 100, validator: Validator(lastModified: "then"))
    #expect(
      answer(206, ["Content-Range": range, "Last-Modified": "now"], of: dated) == .changed)
  }

  @Test("A server that sends ranges in several parts only has no usable ranges")
  func severalParts() {
    let type = "multipart/byteranges; boundary=x"
    for fields in [
      ["Content-Type": type], ["Content-Type": type, "Content-Range": "bytes 10-19/100"],
    ] {
      #expect(answer(206, fields) == .whole(byteCount: nil))
      #expect(answer(206, fields, of: Self.tagged) == .whole(byteCount: nil))
    }
  }

  @Test("A response that was not requested is invalid")
  func invalid() {
    for fields in [
      [:], ["Content-Range": "bytes 10-19/*"], ["Content-Range": "bytes 11-19/100"],
      ["Content-Range": "bytes 10-18/100"], ["Content-Range": "bytes 10-20/100"],
      ["Content-Range": "pages 10-19/100"], ["Content-Range": "bytes 10-19/10"],
      ["Content-Range": "bytes 10-19/100", "Content-Encoding": "gzip"],
      ["Content-Range": "bytes 10-19/100", "Content-Length": "9"],
    ] {
      guard case .invalid(let reason) = answer(206, fields) else {
        Issue.record("\(fields) was accepted")
        continue
      }
      #expect(!reason.isEmpty)
    }
    #expect(answer(404, [:]) == .status(404))
  }
}
