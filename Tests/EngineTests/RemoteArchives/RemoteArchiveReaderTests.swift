import ArchiveMinizip
import LibraryAPI
import Models
import SystemCalls
import TestSupport
import Testing
import Threading
import Transport

@testable import Engine

/// Pages of zip archives on servers: versions, faults and redirects.
@Suite(.timeLimit(.minutes(60))) struct RemoteArchiveReaderTests {
  private static let url = "http://h/a.zip"
  /// A file that begins like a PNG, unlike in every version.
  private static func page(_ number: Int, of version: Int) -> [UInt8] {
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + (0..<30_000).map { UInt8(truncatingIfNeeded: $0 * number + version) }
  }

  private static func archive(_ version: Int = 1, pages: Int = 12) -> [UInt8] {
    ZipBuilder(
      (1...pages).map { .stored("p\($0).png", page($0, of: version)) }
        + [.stored("notes.txt", [1]), .folder("f"), .stored("__MACOSX/._p1.png", [1])]
    ).build()
  }

  private func reader(
    _ server: RangeServer, _ change: (inout Settings) -> Void = { _ in }
  ) -> RemoteArchiveReader {
    var settings = Settings()
    change(&settings)
    return RemoteArchiveReader(
      Download.Context(
        layout: LibraryLayout(root: "/nowhere"), settings: settings, transport: server,
        files: BlockingQueue("files"), bootID: ""), MinizipReader(),
      clock: ManualClock(turnsByItself: true))
  }

  private func pages(
    _ numbers: [Int], _ server: RangeServer, password: DocumentPassword? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) async throws -> [Result<[UInt8], LibraryError>] {
    let folder = try TemporaryFolder()
    let extraction = try await reader(server, change).extract(
      HTTPURL(Self.url), password: password, into: folder.path
    ) { listing in
      numbers.compactMap { number in listing.entries.firstIndex { $0.page == number } }
    }
    return try extraction.files.map { file in
      switch file.result {
      case .success(let (path, _)): .success(try FileSystem.contents(of: path, limit: 1 << 24))
      case .failure(let error): .failure(error)
      }
    }
  }

  @Test("The list is in natural order, and a page is fetched with one request behind the list")
  func list() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let listing = try await reader(server).list(HTTPURL(Self.url))
    #expect(listing.byteCount == Int64(bytes.count))
    #expect(
      listing.entries.map(\.name) == ["notes.txt"] + (1...12).map { "p\($0).png" })
    #expect(listing.entries.map(\.page) == [nil] + (1...12).map { $0 })
    #expect(listing.traffic.requests == 1)
    #expect(server.ranges == ["bytes=-16384"])

    #expect(
      try await pages([3, 1], server).map { try $0.get() } == [
        Self.page(3, of: 1), Self.page(1, of: 1),
      ])
    #expect(server.requests.count == 4)
    #expect(server.requests.suffix(2).allSatisfy { $0.fields["If-Range"] == "\"v1\"" })
    #expect(server.sent <= 2 * 16_384 + 2 * (30_008 + 1_024))
  }

  @Test(
    "An archive that changes in between is read again, and never mixed",
    arguments: [1, 2, 3], [false, true])
  func change(_ at: Int, _ ignoresConditions: Bool) async throws {
    let (old, new) = (Self.archive(1), Self.archive(2))
    let server = RangeServer(.init(ignoresConditions: ignoresConditions)) { request in
      .init(bytes: request < at ? old : new, tag: request < at ? "\"v1\"" : "\"v2\"")
    }
    let found = try await pages([1, 2, 12], server).map { try $0.get() }
    #expect(found == [1, 2, 12].map { Self.page($0, of: at > 3 ? 1 : 2) })
  }

  /// The file of another server, which has the same size and entity tag.
  private static let other = "http://cdn/a.zip"

  @Test(
    "An archive that another server goes on with is read again, and never mixed",
    arguments: [1, 2, 3])
  func otherOrigin(_ at: Int) async throws {
    let (old, new) = (Self.archive(1), Self.archive(2))
    #expect(old.count == new.count)
    let server = RangeServer(.init { $0 < at ? nil : Self.other }) { request in
      .init(bytes: request < at ? old : new)
    }
    let found = try await pages([1, 2, 12], server).map { try $0.get() }
    #expect(found == [1, 2, 12].map { Self.page($0, of: 2) })
  }

  @Test("The rest of a part is not received from another server")
  func otherOriginOfRest() async throws {
    let (old, new) = (Self.archive(1), Self.archive(2))
    let server = RangeServer(
      .init(origin: { $0 < 2 ? nil : Self.other }, cut: (1, 20_000))
    ) { .init(bytes: $0 < 2 ? old : new) }
    #expect(try await pages([1], server).map { try $0.get() } == [Self.page(1, of: 2)])
    #expect(server.ranges[2].hasPrefix("bytes=20000-"))
  }

  @Test("An archive whose servers take turns is given up")
  func alternatingOrigins() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init { $0.isMultiple(of: 2) ? nil : "http://h\($0)/a.zip" }) { _ in
      .init(bytes: bytes)
    }
    let error = await #expect(throws: LibraryError.self) { try await pages([1, 2], server) }
    #expect(error?.code == .source)
    #expect(error?.detail.contains("changes on the server") == true)
    #expect(server.requests.count <= 8)
  }

  @Test("A version is also told by its date, and by its size")
  func weakVersions() async throws {
    let (old, new) = (Self.archive(1), Self.archive(2, pages: 13))
    let dates = RangeServer { request in
      .init(bytes: old, tag: nil, date: request < 2 ? "then" : "now")
    }
    #expect(try await pages([1, 2], dates).count == 2)
    #expect(dates.requests.count == 6)
    let sizes = RangeServer(.init(ignoresConditions: true)) { request in
      .init(bytes: request < 2 ? old : new, tag: nil)
    }
    #expect(
      try await pages([1, 2], sizes).map { try $0.get() }
        == [Self.page(1, of: 2), Self.page(2, of: 2)])
  }

  @Test(
    "Without a validator, no page of another version of the same size is delivered",
    arguments: [true, false])
  func noValidator(hasHeaderOfOldVersion: Bool) async throws {
    let (old, new) = (Self.archive(1), Self.archive(2))
    #expect(old.count == new.count)
    // The header of the page, with the checksum of the directory, or the whole page is of the other version.
    var mixed = new
    if hasHeaderOfOldVersion {
      let header = try #require(Self.firstHeader(in: old))
      mixed.replaceSubrange(header, with: old[header])
    }
    let server = RangeServer(.init(ignoresConditions: true)) { [mixed] request in
      .init(bytes: request == 1 ? mixed : old, tag: nil)
    }
    let pages = try await pages([1, 2], server)
    guard case .failure(let error)? = pages.first else {
      Issue.record("the page of another version was delivered")
      return
    }
    #expect(error.detail.contains(hasHeaderOfOldVersion ? "checksum" : "contradicts"))
    let second = try #require(pages.last).get()
    #expect(second == Self.page(2, of: 1))
    #expect(server.requests.allSatisfy { $0.fields["If-Range"] == nil })
  }

  /// The local header of the first entry, without its name.
  private static func firstHeader(in archive: [UInt8]) -> Range<Int>? {
    archive.starts(with: [0x50, 0x4b, 3, 4]) ? 0..<30 : nil
  }

  @Test(
    "A transfer that breaks off is not continued by bytes of another version without a validator")
  func mixedRest() async throws {
    let (old, new) = (Self.archive(1), Self.archive(2))
    let server = RangeServer(.init(ignoresConditions: true, cut: (request: 1, after: 10_000))) {
      .init(bytes: $0 == 2 ? new : old, tag: nil)
    }
    guard case .failure(let error)? = try await pages([1], server).first else {
      Issue.record("a mixed page was delivered")
      return
    }
    #expect(error.detail.contains("the checksum of the entry is wrong"))
  }

  @Test("An archive that never stays the same is given up")
  func everChanging() async throws {
    let bytes = Self.archive()
    let server = RangeServer { .init(bytes: bytes, tag: "\"\($0)\"") }
    let error = await #expect(throws: LibraryError.self) { try await pages([1], server) }
    #expect(error?.code == .source)
    #expect(error?.detail.contains("changes on the server") == true)
    #expect(server.requests.count <= 8)
  }

  @Test("A server without ranges is left before the body, with the advice to download the archive")
  func withoutRanges() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(ignoresRanges: true)) { _ in .init(bytes: bytes) }
    let error = await #expect(throws: LibraryError.self) {
      try await reader(server).list(HTTPURL(Self.url))
    }
    #expect(
      error?.detail
        == "http://h/a.zip: the server does not send parts of files; the archive "
        + "(\(bytes.count) bytes) must be downloaded whole")
    #expect(server.sent == 0)
    let small = RangeServer(.init(ignoresRanges: true)) { _ in
      .init(bytes: ZipBuilder([.stored("a.png", [1])]).build())
    }
    #expect(try await pages([1], small).map { try $0.get() } == [[1]])
    #expect(small.requests.count == 1, "a small archive is received with its directory")
  }

  @Test("A server that cannot serve the last bytes is asked for their positions")
  func lastBytes() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(hasNoLastBytes: true)) { _ in .init(bytes: bytes) }
    #expect(try await reader(server).list(HTTPURL(Self.url)).entries.count == 13)
    #expect(server.ranges.last == "bytes=\(bytes.count - 16_384)-\(bytes.count - 1)")
  }

  @Test("A transfer that breaks off is continued, and a busy server is asked again")
  func retries() async throws {
    let bytes = Self.archive()
    let cut = RangeServer(.init(cut: (1, 20_000))) { _ in .init(bytes: bytes) }
    #expect(try await pages([1], cut).map { try $0.get() } == [Self.page(1, of: 1)])
    #expect(cut.requests.count == 3)
    #expect(cut.sent <= 16_384 + 30_008 + 1_024)
    let busy = RangeServer(.init(status: (0, 503))) { _ in .init(bytes: bytes) }
    #expect(try await pages([1], busy).count == 1)
    let missing = RangeServer(.init(status: (0, 404))) { _ in .init(bytes: bytes) }
    let error = await #expect(throws: LibraryError.self) { try await pages([1], missing) }
    #expect(error?.detail == "http://h/a.zip: HTTP 404 Not Found")
    #expect(missing.requests.count == 1)
  }

  @Test("A transfer that breaks behind its last byte is complete", arguments: [0, 1])
  func lateBreak(_ request: Int) async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(cut: (request, bytes.count))) { _ in .init(bytes: bytes) }
    #expect(try await pages([1], server).map { try $0.get() } == [Self.page(1, of: 1)])
    #expect(server.requests.count == 2)
  }

  @Test("A redirect that returns to the origin over another one does not bring the fields back")
  func returningRedirect() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(redirect: "http://h/b.zip", leavesOrigin: true)) { _ in
      .init(bytes: bytes)
    }
    let listing = try await reader(server) { $0.network.headers = ["X-Secret: 1"] }
      .list(HTTPURL(Self.url))
    #expect(listing.entries.count == 13)
    #expect(server.requests.map(\.url.description) == [Self.url, "http://h/b.zip"])
    #expect(server.requests.map { $0.fields["X-Secret"] } == ["1", nil])
    #expect(server.requests.map(\.isNamedByResponse) == [false, true])
  }

  @Test("The compression ratio of a page is that to the whole archive")
  func ratio() async throws {
    let page = [UInt8](repeating: 0, count: 12 << 20)
    let zip = ZipBuilder([
      .deflated("a.png", page), .stored("b.png", Self.page(1, of: 1) + Self.page(2, of: 1)),
    ])
    let server = RangeServer { _ in .init(bytes: zip.build()) }
    func limit(_ settings: inout Settings) { settings.limits.archiveRatio = 100 }
    #expect(try await pages([1], server, limit).map { try $0.get() } == [page])
    // The archive would be refused as a whole, too.
    let bomb = RangeServer { _ in .init(bytes: ZipBuilder([.deflated("a.png", page)]).build()) }
    let error = await #expect(throws: LibraryError.self) { try await pages([1], bomb, limit) }
    #expect(error?.code == .policy)
    #expect(bomb.requests.count == 1, "the bomb is refused before its data is requested")
  }

  @Test("The limits of archives hold for the chosen pages, and the list has none")
  func limits() async throws {
    let bytes = Self.archive()
    let server = RangeServer { _ in .init(bytes: bytes) }
    func limit(_ settings: inout Settings) {
      settings.limits.archiveEntries = 2
      settings.limits.archiveBytes = 70_000
    }
    let listing = try await reader(server, limit).list(HTTPURL(Self.url))
    #expect(listing.entries.count == 13)
    #expect(
      try await pages([3, 7], server, limit).map { try $0.get() }
        == [Self.page(3, of: 1), Self.page(7, of: 1)])
    let error = await #expect(throws: LibraryError.self) {
      try await pages([1, 2, 3], server, limit)
    }
    #expect(error?.code == .policy)
    #expect(
      error?.detail
        == "http://h/a.zip: the selection of entries has more than 2 entries (limits.archiveEntries)"
    )
  }

  @Test("A redirect to another origin is followed with the range and without the user's fields")
  func redirect() async throws {
    let bytes = Self.archive()
    let server = RangeServer(.init(redirect: "http://cdn/x?y")) { _ in .init(bytes: bytes) }
    let folder = try TemporaryFolder()
    let reader = reader(server) { $0.network.headers = ["X-Secret: 1"] }
    let extraction = try await reader.extract(
      HTTPURL(Self.url), password: nil, into: folder.path
    ) { _ in [1] }
    #expect(extraction.traffic.requests == 3)
    #expect(
      server.requests.map(\.url.description) == [Self.url, "http://cdn/x?y", "http://cdn/x?y"])
    #expect(server.requests.map { $0.fields["X-Secret"] } == ["1", nil, nil])
    #expect(server.requests.map(\.isNamedByResponse) == [false, true, true])
    // The address of the first answer is unknown, which counts as public.
    #expect(server.requests.map(\.addresses) == [.noPublicToPrivate, .publicOnly, .publicOnly])
  }

  @Test("An encrypted entry and a damaged one have reasons, and the others are delivered")
  func faults() async throws {
    var zip = ZipBuilder((1...3).map { .stored("p\($0).png", Self.page($0, of: 1)) })
    zip.entries[0].flags |= 1
    zip.entries[1].crc ^= 1
    let bytes = zip.build()
    let server = RangeServer { _ in .init(bytes: bytes) }
    let found = try await pages([1, 2, 3], server)
    let errors = found.map { result -> String? in
      if case .failure(let error) = result { error.detail } else { nil }
    }
    #expect(
      errors == [
        "http://h/a.zip: p1.png: the entry needs a password",
        "http://h/a.zip: p2.png: the checksum of the entry is wrong", nil,
      ])
    #expect(server.requests.count == 3, "the encrypted entry is not fetched")
  }
}
