import Hashing
import LibraryAPI
import Models
import Persistence
import Testing
import TestSupport
import Transport
@testable import Engine

/// Content that several servers have.
@Suite(.timeLimit(.minutes(60))) struct MirrorTests {
  private static let (first, second, third) = ("http://a/f.bin", "http://b/f.bin", "http://c/f.bin")

  /// A file so long that a transfer that breaks off makes progress.
  private static let content: [UInt8] = {
    var random = SeededGenerator(seed: 5)
    return random.bytes(100_000)
  }()

  /// A library whose list is an input file of aria2.
  private func lab(_ lines: String...) throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 2
    lab.web.serve(Lab.list, FakeAnswer(body: Array(lines.joined(separator: "\n").utf8)))
    return lab
  }

  private static let urls = [first, second, third].joined(separator: "\t")

  private static func checksum(_ bytes: [UInt8]) -> String {
    " checksum=sha-256=\(SHA256Hasher.hash(of: bytes))"
  }

  private func run(_ lab: Lab) async throws -> Resource {
    try await lab.run()
    try await lab.checkLibrary()
    #expect(lab.incomingFiles.isEmpty)
    return try #require(try await lab.allResources().first)
  }

  private func requests(_ lab: Lab) -> [String] {
    lab.web.requests.dropFirst().map { request in
      let host = request.url.split(separator: "/")[1]
      return request.range.map { "\(host) \($0)" } ?? String(host)
    }
  }

  // MARK: - The next one

  @Test(
    "If the first mirror is missing and the second one fails during the transfer, the third is used"
  )
  func thirdWorks() async throws {
    let lab = try lab(Self.urls)
    lab.web.serve(Self.second, .file(Self.content).cut(after: 50_000), .failure(.connectionRefused))
    lab.web.serve(Self.third, .file(Self.content, tag: "\"other\""))
    let resource = try await run(lab)
    #expect(resource.state == .finished && resource.url == Self.first)
    #expect(resource.file?.name == "0001-f.bin")
    #expect(resource.file?.answer == nil, "The file answers no request for the first URL.")
    #expect(resource.mirrors == [Self.second, Self.third])
    // The server that broke off is asked to continue; another one with another tag begins anew.
    #expect(requests(lab).prefix(3) == ["a", "b", "b bytes=50000-"])
    #expect(requests(lab).last == "c")
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == Self.content)
  }

  @Test(
    "Permanent errors of a server lead to the next mirror at once",
    arguments: [
      FakeAnswer(status: 401), FakeAnswer(status: 403), FakeAnswer(status: 404),
      FakeAnswer(status: 410), FakeAnswer(status: 451), FakeAnswer(status: 500),
      FakeAnswer(status: 503).with("Retry-After", "50"), .failure(.connectionRefused),
      .failure(.dns), .failure(.tls), .failure(.connectTimeout), .failure(.idleTimeout),
      .failure(.tooManyRedirects), .failure(.addressRefused), .failure(.lowSpeed),
    ])
  func next(answer: FakeAnswer) async throws {
    let lab = try lab(Self.urls)
    lab.web.serve(Self.first, answer)
    lab.web.serve(Self.second, .file(Lab.image(1)))
    #expect(try await run(lab).state == .finished)
    #expect(requests(lab) == ["a", "b"])
    #expect(lab.clock.now() < 1)
  }

  @Test("The wait that a server requests is observed")
  func waits() async throws {
    let lab = try lab(Self.urls)
    lab.web.serve(
      Self.first, FakeAnswer(status: 429).with("Retry-After", "20"), .file(Lab.image(1)))
    let resource = try await run(lab)
    #expect(resource.file?.answer != nil)
    #expect(requests(lab) == ["a", "a"])
    #expect(lab.clock.now() >= 20)
  }

  @Test("If all mirrors fail, the reason names each URL and its cause")
  func allFail() async throws {
    let lab = try lab(Self.urls)
    lab.web.serve(Self.second, .failure(.tls))
    lab.web.serve(Self.third, FakeAnswer(status: 500))
    let resource = try await run(lab)
    #expect(resource.state == .failed)
    #expect(
      resource.reason == "none of 3 URLs could be downloaded: \(Self.first): HTTP 404 Not Found; "
        + "\(Self.second): tls, as written down; \(Self.third): HTTP 500 Internal Server Error")
    // Only the failure that may pass is tried again.
    #expect(requests(lab) == ["a", "b", "c", "c", "c"])
  }

  @Test("A retry begins with the resource's own URL")
  func retry() async throws {
    let lab = try lab(Self.urls)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.forgetRequests()
    lab.web.serve(Self.first, .file(Lab.image(1)))
    _ = try await engine.retry(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.map(\.url) == [Self.first])
    #expect(try await lab.allResources().map(\.state) == [.finished])
  }

  @Test("Events name the URL that failed and the next one")
  func events() async throws {
    let lab = try lab(Self.urls)
    lab.web.serve(Self.second, .file(Lab.image(1)))
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    await engine.stop()
    try await events.until {
      guard case .retrying(_, _, let reason, 0) = $0 else { return false }
      return reason == "\(Self.first): HTTP 404 Not Found; next: \(Self.second)"
    }
  }

  @Test("A host that is unreachable for other resources is skipped")
  func unreachableHost() async throws {
    let lines = (1...30).map { "http://a/\($0).png\thttp://b/\($0).png" }
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.settings.network.maxConcurrentDownloads = 1
    lab.web.serve(Lab.list, FakeAnswer(body: Array(lines.joined(separator: "\n").utf8)))
    for number in 1...30 {
      lab.web.serve("http://a/\(number).png", .failure(.connectionRefused))
      lab.web.serve("http://b/\(number).png", .file(Lab.image(number)))
    }
    try await lab.run()
    #expect(try await lab.disk.totals().finished == 30)
    #expect(lab.web.requests.count { $0.url.hasPrefix("http://a/") } < 30)
  }

  // MARK: - What is accepted

  @Test("A file with another checksum is refused, and the next mirror requested")
  func checksum() async throws {
    let lab = try lab(Self.urls, Self.checksum(Lab.image(1)))
    lab.web.serve(Self.first, .file(Lab.image(2)))
    lab.web.serve(Self.second, .file(Lab.image(3)))
    lab.web.serve(Self.third, .file(Lab.image(1)))
    #expect(try await run(lab).state == .finished)
    #expect(requests(lab) == ["a", "b", "c"])
  }

  @Test("If no mirror has the content, the reason names the checksums")
  func noChecksum() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", Self.checksum(Lab.image(1)))
    lab.web.serve(Self.first, .file(Lab.image(2)))
    lab.web.serve(Self.second, .file(Lab.image(3)))
    let reason = try #require(try await run(lab).reason)
    for number in [1, 2, 3] {
      #expect(reason.contains("\(SHA256Hasher.hash(of: Lab.image(number)))"), "\(reason)")
    }
  }

  @Test("A file of another size than the list states is refused")
  func size() async throws {
    let image = Lab.image(1)
    let lab = try Lab()
    lab.web.serve(
      Lab.list,
      FakeAnswer(
        body: Array(
          """
          <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="f.png"><size>\(image.count)</size>
          <url priority="1">\(Self.first)</url><url priority="2">\(Self.second)</url></file></metalink>
          """.utf8)))
    lab.web.serve(Self.first, .file(image + [0]))
    lab.web.serve(Self.second, .file(image))
    let resource = try await run(lab)
    #expect(resource.state == .finished && resource.expectedByteCount == Int64(image.count))
    #expect(requests(lab) == ["a", "b"])
  }

  @Test("Request fields of the list are sent only to the server that they were given for")
  func credentials() async throws {
    let lab = try lab(
      "\(Self.first)\t\(Self.second)\thttp://a/g.png", " header=Authorization: Bearer s",
      " header=Cookie: c=1")
    lab.web.serve("http://a/g.png", .file(Lab.image(1)))
    #expect(try await run(lab).state == .finished)
    let sent = lab.web.requests.dropFirst()
    #expect(sent.map { $0.fields["Authorization"] } == ["Bearer s", nil, "Bearer s"])
    #expect(sent.map { $0.fields["Cookie"] } == ["c=1", nil, "c=1"])
  }

  @Test("Another list with the same URL gets no file from a mirror that it does not name")
  func foreignMirror() async throws {
    let lab = try lab(Self.urls)
    lab.web.serve("http://h/other.txt", FakeAnswer(body: Array(Self.first.utf8)))
    let gate = Gate()
    lab.web.serve(Self.first, FakeAnswer(status: 404).held(by: gate), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Lab.image(1)))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    _ = try await engine.add(Lab.request("http://h/other.txt"))
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
    let all = try await lab.allResources()
    #expect(Set(all.map(\.state)) == [.finished, .failed])
    #expect(all.first { $0.mirrors.isEmpty }?.reason == "HTTP 404 Not Found")
  }

  @Test("An image service may be a mirror, and its description is requested on every turn")
  func imageServices() async throws {
    let (first, second) = ("http://a/iiif/x", "http://b/iiif/x")
    let lab = try lab("\(first)#iiif\t\(second)#iiif")
    let info = FakeAnswer(body: Array(ImageServiceTests.v3.utf8))
    lab.web.serve(first + "/info.json", FakeAnswer(status: 500), info)
    lab.web.serve(second + "/info.json", FakeAnswer(status: 404))
    lab.web.serve(first + "/full/max/0/default.jpg", ImageServiceTests.png(600, 400))
    let resource = try await run(lab)
    #expect(resource.state == .finished && resource.mirrors == [second + "#iiif"])
    #expect(
      lab.web.requests.dropFirst().map(\.url) == [
        first + "/info.json", second + "/info.json", first + "/info.json",
        first + "/full/max/0/default.jpg",
      ])
  }

  @Test("A plain file may be the mirror of an image service, and vice versa")
  func mixedKinds() async throws {
    let service = "http://b/iiif/x"
    let lab = try lab(
      "\(service)#iiif\thttp://a/1.png", "http://a/2.png\t\(service)2#iiif")
    lab.web.serve("http://a/1.png", .file(Lab.image(1)))
    lab.web.serve(service + "2/info.json", FakeAnswer(body: Array(ImageServiceTests.v3.utf8)))
    lab.web.serve(service + "2/full/max/0/default.jpg", .file(Lab.image(2)))
    try await lab.run()
    try await lab.checkLibrary()
    #expect(try await lab.allResources().map(\.state) == [.finished, .finished])
  }

  // MARK: - Resuming

  @Test("With a checksum another mirror continues the file, and the result is verified")
  func resumesWithChecksum() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", Self.checksum(Self.content))
    lab.web.serve(
      Self.first, .file(Self.content).cut(after: 50_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content, tag: "\"other\""))
    let resource = try await run(lab)
    #expect(resource.state == .finished)
    #expect(requests(lab) == ["a", "a bytes=50000-", "b bytes=50000-"])
    #expect(lab.web.requests.last?.ifRange == nil)
  }

  @Test("A wrong continuation is detected at the end, and the download begins again once")
  func wrongContinuation() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", Self.checksum(Self.content))
    var wrong = Self.content
    wrong[100] ^= 1
    lab.web.serve(Self.first, .file(wrong).cut(after: 50_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content, tag: "\"other\""))
    #expect(try await run(lab).state == .finished)
    #expect(requests(lab) == ["a", "a bytes=50000-", "b bytes=50000-", "b"])
  }

  @Test("Without a checksum another URL begins again, also with an equal tag and date")
  func resumesByTag() async throws {
    let date = "Tue, 01 Jul 2025 10:00:00 GMT"
    for tag in ["\"v1\"", nil, "W/\"v1\""] {
      let lab = try lab("\(Self.first)\t\(Self.second)")
      let answer = FakeAnswer.file(Self.content, tag: tag).with("Last-Modified", date)
        .with("Date", "Wed, 02 Jul 2025 10:00:00 GMT")
      lab.web.serve(Self.first, answer.cut(after: 50_000), FakeAnswer(status: 404))
      lab.web.serve(Self.second, answer)
      #expect(try await run(lab).state == .finished)
      #expect(!requests(lab).contains { $0.hasPrefix("b bytes") }, "\(tag ?? "no tag")")
    }
  }

  // MARK: - Mirrors that a response names

  /// An answer that describes the content, and names another URL of it.
  private static func linking(
    _ answer: FakeAnswer,
    _ link: String = "</x>; rel=duplicate; pri=2, <\(second)>; rel=duplicate; pri=1",
    of bytes: [UInt8] = content
  ) -> FakeAnswer {
    answer.with("Link", link)
      .with("Digest", "SHA-256=" + Base64.encode(SHA256Hasher.hash(of: bytes).bytes))
  }

  @Test("Duplicates of a response are tried, at public addresses only")
  func duplicates() async throws {
    let lab = try lab(Self.first)
    lab.web.serve(
      Self.first, Self.linking(.file(Self.content)).cut(after: 50_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content, tag: nil))
    let resource = try await run(lab)
    #expect(resource.state == .finished && resource.mirrors == [])
    // The first response of the other server is only judged, because it would replace the bytes.
    #expect(requests(lab) == ["a", "a bytes=50000-", "b", "b"])
    #expect(lab.web.requests.last?.addresses == .publicOnly)
    #expect(lab.web.requests.map(\.isNamedByResponse) == [false, false, false, true, true])
  }

  @Test("A duplicate with other content is refused")
  func otherDuplicate() async throws {
    let lab = try lab(Self.first)
    lab.web.serve(
      Self.first, Self.linking(.file(Self.content)).cut(after: 50_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content.reversed()))
    let resource = try await run(lab)
    #expect(resource.state == .failed)
    #expect(
      resource.reason?.contains("the first server states") == true, "\(resource.reason ?? "")")
  }

  @Test("A file that differs from the server's own description is refused")
  func statedDigest() async throws {
    let lab = try lab(Self.first)
    lab.web.serve(Self.first, Self.linking(.file(Lab.image(2)), "<x>; rel=next"))
    let resource = try await run(lab)
    #expect(resource.state == .failed)
    #expect(resource.reason?.contains("the server states") == true)
  }

  @Test(
    "A mirror whose file matches no list that names it is requested once, although another waits")
  func unfitMirror() async throws {
    let lab = try lab(
      "\(Self.first)\t\(Self.second)", Self.checksum(Self.content), Self.first)
    lab.web.serve(Self.first, FakeAnswer(status: 404))
    let other = FakeAnswer.file(Self.content.reversed())
    // The end of the sequence ends the test if the requests would not.
    lab.web.serve(Self.second, other, other, other, other, .file(Self.content))
    _ = try await run(lab)
    #expect(requests(lab) == ["a", "b"])
    let resources = try await lab.allResources()
    #expect(resources.map(\.state) == [.failed, .failed])
    for resource in resources {
      #expect(resource.reason?.contains("the manifest specifies") == true, "\(resource)")
    }
  }

  // MARK: - Refreshing

  @Test("A refresh updates mirrors, and does not download finished resources")
  func refresh() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", "\(Self.third)\thttp://d/f.bin")
    lab.web.serve(Self.first, .file(Lab.image(1)))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve(
      Lab.list,
      FakeAnswer(
        body: Array(
          "\(Self.second)\thttp://n/f.bin\t\(Self.first)\n\(Self.third)\thttp://e/f.bin".utf8)))
    lab.web.serve("http://e/f.bin", .file(Lab.image(3)))
    lab.web.forgetRequests()
    let result = try await engine.refresh(record)
    #expect(result.newEntries == 0)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url) == [Lab.list])
    #expect(
      try await lab.allResources().map(\.mirrors) == [
        [Self.second, "http://n/f.bin"], ["http://e/f.bin"],
      ])
    _ = try await engine.retry(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished, .finished])
    try await lab.checkLibrary()
  }
}
