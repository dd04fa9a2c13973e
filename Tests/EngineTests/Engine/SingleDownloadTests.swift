import LibraryAPI
import Manifests
import Models
import Testing
import TestSupport
@testable import Engine

/// Resources that a client starts and stops one by one.
@Suite(.timeLimit(.minutes(60))) struct SingleDownloadTests {
  private static func drafts(_ urls: [String]) -> [SingleDownload] {
    urls.map { SingleDownload(url: $0) }
  }

  private func asked(_ lab: Lab) -> [String] { lab.web.requests.map(\.url) }

  @Test("Resources are added to one lazy record, and only those that are started are fetched")
  func starting() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let urls = (1...4).map { Lab.url($0) }
    let (first, record) = try await engine.addResources(
      Self.drafts(Array(urls[..<2])), toRecord: "aria2")
    let (more, same) = try await engine.addResources(
      Self.drafts(Array(urls[2...])), toRecord: "aria2")
    #expect(record.id == same.id && record.isLazy && record.folder == "aria2")
    try await engine.waitUntilIdle()
    #expect(asked(lab).isEmpty)
    try await engine.startTransfers([first[1]: 0, more[0]: 0])
    try await lab.untilCommitted { $0.finished == 2 }
    try await engine.waitUntilIdle()
    #expect(asked(lab).sorted() == [urls[1], urls[2]])
    // A resource that is finished is not fetched again.
    try await engine.startTransfers([first[1]: 0])
    try await engine.waitUntilIdle()
    #expect(asked(lab).count == 2)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A Metalink document is read as a whole, and adds nothing")
  func metalink() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let digest = String(repeating: "0a", count: 32)
    let text = """
      <metalink version="3.0"><files><file name="a/b.zip"><size>7</size><verification>
      <hash type="sha256">\(digest)</hash></verification><resources>
      <url preference="10">http://b/f</url><url preference="90">http://a/f</url></resources></file>
      <file name="c"><url>ftp://a/f</url></file></files></metalink>
      """
    let (entries, problems) = try await engine.files(ofMetalink: Array(text.utf8))
    let entry = try #require(entries.first)
    #expect(entries.count == 1 && entry.name == "b.zip" && entry.byteCount == 7)
    #expect(entry.address == "http://a/f" && entry.mirrors.map(\.description) == ["http://b/f"])
    #expect(entry.checksum == Checksum(.sha256, hexadecimal: digest))
    #expect(problems.count == 1 && problems[0].contains("\"c\" has no URL with http or https"))
    let file = "<file name='a'><url>http://a/f</url></file>"
    let many = String(repeating: file, count: Engine.metalinkLimit + 1)
    for (document, code, cause) in [
      ("<metalink>\(file)", LibraryError.Code.source, "not well-formed in line 1"),
      ("<metalink>\(file)</metalin>", .source, "not well-formed"),
      ("<html></html>", .source, "<html>"), ("", .source, ""),
      ("<metalink>\(many)</metalink>", .policy, "more than 1000 entries (no setting"),
      (String(repeating: "<metalink>", count: 600), .policy, "deep"),
    ] {
      await #expect {
        try await engine.files(ofMetalink: Array(document.utf8))
      } throws: {
        let error = $0 as? LibraryError
        return error?.code == code && error?.detail.contains(cause) == true
          && error?.detail.hasPrefix("The Metalink document: ") == true
      }
    }
    #expect(try await lab.records().isEmpty)
    await engine.stop()
  }

  @Test("The size of a draft is checked")
  func size() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let draft = SingleDownload(url: Lab.url(1), expectedByteCount: 3)
    let (ids, _) = try await engine.addResources([draft], toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 0])
    try await lab.untilCommitted { $0.failed == 1 }
    await engine.stop()
    #expect(try await lab.allResources().first?.reason?.contains("specifies 3") == true)
  }

  @Test("Two titles have two records, and a removed record is replaced")
  func records() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let (_, one) = try await engine.addResources(Self.drafts([Lab.url(1)]), toRecord: "a")
    let (_, other) = try await engine.addResources(Self.drafts([Lab.url(2)]), toRecord: "b")
    #expect(one.id != other.id)
    try await engine.remove(one.id)
    let (ids, new) = try await engine.addResources(Self.drafts([Lab.url(3)]), toRecord: "a")
    #expect(new.id != one.id)
    try await engine.startTransfers([ids[0]: 0])
    try await lab.untilCommitted { $0.finished == 1 }
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The name and the fields of a draft are used")
  func draft() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let (ids, record) = try await engine.addResources(
      [SingleDownload(url: Lab.url(1), title: "named", fields: HTTPFields(["A": "1"]))],
      toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 5_000])
    try await lab.untilCommitted { $0.finished == 1 }
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.first?.fields["A"] == "1")
    #expect(lab.web.requests.first?.bytesPerSecond == 5_000)
    #expect(try await lab.resources(record).first?.file?.name == "0001-named.png")
    await engine.stop()
  }

  @Test("A stopped transfer keeps its partial file, and continues")
  func stopping() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    let engine = try await lab.started()
    let (ids, _) = try await engine.addResources(Self.drafts([LongFile.url]), toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 0])
    try await gate.untilWaiting()
    try await engine.stopTransfers(of: ids, discardingFiles: false)
    #expect(lab.incomingFiles.count == 1)
    #expect(try await lab.allResources().map(\.state) == [.queued])
    try await engine.waitUntilIdle()
    try await engine.startTransfers([ids[0]: 0])
    try await lab.untilCommitted { $0.finished == 1 }
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.last?.fields["Range"] == "bytes=100000-")
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A discarded transfer fails as cancelled, and leaves nothing behind")
  func discarding() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    let engine = try await lab.started()
    let (ids, _) = try await engine.addResources(
      Self.drafts([LongFile.url, Lab.url(1)]), toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 0])
    try await gate.untilWaiting()
    try await engine.stopTransfers(of: ids, discardingFiles: true)
    let resources = try await lab.allResources()
    #expect(resources.allSatisfy(\.isCancelled) && resources.count == 2)
    #expect(lab.incomingFiles == [])
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Of two resources with one request, one can stop and the other continues")
  func sharing() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    let engine = try await lab.started()
    let (ids, _) = try await engine.addResources(
      Self.drafts([LongFile.url, LongFile.url]), toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 0, ids[1]: 0])
    try await gate.untilWaiting()
    try await engine.stopTransfers(of: [ids[0]], discardingFiles: false)
    gate.open()
    try await lab.untilCommitted { $0.finished == 1 }
    try await engine.waitUntilIdle()
    #expect(asked(lab).count == 1)
    #expect(try await lab.allResources().map(\.state) == [.queued, .finished])
    await engine.stop()
  }

  @Test("A changed rate limit restarts the transfer where it was")
  func changingLimit() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    let engine = try await lab.started()
    let (ids, _) = try await engine.addResources(Self.drafts([LongFile.url]), toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 1_000])
    try await gate.untilWaiting()
    // The same limit again changes nothing.
    try await engine.startTransfers([ids[0]: 1_000])
    #expect(asked(lab).count == 1)
    try await engine.startTransfers([ids[0]: 2_000])
    try await lab.untilCommitted { $0.finished == 1 }
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.bytesPerSecond) == [1_000, 2_000])
    #expect(lab.web.requests.last?.fields["Range"] == "bytes=100000-")
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Started transfers are forgotten with the engine")
  func restart() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let (ids, record) = try await engine.addResources(Self.drafts([Lab.url(1)]), toRecord: "aria2")
    await engine.stop()
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    #expect(asked(lab).isEmpty)
    let (more, same) = try await next.addResources(Self.drafts([Lab.url(2)]), toRecord: "aria2")
    #expect(same.id == record.id)
    try await next.startTransfers([ids[0]: 0, more[0]: 0])
    try await lab.untilCommitted { $0.finished == 2 }
    try await next.waitUntilIdle()
    await next.stop()
    try await lab.checkLibrary()
  }
}
