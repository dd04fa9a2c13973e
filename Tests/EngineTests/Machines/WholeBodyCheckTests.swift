import Models
import Testing
import Transport

@testable import Engine

@Suite("The head of a response that would replace bytes") struct WholeBodyCheckTests {
  private typealias Endangered = WholeBodyCheck.Endangered

  private static func head(
    _ length: Int?, _ type: String? = nil, status: Int = 200, range: String? = nil,
    coding: String? = nil
  ) throws -> ResponseHead {
    var fields = HTTPFields()
    if let length { fields.append("Content-Length", String(length)) }
    if let type { fields.append("Content-Type", type) }
    if let range { fields.append("Content-Range", range) }
    if let coding { fields.append("Content-Encoding", coding) }
    return ResponseHead(status: status, url: try HTTPURL("http://b/f"), fields: fields)
  }

  @Test("A mirror's response must be as long as the file that has been begun")
  func lengths() throws {
    var check = WholeBodyCheck()
    check.isOwn = false
    let begun = Endangered(byteCount: 60, totalBytes: 100)
    #expect(check.failure(try Self.head(100), replacing: begun) == nil)
    #expect(check.failure(try Self.head(100, "text/html"), replacing: begun) == nil)
    #expect(check.failure(try Self.head(nil), replacing: begun) == nil)
    #expect(check.failure(try Self.head(7, coding: "gzip"), replacing: begun) == nil)
    for length in [0, 1, 99, 101] {
      #expect(check.failure(try Self.head(length), replacing: begun) != nil, "\(length)")
      #expect(check.failure(try Self.head(length), replacing: nil) == nil, "\(length)")
    }
    let unknown = Endangered(byteCount: 60)
    #expect(check.failure(try Self.head(59), replacing: unknown) != nil)
    #expect(check.failure(try Self.head(60), replacing: unknown) == nil)
    let part = try Self.head(40, status: 206, range: "bytes 60-99/100")
    #expect(check.failure(part, replacing: begun) == nil)
    let other = try Self.head(50, status: 206, range: "bytes 60-109/110")
    #expect(check.failure(other, replacing: begun) != nil)
    #expect(check.failure(try Self.head(5, status: 404), replacing: begun) == nil)
  }

  @Test("A web page replaces no other file, and a page replaces a page")
  func pages() throws {
    for type in ["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml"] {
      let head = try Self.head(nil, type)
      var check = WholeBodyCheck()
      #expect(check.failure(head, replacing: Endangered(byteCount: 60)) != nil)
      #expect(check.failure(head, replacing: Endangered(byteCount: 60, isPage: true)) == nil)
      #expect(check.failure(head, replacing: nil) == nil)
      check.isOwn = false
      check.refusesPages = true
      #expect(check.failure(head, replacing: nil) != nil)
    }
    #expect(WholeBodyCheck().failure(try Self.head(nil, "image/png"), replacing: nil) == nil)
  }

  @Test("The resource's own URL may have content of another length, but no page")
  func own() throws {
    let begun = Endangered(byteCount: 60, totalBytes: 100)
    #expect(WholeBodyCheck().failure(try Self.head(90), replacing: begun) == nil)
    #expect(WholeBodyCheck().failure(try Self.head(90, "text/html"), replacing: begun) != nil)
    #expect(WholeBodyCheck().failure(try Self.head(0), replacing: begun) != nil)
  }

  @Test("The sizes of the lists decide before anything is received")
  func stated() throws {
    var check = WholeBodyCheck()
    check.byteCounts = [90, 100]
    for length in [90, 100] {
      #expect(check.failure(try Self.head(length, "text/html"), replacing: nil) == nil)
    }
    #expect(
      check.failure(try Self.head(91), replacing: nil)
        == .content("it has 91 bytes, the manifest specifies 90 or 100"))
    #expect(check.failure(try Self.head(nil), replacing: nil) == nil)
    #expect(check.failure(try Self.head(7, coding: "gzip"), replacing: nil) == nil)
  }

  @Test(
    "Names that may lead to a page",
    arguments: [
      ("", true), ("page", true), ("a.html", true), ("a.PHP", true), ("v1.bin", false),
      ("a.tar.gz", false), ("x.iso", false), ("release.2024-final", true),
    ])
  func names(name: String, expected: Bool) {
    #expect(WholeBodyCheck.mayBePage(name) == expected)
  }
}
