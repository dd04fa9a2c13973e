import ArchiveMinizip
import LibraryAPI
import Models
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Single pages of archives that are not downloaded.
@Suite(.timeLimit(.minutes(60))) struct RemotePageTests {
  private static let url = "http://h/a.zip"

  private static func image(_ number: Int, of version: Int) -> [UInt8] {
    Lab.image(number * 100 + version)
  }

  /// An archive of images and other entries. One of them is so large that no image is received with the directory.
  private static func zip(_ version: Int = 1, pages: Int = 12) -> ZipBuilder {
    ZipBuilder(
      (1...pages).map { .stored("p\($0).png", image($0, of: version)) } + [
        .stored("notes.txt", [UInt8](repeating: 1, count: 40_000)), .folder("f"),
        .stored("__MACOSX/._p1.png", [1]),
      ])
  }

  private static func archive(_ version: Int = 1, pages: Int = 12) -> [UInt8] {
    zip(version, pages: pages).build()
  }

  /// A lab with a record that is not downloaded, whose only resource is the archive.
  private func lab(
    _ server: RangeServer, isOpen: Bool = true,
    clock: ManualClock = ManualClock(turnsByItself: true),
    _ change: (inout Settings) -> Void = { _ in }
  ) async throws -> (Lab, ArchiveWeb, Engine, ResourceID) {
    let lab = try Lab(clock: clock)
    change(&lab.settings)
    let web = ArchiveWeb(server, besides: lab.web, isOpen: isOpen)
    lab.transport = web
    lab.archiveReader = MinizipReader()
    lab.serveList([Self.url])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(isLazy: true))
    let id = try #require(try await lab.allResources().first).id
    return (lab, web, engine, id)
  }

  private func contents(_ page: Page?, _ lab: Lab) throws -> [UInt8] {
    try FileSystem.contents(of: lab.layout.rendition(try #require(page?.file)))
  }

  @Test("The pages are listed with one request, and one page is fetched with another one")
  func listAndFetch() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, _, engine, id) = try await lab(server)
    let pages = try await engine.remotePages(of: id)
    #expect(pages.map(\.label) == (1...12).map { "p\($0).png" })
    #expect(pages.map(\.number) == Array(1...12))
    #expect(server.ranges == ["bytes=-16384"])

    let page = try await engine.remotePage(3, of: id, withThumbnail: false)
    #expect(try contents(page, lab) == Self.image(3, of: 1))
    #expect(page?.file?.hasSuffix("-p3.png") == true)
    // The first bytes of the image state its dimensions; no thumbnail is needed.
    #expect((page?.width, page?.height) == (3, 2))
    #expect(
      try await engine.remotePages(of: id).map(\.width) == [0, 0, 3] + [Int](repeating: 0, count: 9)
    )
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.fields["If-Range"] == "\"v1\"")
    #expect(server.sent < 16_384 + 2_048, "only one page is fetched")
    #expect(try await engine.remotePage(13, of: id, withThumbnail: false) == nil)
    #expect(try await lab.allResources().map(\.state) == [.queued], "the archive is still to come")

    // The same page again costs no request, also with its thumbnail.
    lab.renderer.remark(lab.layout.rendition(try #require(page?.file)), "a part is missing")
    let again = try await engine.remotePage(3, of: id, withThumbnail: true)
    #expect(again?.file == page?.file && again?.remark == "a part is missing")
    #expect((again?.width, again?.height) == (3, 2))
    #expect(FileSystem.exists(lab.layout.rendition(again?.thumbnail ?? "-")))
    #expect(server.requests.count == 2)
    #expect(
      try FileSystem.list(lab.layout.incoming).map(\.name).filter { $0.contains("remote") } == [])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The address does not depend on the state of the page, and changes with the version")
  func names() async throws {
    let bytes = [Self.archive(1), Self.archive(2)]
    let server = RangeServer {
      .init(bytes: bytes[$0 < 2 ? 0 : 1], tag: $0 < 2 ? "\"1\"" : "\"2\"")
    }
    let (lab, _, engine, id) = try await lab(server)
    let listed = try await engine.remotePages(of: id)[0].file
    let fetched = try await engine.remotePage(1, of: id, withThumbnail: false)?.file
    func stem(_ name: String?) -> Substring { name?.split(separator: ".").first ?? "" }
    #expect(stem(listed) == stem(fetched) && !stem(listed).isEmpty)
    lab.clock.advance(by: 100)
    let changed = try await engine.remotePages(of: id)[0].file
    #expect(stem(changed) != stem(listed))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "An old list is validated by its tag with one byte; a changed tag makes the archive read again")
  func validation() async throws {
    let bytes = [Self.archive(1), Self.archive(2, pages: 13)]
    let server = RangeServer {
      .init(bytes: bytes[$0 < 2 ? 0 : 1], tag: $0 < 2 ? "\"1\"" : "\"2\"")
    }
    let (lab, _, engine, id) = try await lab(server)
    _ = try await engine.remotePages(of: id)
    _ = try await engine.remotePages(of: id)
    #expect(server.requests.count == 1, "a new list is used as it is")
    lab.clock.advance(by: RemotePageLists.lifetime + 1)
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(server.requests.count == 2)
    #expect(server.ranges.last == "bytes=0-0")
    #expect(server.requests.last?.fields["If-Range"] == "\"1\"")
    lab.clock.advance(by: RemotePageLists.lifetime + 1)
    #expect(try await engine.remotePages(of: id).count == 13)
    #expect(server.ranges.suffix(2) == ["bytes=0-0", "bytes=-16384"])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "A page is never one of another version than its list", arguments: [false, true])
  func changeWhileFetching(_ ignoresConditions: Bool) async throws {
    let bytes = [Self.archive(1), Self.archive(2)]
    let server = RangeServer(.init(ignoresConditions: ignoresConditions)) {
      .init(bytes: bytes[$0 < 1 ? 0 : 1], tag: $0 < 1 ? "\"1\"" : "\"2\"")
    }
    let (lab, _, engine, id) = try await lab(server)
    _ = try await engine.remotePages(of: id)
    let page = try await engine.remotePage(2, of: id, withThumbnail: false)
    #expect(try contents(page, lab) == Self.image(2, of: 2))
    #expect(
      server.requests.count == 4, "the refused part, the list, and the part of the new version")
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Without a validator nothing is kept, since nothing could tell that it has changed")
  func noValidator() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes, tag: nil) }
    let (lab, _, engine, id) = try await lab(server)
    _ = try await engine.remotePages(of: id)
    _ = try await engine.remotePages(of: id)
    #expect(server.requests.count == 2)
    let page = try await engine.remotePage(1, of: id, withThumbnail: false)
    #expect(try contents(page, lab) == Self.image(1, of: 1))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A server without ranges has an error of its own, and is left before the body")
  func noRanges() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(ignoresRanges: true)) { _ in .init(bytes: bytes) }
    let (lab, _, engine, id) = try await lab(server)
    let list = await #expect(throws: LibraryError.self) { try await engine.remotePages(of: id) }
    let page = await #expect(throws: LibraryError.self) {
      try await engine.remotePage(1, of: id, withThumbnail: false)
    }
    #expect(list?.code == .noRanges && list == page)
    #expect(
      list?.detail
        == "http://h/a.zip: the server does not send parts of files; the archive "
        + "(\(bytes.count) bytes) must be downloaded whole")
    #expect(server.sent == 0)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Lies of a directory are errors of their page, and leave no file")
  func lies() async throws {
    var zip = Self.zip(pages: 6)
    zip.entries[0].crc ^= 1
    zip.entries[1].uncompressedSize = 1
    zip.entries[2].localName = Array("x3.png".utf8)
    zip.entries[3].flags |= 1
    zip.entries[4].method = 99
    zip.entries[5] = .stored("p6.png", Array("<html>".utf8))
    let bytes = zip.build()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, _, engine, id) = try await lab(server)
    for number in [1, 2, 3, 5, 6] {
      let error = await #expect(throws: LibraryError.self, "page \(number)") {
        try await engine.remotePage(number, of: id, withThumbnail: false)
      }
      #expect(error?.code == .source)
      #expect(error?.detail.contains("http://h/a.zip: p\(number).png: ") == true)
    }
    let encrypted = try await engine.remotePage(4, of: id, withThumbnail: false)
    #expect(encrypted?.hasImage == false && encrypted?.reason?.contains("encrypted") == true)
    let left = try FileSystem.list(lab.layout.incoming).map(\.name)
    #expect(left.filter { $0.hasPrefix("remote") } == [])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Pages are those of the downloaded archive, in the same order")
  func sameOrder() async throws {
    var zip = ZipBuilder(
      ["e\u{301}.png", "b.png", "\u{e9}.png", "f.png"].enumerated().map { index, name in
        .stored(name, Self.image(index + 1, of: 1))
      })
    // Deflate64, which no reader of archives supports.
    zip.entries[1].method = 9
    // Names that are equal when they are composed have the order of their data, not that of the directory.
    zip.directoryOrder = [3, 2, 1, 0]
    let bytes = zip.build()
    let (_, _, engine, id) = try await lab(RangeServer { _ in .init(bytes: bytes) })
    let labels = try await engine.remotePages(of: id).map { Array(($0.label ?? "").utf8) }
    #expect(labels == ["f.png", "e\u{301}.png", "\u{e9}.png"].map { Array($0.utf8) })
    await engine.stop()
  }

  @Test("Viewers of the same page and list share the requests")
  func sharing() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, web, engine, id) = try await lab(server, isOpen: false)
    async let pages = (0..<8).concurrently { _ in
      try await engine.remotePage(5, of: id, withThumbnail: true)?.file
    }
    try await web.activity.until { $0.active == 1 }
    web.gate.open()
    #expect(Set(try await pages).count == 1)
    #expect(server.requests.count == 2)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The requests count for the budget of their host, besides transfers")
  func budget() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, web, engine, id) = try await lab(server) { $0.network.maxPerHost = 2 }
    _ = try await engine.remotePages(of: id)
    web.gate.close()
    async let pages = (1...9).concurrently { number in
      try await engine.remotePage(number, of: id, withThumbnail: false)?.number
    }
    try await web.activity.until { $0.active == 2 }
    #expect(await engine.status().hosts.map(\.active) == [2])
    #expect(await engine.status().hosts.map(\.host) == ["http://h"])
    web.gate.open()
    #expect(Set(try await pages) == Set(1...9))
    #expect(web.activity.value.peak == 2)
    #expect(await engine.status().hosts.isEmpty)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A host that throttles is given the time it asks for, and the user is told")
  func throttling() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(status: (0, 429))) { _ in .init(bytes: bytes) }
    let (lab, _, engine, id) = try await lab(server)
    let events = await engine.eventStream()
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(server.requests.count == 2)
    await engine.stop()
    var waits = 0
    for await event in events { if case .hostWaits = event.kind { waits += 1 } }
    #expect(waits == 1)
    try await lab.checkLibrary()
  }

  @Test("A pause does not keep a user from looking, and the paused archive is not downloaded")
  func paused() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, _, engine, id) = try await lab(server)
    try await engine.pause(nil)
    #expect(try await engine.remotePages(of: id).count == 12)
    #expect(try await lab.allResources().map(\.state) == [.queued])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The end of the engine ends requests, and those that wait for their turn")
  func stopping() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, web, engine, id) = try await lab(server) { $0.network.maxPerHost = 1 }
    _ = try await engine.remotePages(of: id)
    web.gate.close()
    async let ends = (1...3).concurrently { number -> LibraryError.Code? in
      do {
        _ = try await engine.remotePage(number, of: id, withThumbnail: false)
        return nil
      } catch let error as LibraryError {
        return error.code
      }
    }
    try await web.activity.until { $0.active == 1 }
    await engine.stop()
    #expect(try await ends == [.interrupted, .interrupted, .interrupted])
    try await lab.checkLibrary()
  }

  @Test("Fields and addresses are those of the resource's download")
  func request() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let (lab, _, engine, id) = try await lab(server) { $0.network.headers = ["X-Secret: 1"] }
    _ = try await engine.remotePages(of: id)
    #expect(server.requests.map { $0.fields["X-Secret"] } == ["1"])
    // The list came from a host without a known address, which counts as public.
    #expect(server.requests.map(\.addresses) == [.publicOnly])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A downloaded archive, and what is no archive, has no remote pages")
  func others() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let lab = try Lab()
    lab.transport = ArchiveWeb(server, besides: lab.web)
    lab.archiveReader = MinizipReader()
    lab.serveList([Self.url, Lab.url(1)])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let before = server.requests.count
    for resource in try await lab.allResources() {
      #expect(!resource.hasRemotePages)
      let error = await #expect(throws: LibraryError.self) {
        try await engine.remotePages(of: resource.id)
      }
      #expect(error?.code == .source)
    }
    #expect(server.requests.count == before)
    await engine.stop()
    try await lab.checkLibrary()
  }
}

extension Range<Int> {
  fileprivate func concurrently<Value: Sendable>(
    _ body: @escaping @Sendable (Int) async throws -> Value
  ) async throws -> [Value] { try await Array(self).concurrently(body) }
}

extension ClosedRange<Int> {
  fileprivate func concurrently<Value: Sendable>(
    _ body: @escaping @Sendable (Int) async throws -> Value
  ) async throws -> [Value] { try await Array(self).concurrently(body) }
}

extension [Int] {
  /// Calls the body for all elements at once, and returns the results in any order.
  fileprivate func concurrently<Value: Sendable>(
    _ body: @escaping @Sendable (Int) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
      for element in self { group.addTask { try await body(element) } }
      var values: [Value] = []
      for try await value in group { values.append(value) }
      return values
    }
  }
}
