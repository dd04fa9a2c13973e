import Hashing
import Models
import Testing
import TestSupport
import Transport
@testable import Engine

@Suite("Images of image services", .timeLimit(.minutes(4))) struct ImageServiceTests {
  static let base = "http://h/iiif/a"
  static let v3 = #"{"type": "ImageService3", "profile": "level2", "width": 600, "height": 400}"#

  private func attempt(_ info: String = v3) throws -> Attempt {
    var attempt = try Attempt()
    attempt.url = Self.base + "#iiif"
    attempt.transport.serve(Self.base + "/info.json", FakeAnswer(body: Array(info.utf8)))
    return attempt
  }

  private func paths(_ attempt: Attempt) -> [String] {
    attempt.transport.requests.map { String($0.url.dropFirst(Self.base.count + 1)) }
  }

  @Test("The description is requested first, then the largest image")
  func whole() async throws {
    let attempt = try attempt()
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", .file(Attempt.content))
    let file = try await attempt.runWhole()
    #expect(paths(attempt) == ["info.json", "full/max/0/default.jpg"])
    #expect(file.validator.entityTag == EntityTag("\"v1\""))
    #expect(file.answer?.request == Attempt.request)
  }

  @Test("The next attempt continues the image, with If-Range")
  func resumes() async throws {
    var attempt = try attempt()
    try attempt.leave(300_000)
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", .file(Attempt.content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil, "bytes=300000-"])
    #expect(attempt.transport.requests.map(\.ifRange) == [nil, "\"v1\""])
  }

  @Test("A cut image is kept, and so is an older part if the description fails")
  func keepsPart() async throws {
    let attempt = try attempt()
    attempt.transport.serve(
      Self.base + "/full/max/0/default.jpg", .file(Attempt.content).cut(after: 50_000))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure.isRetryable && partial?.totalBytes == Int64(Attempt.content.count))
    var second = try self.attempt()
    try second.leave(10)
    second.transport.serve(
      Self.base + "/info.json", FakeAnswer(status: 503).with("Retry-After", "7"))
    let (other, kept) = try await second.runFailing()
    #expect(other == .status(503, retryAfter: "7"))
    #expect(kept == second.partial && second.bytes?.count == 10)
  }

  @Test("A refused size leads to the next smaller one, whose part is not continued")
  func smaller() async throws {
    let attempt = try attempt()
    let paths = [
      "full/max/0/default.jpg", "full/300,200/0/default.jpg", "full/150,100/0/default.jpg",
    ]
    for (path, status) in zip(paths, [501, 403]) {
      attempt.transport.serve("\(Self.base)/\(path)", FakeAnswer(status: status))
    }
    attempt.transport.serve("\(Self.base)/\(paths[2])", .file(Attempt.content))
    _ = try await attempt.runWhole()
    #expect(self.paths(attempt) == ["info.json"] + paths)
    attempt.transport.serve(
      "\(Self.base)/\(paths[2])", .file(Attempt.content).cut(after: 100_000))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure.isRetryable && partial == nil)
    #expect(attempt.bytes == nil)
  }

  @Test("A part of the full size is not mixed with a smaller one")
  func smallerAfterPart() async throws {
    var attempt = try attempt()
    try attempt.leave(100)
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", FakeAnswer(status: 403))
    attempt.transport.serve(Self.base + "/full/300,200/0/default.jpg", .file(Attempt.content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil, "bytes=100-", nil])
    #expect(attempt.told.forgotten.value == 1)
  }

  @Test("If every size is refused, the reason says so")
  func refused() async throws {
    let attempt = try attempt()
    let (failure, partial) = try await attempt.runFailing()
    #expect(
      failure == .content("the image service refused all 5 sizes, the last with HTTP 404"))
    #expect(partial == nil && attempt.bytes == nil)
  }

  @Test("A server error is no refusal of the size")
  func serverError() async throws {
    let attempt = try attempt()
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", FakeAnswer(status: 500))
    let (failure, _) = try await attempt.runFailing()
    #expect(failure == .status(500, retryAfter: nil))
    #expect(paths(attempt) == ["info.json", "full/max/0/default.jpg"])
  }

  @Test(
    "A description that cannot be used fails the resource, not the run",
    arguments: [
      ("<html>", "the image service cannot be used"), ("{}", "states no width and height"),
      (#"{"width": -1, "height": 1e99}"#, "states no width"),
      (#"{"width": 5, "hei"#, "cannot be used"),
      (#"{"width": -5, "height": 5}"#, "-5 × 5"),
    ])
  func badDescriptions(info: String, reason: String) async throws {
    let attempt = try attempt(info)
    let (failure, _) = try await attempt.runFailing()
    guard case .content(let detail) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(detail.contains(reason))
  }

  @Test("A description without end is cut off")
  func longDescription() async throws {
    let attempt = try attempt(String(repeating: " ", count: 1 << 21) + Self.v3)
    let (failure, _) = try await attempt.runFailing()
    #expect(failure == .tooLarge(limit: 1 << 20))
  }

  @Test("All requests of a public page keep to public addresses")
  func policy() async throws {
    var attempt = try attempt()
    attempt.origin = .publicPage
    _ = try await attempt.runFailing()
    #expect(attempt.transport.requests.count == 6)
    #expect(attempt.transport.requests.allSatisfy { $0.addresses == .publicOnly })
  }

  @Test("The image of a service is a request of its own")
  func naming() {
    var naming = RequestNaming(common: HTTPFields())
    let service = naming.name(Self.base + "#iiif", HTTPFields(), isPublic: false)
    let plain = naming.name(Self.base, HTTPFields(), isPublic: false)
    #expect(service.request != plain.request && service.host == plain.host)
    #expect(service.location == ResourceLocation(Self.base + "#iiif"))
  }

  @Test("A web page instead of the image fails the resource")
  func content() {
    let resource = Resource(id: ResourceID(1), record: RecordID(1), index: 1, url: "")
    let file = StoredFile(
      name: "", byteCount: 9, digest: SHA256Hasher.hash(of: []), format: .html)
    let location = ResourceLocation(Self.base + "#iiif")
    #expect(
      ContentCheck.failure(file, for: resource, at: location)
        == .content("the server sent a web page"))
  }
}
