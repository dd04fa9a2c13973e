import ArchiveMinizip
import LibraryAPI
import Models
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Single pages of archives that several servers have.
@Suite(.timeLimit(.minutes(60))) struct RemotePageMirrorTests {
  private static let (first, second, third) = ("http://a/x.zip", "http://b/x.zip", "http://c/x.zip")

  /// The archive of a server: its images have other bytes than those of the other servers, and the same sizes.
  private static func archive(_ version: Int) -> [UInt8] {
    ZipBuilder(
      (1...12).map { .stored("p\($0).png", image($0, of: version)) } + [
        .stored("notes.txt", [UInt8](repeating: 1, count: 40_000))
      ]
    ).build()
  }

  private static func image(_ number: Int, of version: Int) -> [UInt8] {
    Lab.image(number * 100 + version)
  }

  /// A library with a record that is not downloaded, whose only resource is the archive on three servers.
  private func lab(_ web: MirrorWeb, retries: Int = 2) async throws -> (Lab, Engine, ResourceID) {
    let lab = try Lab(clock: ManualClock(turnsByItself: true))
    lab.settings.network.retries = retries
    web.other = lab.web
    lab.transport = web
    lab.archiveReader = MinizipReader()
    let lines =
      [Self.first, Self.second, Self.third].joined(separator: "\t") + "\n header=X-Key: 1"
    lab.web.serve(Lab.list, FakeAnswer(body: Array(lines.utf8)))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(isLazy: true))
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.mirrors == [Self.second, Self.third])
    return (lab, engine, resource.id)
  }

  private func web(_ behaviour: RangeServer.Behaviour = .init()) -> MirrorWeb {
    MirrorWeb(
      Dictionary(
        uniqueKeysWithValues: ["a", "b", "c"].enumerated().map { version, host in
          let bytes = Self.archive(version + 1)
          // All servers have the same tag, which says nothing about another server's file.
          return (host, RangeServer(host == "a" ? behaviour : .init()) { _ in .init(bytes: bytes) })
        }))
  }

  private func contents(_ page: Page?, _ lab: Lab) throws -> [UInt8] {
    try FileSystem.contents(of: lab.layout.rendition(try #require(page?.file)))
  }

  @Test(
    "If a server fails, the next one serves the list and the pages",
    arguments: [
      MirrorWeb.Failure.status(404), .status(403), .status(500), .status(503),
      .transport(.connectionRefused), .transport(.connectionLost), .transport(.dns),
      .transport(.connectTimeout), .transport(.tls),
    ])
  func nextServer(_ failure: MirrorWeb.Failure) async throws {
    let web = web()
    web.fail("a", failure)
    let (lab, engine, id) = try await lab(web)
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(web.hosts == ["a", "b"])
    let page = try await engine.remotePage(3, of: id, withThumbnail: true)
    #expect(try contents(page, lab) == Self.image(3, of: 2))
    #expect(web.hosts == ["a", "b", "b"], "the server of the list serves the page")
    #expect(lab.clock.now() < 1)
    // Fields of the entry may be credentials, and another server receives none.
    #expect(web.requests.map { $0.fields["X-Key"] } == ["1", nil, nil])
    lab.clock.advance(by: RemotePageLists.lifetime + 1)
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(web.hosts == ["a", "b", "b", "b"], "the list is validated where it was read")
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A server without ranges, and one with another file, are replaced by the next one")
  func unusable() async throws {
    let web = web(.init(ignoresRanges: true))
    web.replace("b", by: [UInt8]("<html>".utf8))
    let (lab, engine, id) = try await lab(web)
    let page = try await engine.remotePage(1, of: id, withThumbnail: false)
    #expect(try contents(page, lab) == Self.image(1, of: 3))
    #expect(
      web.hosts == ["a", "a", "b", "c", "c"], "the end of the file is requested in two forms")
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "After a failure at a page, the directory of the next server is read: versions are not mixed")
  func newDirectory() async throws {
    let web = web()
    let (lab, engine, id) = try await lab(web)
    let early = try await engine.remotePage(1, of: id, withThumbnail: false)
    #expect(try contents(early, lab) == Self.image(1, of: 1))
    web.fail("a", .status(500))
    let page = try await engine.remotePage(2, of: id, withThumbnail: false)
    #expect(try contents(page, lab) == Self.image(2, of: 2))
    #expect(web.hosts == ["a", "a", "a", "b", "b"])
    #expect(web.requests.map { $0.fields["Range"] ?? "" }[3] == "bytes=-16384")
    #expect(web.requests[3].fields["If-Range"] == nil)
    // The same page of another server has another address, also with an equal tag.
    let again = try await engine.remotePage(1, of: id, withThumbnail: false)
    #expect(try contents(again, lab) == Self.image(1, of: 2))
    #expect(again?.file != early?.file)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A temporary failure is retried after the other servers, with the retries of the settings")
  func passingFailure() async throws {
    let web = web()
    web.fail("a", .status(503), times: 2)
    web.fail("b", .status(404))
    web.fail("c", .transport(.tls))
    let (lab, engine, id) = try await lab(web)
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(web.hosts == ["a", "b", "c", "a", "a"])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The wait that a server requests is observed")
  func waits() async throws {
    let web = web()
    web.fail("a", .status(429), times: 1)
    let (lab, engine, id) = try await lab(web)
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(web.hosts == ["a", "a"])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("If all servers fail, the error names each and its cause")
  func allFail() async throws {
    let web = web(.init(ignoresRanges: true))
    web.fail("b", .status(404))
    web.fail("c", .status(500))
    let (lab, engine, id) = try await lab(web, retries: 1)
    let error = await #expect(throws: LibraryError.self) {
      try await engine.remotePage(1, of: id, withThumbnail: false)
    }
    #expect(
      error?.detail.hasPrefix("none of 3 URLs could be downloaded: \(Self.first): the server does")
        == true)
    #expect(
      error?.detail.hasSuffix(
        "; \(Self.second): HTTP 404 Not Found; \(Self.third): HTTP 500 Internal Server Error")
        == true)
    #expect(
      web.hosts == ["a", "a", "b", "c", "c"], "the end of the file is requested in two forms")
    await engine.stop()
    try await lab.checkLibrary()
  }
}

