import Hashing
import Models
import Persistence
import Testing
import TestSupport
import Transport
@testable import Engine

@Suite("Images of image services", .timeLimit(.minutes(60))) struct ImageServiceTests {
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
    // The refusal might be one of the range.
    #expect(attempt.transport.requests.map(\.range) == [nil, "bytes=100-", nil, nil])
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

  static func png(_ width: Int, _ height: Int) -> FakeAnswer {
    .file(TestPicture.png(width: width, height: height, red: 1, green: 2, blue: 3))
  }

  @Test("A reduced image is not kept before larger choices were tried")
  func reduced() async throws {
    let attempt = try attempt()
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", Self.png(60, 40))
    attempt.transport.serve(Self.base + "/full/300,200/0/default.jpg", Self.png(300, 200))
    let file = try await attempt.runComplete()
    #expect(
      paths(attempt) == ["info.json", "full/max/0/default.jpg", "full/300,200/0/default.jpg"])
    #expect(
      file.remark == "the image service delivered the image reduced: 300 × 200 of 600 × 400 pixels")
    #expect(attempt.bytes?.count == Self.png(300, 200).body.count)
  }

  @Test("The largest of reduced images is kept, and requested again if another has overwritten it")
  func largest() async throws {
    let attempt = try attempt()
    let paths = ["max", "300,200", "150,100"].map { "full/\($0)/0/default.jpg" }
    attempt.transport.serve("\(Self.base)/\(paths[0])", Self.png(60, 40))
    attempt.transport.serve("\(Self.base)/\(paths[1])", Self.png(30, 20))
    attempt.transport.serve("\(Self.base)/\(paths[2])", Self.png(30, 20))
    let file = try await attempt.runComplete()
    #expect(file.remark?.contains("60 × 40 of 600 × 400") == true)
    #expect(attempt.bytes?.count == Self.png(60, 40).body.count)
    #expect(self.paths(attempt).last == paths[0])
    // A service that reduces all whole images to one size is not asked for each of them.
    let other = try self.attempt()
    for path in paths { other.transport.serve("\(Self.base)/\(path)", Self.png(60, 40)) }
    #expect(try await other.runComplete().remark?.contains("60 × 40") == true)
    #expect(self.paths(other) == ["info.json"] + paths.prefix(2))
  }

  @Test("An image of the described size, also on its side, and one of unknown size have no remark")
  func fullSize() async throws {
    for answer in [
      Self.png(600, 400), Self.png(400, 600), Self.png(599, 400), Self.png(900, 600),
      .file(Attempt.content),
    ] {
      let attempt = try attempt()
      attempt.transport.serve(Self.base + "/full/max/0/default.jpg", answer)
      #expect(try await attempt.runComplete().remark == nil)
      #expect(paths(attempt).count == 2)
    }
  }

  @Test("An image that the limits of the service reduce has a remark, too")
  func limited() async throws {
    let attempt = try attempt(
      #"{"type": "ImageService3", "profile": "level2", "width": 600, "height": 400, "maxWidth": 60}"#
    )
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", Self.png(60, 40))
    #expect(try await attempt.runComplete().remark?.contains("60 × 40 of 600 × 400") == true)
    #expect(paths(attempt).count == 2)
  }

  @Test("The request is never conditional: another size may have the validator of the stored one")
  func unconditional() async throws {
    var attempt = try attempt()
    attempt.existing = Job.ExistingAnswer(
      file: ExistingFile(
        resource: ResourceID(1), record: RecordID(1), folder: "",
        file: StoredFile(
          name: "1.png", byteCount: 3, digest: SHA256Hasher.hash(of: []), format: .png,
          validator: Validator(entityTag: EntityTag("\"v1\"")),
          answer: StoredFile.Answer(request: Attempt.request, asOf: ResourceID(1)))),
      isFresh: false)
    attempt.transport.serve(Self.base + "/full/max/0/default.jpg", Self.png(600, 400))
    _ = try await attempt.runComplete()
    #expect(attempt.transport.requests.allSatisfy { $0.isPlain })
  }
}

extension Attempt {
  /// Returns the file of an attempt that succeeds, with any content.
  func runComplete(sourceLocation: SourceLocation = #_sourceLocation) async throws -> StoredFile {
    let outcome = await run()
    guard case .complete(let file) = outcome else {
      Issue.record("\(outcome)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    return file
  }
}
