import Hashing
import HTTP1
import Models
import Testing
import Transport

@testable import Engine

@Suite struct ResponseContentCheckTests {
  private static let digest = SHA256Hasher.hash(of: [1, 2, 3])
  private static let other = SHA256Hasher.hash(of: [4])

  private static func job(
    digest: Digest? = nil, identity: DuplicateLinks.Identity? = nil
  ) throws -> Job {
    let url = "http://h/a.png"
    var job = Job(
      request: RequestKey(high: 1, low: 2), host: "http://h", location: ResourceLocation(url),
      subscribers: [
        Job.Subscriber(
          resource: Resource(
            id: ResourceID(1), record: RecordID(1), index: 0, url: url,
            expectedChecksum: digest.map { Checksum($0) }))
      ])
    guard let identity else { return job }
    var selection = MirrorSelection(MirrorSelection.Candidate(try HTTPURL(url)))
    selection.add([MirrorSelection.Candidate(try HTTPURL("http://m/a.png"), identity: identity)])
    _ = selection.handle(
      .init(.final, cause: "HTTP 404"), now: 0,
      policy: RetryPolicy(retries: 0, delay: 0, ceiling: 0),
      chance: 0)
    job.follow(selection)
    return job
  }

  private static func file(
    _ format: ResourceFormat = .png, tag: String? = "\"v1\""
  ) -> StoredFile {
    StoredFile(
      name: "", byteCount: 3, digest: digest, format: format,
      validator: Validator(entityTag: tag.flatMap { EntityTag($0) }))
  }

  private static func head(_ status: Int, stated: String?) throws -> ResponseHead {
    var fields = HTTPFields()
    if let stated { fields.set("Repr-Digest", stated) }
    return ResponseHead(status: status, url: try HTTPURL("http://h/a.png"), fields: fields)
  }

  @Test("A digest that the response states is compared, unless the response is an error")
  func statedByResponse() throws {
    let wrong = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
    for (status, stated, isAccepted) in [
      (200, nil, true), (200, wrong, false), (206, wrong, false), (416, wrong, true),
    ] as [(Int, String?, Bool)] {
      let check = ResponseContentCheck(
        job: try Self.job(), head: try Self.head(status, stated: stated))
      let verdict = check.judge(Self.file(), wasResumed: false)
      #expect((verdict == .accepted) == isAccepted, "\(status) \(stated ?? "none")")
      if !isAccepted {
        #expect(check.judge(Self.file(), wasResumed: true) == .startOver)
      }
    }
  }

  @Test("A mirror's file has the identity that the first server has stated")
  func statedByFirstServer() throws {
    let tag = try #require(EntityTag("\"v1\""))
    let otherTag = try #require(EntityTag("\"v2\""))
    let table: [(DuplicateLinks.Identity, Digest?, Bool)] = [
      (.digest(Self.digest), nil, true), (.digest(Self.other), nil, false),
      (.entityTag(tag), nil, true), (.entityTag(otherTag), nil, false),
      // The digest of the list decides better than a tag.
      (.entityTag(otherTag), Self.digest, true),
    ]
    for (identity, digest, isAccepted) in table {
      let job = try Self.job(digest: digest, identity: identity)
      let verdict = ResponseContentCheck(job: job, head: nil).judge(
        Self.file(), wasResumed: false)
      #expect((verdict == .accepted) == isAccepted, "\(identity)")
    }
  }

  @Test("A web page of a mirror is not an image")
  func page() throws {
    let job = try Self.job(identity: .digest(Self.digest))
    let check = ResponseContentCheck(job: job, head: nil)
    #expect(
      check.judge(Self.file(.html), wasResumed: false)
        == .failed(.content("the server sent a web page")))
    let own = ResponseContentCheck(job: try Self.job(), head: nil)
    #expect(own.judge(Self.file(.html), wasResumed: false) == .accepted)
  }

  @Test("The list's digest alone makes a resumed file start over, and no other one")
  func unexpected() throws {
    let check = ResponseContentCheck(job: try Self.job(digest: Self.other), head: nil)
    #expect(check.judge(Self.file(), wasResumed: true) == .startOver)
    #expect(check.judge(Self.file(), wasResumed: false) == .accepted)
  }
}