/// A transport to one archive on several servers, and to the list of a lab.
final class MirrorWeb: Transport {
  enum Failure: Sendable {
    case status(Int)
    case transport(TransportError.Code)
  }

  private struct State {
    var servers: [String: RangeServer]
    var failures: [String: (failure: Failure, times: Int)] = [:]
    var requests: [TransportRequest] = []
    var other: (any Transport)?
  }

  private let state: Mutex<State>

  /// - Parameter servers: The servers by their hosts.
  init(_ servers: [String: RangeServer]) { state = Mutex(State(servers: servers)) }

  /// The transport for every other host.
  var other: (any Transport)? {
    get { state.withLock { $0.other } }
    set { state.withLock { $0.other = newValue } }
  }

  /// The requests for the archive.
  var requests: [TransportRequest] { state.withLock { $0.requests } }
  var hosts: [String] { requests.map(\.url.host) }

  /// Lets the next requests to a host fail.
  func fail(_ host: String, _ failure: Failure, times: Int = .max) {
    state.withLock { $0.failures[host] = (failure, times) }
  }

  func replace(_ host: String, by bytes: [UInt8]) {
    state.withLock { $0.servers[host] = RangeServer { _ in .init(bytes: bytes) } }
  }

  @concurrent
  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    let host = request.url.host
    let (server, failure) = state.withLock { state -> (RangeServer?, Failure?) in
      guard let server = state.servers[host] else { return (nil, nil) }
      state.requests.append(request)
      guard let (failure, times) = state.failures[host], times > 0 else { return (server, nil) }
      state.failures[host]?.times = times - 1
      return (server, failure)
    }
    guard let server else {
      guard let other else { throw TransportError(.dns, url: request.url, detail: "no host") }
      return try await other.perform(request, into: sink)
    }
    switch failure {
    case nil: return try await server.perform(request, into: sink)
    case .transport(let code)?:
      throw TransportError(code, url: request.url, detail: "as written down")
    case .status(let status)?:
      let head = ResponseHead(status: status, url: request.url, fields: HTTPFields())
      _ = try? sink.begin(head)
      return TransportResponse(head: head, body: .refused, timings: TransferTimings())
    }
  }

  func shutdown() async { await other?.shutdown() }
}
