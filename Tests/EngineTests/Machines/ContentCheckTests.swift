import Hashing
import Models
import Testing

@testable import Engine

@Suite struct ContentCheckTests {
  private func reason(
    _ url: String, _ format: ResourceFormat, bytes: Int64 = 10, expected: Checksum? = nil
  ) -> String? {
    let resource = Resource(
      id: ResourceID(1), record: RecordID(1), index: 1, url: url, expectedChecksum: expected)
    let file = StoredFile(
      name: "", byteCount: bytes, digest: SHA256Hasher.hash(of: [1]), format: format)
    return ContentCheck.failure(file, for: resource, at: ResourceLocation(url))?.reason
  }

  @Test("A web page instead of the promised kind of content is reported as one")
  func webPage() {
    #expect(reason("http://h/a.jpg", .html) == "the server sent a web page")
    #expect(reason("http://h/a.pdf", .html) == "the server sent a web page")
    #expect(reason("http://h/a.cbz", .html) == "the server sent a web page")
  }

  @Test("Any content is accepted if none is promised", arguments: ResourceFormat.allCases)
  func noPromise(format: ResourceFormat) {
    #expect(reason("http://h/view?id=7", format) == nil)
    #expect(reason("file:///home/me/a.jpg", format) == nil)
  }

  @Test("Content that can be shown is accepted under any name")
  func otherKind() {
    #expect(reason("http://h/a.jpg", .png) == nil)
    #expect(reason("http://h/a.jpg", .pdf) == nil)
    #expect(reason("http://h/a.pdf", .zip) == nil)
  }

  @Test("Content of another kind than promised is named")
  func wrongContent() {
    #expect(reason("http://h/a.png", .text) == "not an image (text/plain)")
    #expect(reason("http://h/a.pdf", .unknown) == "not a PDF (application/octet-stream)")
    #expect(reason("http://h/a.zip", .json) == "not an archive (application/json)")
    #expect(reason("http://h/a.png", .unknown, bytes: 0) == "the server sent an empty file")
  }

  @Test("The digest of the list takes precedence")
  func digest() {
    #expect(reason("http://h/a.png", .png, expected: Checksum(SHA256Hasher.hash(of: [1]))) == nil)
    let wrong = reason("http://h/a.png", .html, expected: Checksum(SHA256Hasher.hash(of: [2])))
    #expect(wrong?.hasPrefix("its SHA-256 is 4bf5") == true)
  }

  @Test("A checksum of another algorithm is compared with that of the file, which must be known")
  func otherAlgorithm() throws {
    let expected = try #require(Checksum(.md5, hexadecimal: "55a54008ad1ba589aa210d2629c1df41"))
    let other = try #require(Checksum(.md5, hexadecimal: String(repeating: "0", count: 32)))
    let url = "http://h/a.png"
    let resource = Resource(
      id: ResourceID(1), record: RecordID(1), index: 1, url: url, expectedChecksum: expected)
    for (checksums, reason) in [
      ([expected], nil),
      ([other], "its MD5 is \(other.digits), the manifest specifies \(expected.digits)"),
      ([], "its MD5 is not known, the manifest specifies \(expected.digits)"),
    ] as [([Checksum], String?)] {
      var file = StoredFile(
        name: "", byteCount: 1, digest: SHA256Hasher.hash(of: [1]), format: .png)
      file.otherChecksums = checksums
      let failure = ContentCheck.failure(file, for: resource, at: ResourceLocation(url))
      #expect(failure?.reason == reason)
    }
  }
}
