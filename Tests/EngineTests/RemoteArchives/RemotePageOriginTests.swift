import ArchiveMinizip
import LibraryAPI
import Models
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Pages of an archive whose requests are redirected to other servers.
@Suite(.timeLimit(.minutes(60))) struct RemotePageOriginTests {
  private static func image(_ number: Int, of version: Int) -> [UInt8] {
    Lab.image(number * 100 + version)
  }

  /// An archive so large that no image is received with the directory.
  private static func archive(_ version: Int = 1) -> [UInt8] {
    ZipBuilder(
      (1...12).map { .stored("p\($0).png", image($0, of: version)) }
        + [.stored("notes.txt", [UInt8](repeating: 1, count: 40_000))]
    ).build()
  }

  /// A lab with a record that is not downloaded, whose only resource is the archive.
  private func lab(_ server: RangeServer) async throws -> (Lab, Engine, ResourceID) {
    let lab = try Lab()
    lab.transport = ArchiveWeb(server, besides: lab.web)
    lab.archiveReader = MinizipReader()
    lab.serveList(["http://h/a.zip"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(isLazy: true))
    return (lab, engine, try #require(try await lab.allResources().first).id)
  }

  private func contents(_ page: Page?, _ lab: Lab) throws -> [UInt8] {
    try FileSystem.contents(of: lab.layout.rendition(try #require(page?.file)))
  }

  /// The archive of another server, which has the same size and entity tag.
  private static let other = "http://cdn/a.zip"

  @Test("A page is never one of another server's archive than its list")
  func otherOrigin() async throws {
    let bytes = [Self.archive(1), Self.archive(2)]
    #expect(bytes[0].count == bytes[1].count)
    let server = RangeServer(.init { $0 < 1 ? nil : Self.other }) {
      .init(bytes: bytes[$0 < 1 ? 0 : 1])
    }
    let (lab, engine, id) = try await lab(server)
    _ = try await engine.remotePages(of: id)
    let page = try await engine.remotePage(2, of: id, withThumbnail: false)
    #expect(try contents(page, lab) == Self.image(2, of: 2))
    #expect(server.ranges[2] == "bytes=-16384", "the list is read again")
    #expect(server.requests.count == 4)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A page whose bytes fit the list may be one of another server")
  func equalOrigins() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init { "http://h\($0)/a.zip" }) { _ in .init(bytes: bytes) }
    let (lab, engine, id) = try await lab(server)
    _ = try await engine.remotePages(of: id)
    for number in 1...3 {
      let page = try await engine.remotePage(number, of: id, withThumbnail: false)
      #expect(try contents(page, lab) == Self.image(number, of: 1))
    }
    #expect(server.requests.count == 4)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("An old list is not validated by another server")
  func otherOriginOfValidation() async throws {
    let bytes = [Self.archive(1), Self.archive(2)]
    let server = RangeServer(.init { $0 < 1 ? nil : Self.other }) {
      .init(bytes: bytes[$0 < 1 ? 0 : 1])
    }
    let (lab, engine, id) = try await lab(server)
    let old = try await engine.remotePages(of: id)
    lab.clock.advance(by: RemotePageLists.lifetime + 1)
    let new = try await engine.remotePages(of: id)
    #expect(server.ranges == ["bytes=-16384", "bytes=0-0", "bytes=-16384"])
    #expect(new.map(\.label) == old.map(\.label) && new.map(\.file) != old.map(\.file))
    await engine.stop()
    try await lab.checkLibrary()
  }
}
