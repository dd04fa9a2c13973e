import Hashing
import LibraryAPI
import Models
import Testing
import TestSupport

@testable import Engine

/// Checksums of every algorithm that a list may state.
@Suite(.timeLimit(.minutes(60))) struct ChecksumTests {
  private static let url = "http://h/f.png"
  private static let content = Lab.image(1)

  private static func checksum(_ algorithm: Checksum.Algorithm, _ bytes: [UInt8]) -> Checksum {
    let digest = MessageDigest(algorithm)
    digest.update(bytes.span.bytes)
    return digest.finish()
  }

  /// The text of a list in the form of an input file of aria2.
  private static func list(_ checksum: Checksum, _ urls: String = url) -> FakeAnswer {
    FakeAnswer(body: Array("\(urls)\n checksum=\(checksum)\n".utf8))
  }

  private func lab(_ list: FakeAnswer) throws -> Lab {
    let lab = try Lab()
    lab.web.serve(Lab.list, list)
    lab.web.serve(Self.url, .file(Self.content))
    return lab
  }

  @Test("A file with the stated checksum is stored", arguments: Checksum.Algorithm.allCases)
  func matching(algorithm: Checksum.Algorithm) async throws {
    let checksum = Self.checksum(algorithm, Self.content)
    let lab = try lab(Self.list(checksum))
    try await lab.run()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished && resource.expectedChecksum == checksum)
    try await lab.checkLibrary()
  }

  @Test("Another file fails with both checksums", arguments: Checksum.Algorithm.allCases)
  func other(algorithm: Checksum.Algorithm) async throws {
    let (found, stated) = (Self.checksum(algorithm, Self.content), Self.checksum(algorithm, [1]))
    let lab = try lab(Self.list(stated))
    try await lab.run()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .failed && resource.file == nil)
    #expect(
      resource.reason
        == "its \(algorithm.title) is \(found.digits), the manifest specifies \(stated.digits)")
    #expect(lab.web.requests.count { $0.url == Self.url } == 1)
    try await lab.checkLibrary()
  }

  @Test("Another file than the stated one leads to the next mirror")
  func mirror() async throws {
    let other = Lab.image(2)
    let lab = try lab(Self.list(Self.checksum(.sha1, other), "\(Self.url)\thttp://m/f.png"))
    lab.web.serve("http://m/f.png", .file(other))
    try await lab.run()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.file?.digest == SHA256Hasher.hash(of: other))
    try await lab.checkLibrary()
  }

  @Test("A list that states a checksum during the transfer has it verified, too")
  func late() async throws {
    for (stated, state) in [(Self.content, ResourceState.finished), ([1], .failed)] {
      let lab = try lab(FakeAnswer(body: Array("\(Self.url)\n".utf8)))
      let gate = Gate()
      lab.web.serve(Self.url, .file(Self.content).held(by: gate), .file(Self.content))
      lab.web.serve("http://h/b.txt", Self.list(Self.checksum(.md5, stated)))
      let engine = try await lab.started()
      _ = try await engine.add(Lab.request())
      try await lab.web.activity.until { $0.ended >= 1 && $0.active >= 1 }
      _ = try await engine.add(Lab.request("http://h/b.txt"))
      gate.open()
      try await engine.waitUntilIdle()
      await engine.stop()
      #expect(try await lab.allResources().map(\.state) == [.finished, state])
      try await lab.checkLibrary()
    }
  }

  @Test("Such a list receives the file, also if the first one was removed during the transfer")
  func lateAndAlone() async throws {
    let lab = try lab(FakeAnswer(body: Array("\(Self.url)\n".utf8)))
    let gate = Gate()
    lab.web.serve(Self.url, .file(Self.content).held(by: gate), .file(Self.content))
    lab.web.serve("http://h/b.txt", Self.list(Self.checksum(.md5, Self.content)))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.web.activity.until { $0.ended >= 1 && $0.active >= 1 }
    let first = try #require(try await lab.records().first?.id)
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await engine.remove(first)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished])
    #expect(lab.web.requests.count { $0.url == Self.url } == 2)
    try await lab.checkLibrary()
  }

  @Test("A refresh takes a corrected checksum, so that the file can be downloaded")
  func corrected() async throws {
    let lab = try lab(Self.list(Self.checksum(.md5, [1])))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let record = try #require(try await lab.records().first?.id)
    let corrected = Self.checksum(.sha1, Self.content)
    lab.web.serve(Lab.list, Self.list(corrected))
    _ = try await engine.refresh(record)
    #expect(try await engine.retry(record) == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished && resource.expectedChecksum == corrected)
    try await lab.checkLibrary()
  }

  @Test("A file of the library is requested again for a checksum that the library does not know")
  func existing() async throws {
    let lab = try lab(FakeAnswer(body: Array("\(Self.url)\n".utf8)))
    lab.web.serve("http://h/b.txt", Self.list(Self.checksum(.sha512, Self.content)))
    let engine = try await lab.started()
    for list in [Lab.list, "http://h/b.txt"] {
      _ = try await engine.add(Lab.request(list))
      try await engine.waitUntilIdle()
    }
    await engine.stop()
    #expect(lab.web.requests.count { $0.url == Self.url } == 2)
    #expect(lab.web.requests.allSatisfy { $0.ifNoneMatch == nil })
    #expect(try await lab.allResources().map(\.state) == [.finished, .finished])
    try await lab.checkLibrary()
  }
}
