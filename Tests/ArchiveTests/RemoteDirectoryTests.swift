import Archive
import Models
import TestSupport
import Testing

@testable import RemoteArchive

/// The directory of a remote zip archive: requests, bytes and damage.
@Suite struct RemoteDirectoryTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let zip: ZipBuilder
    var requests = 1
  }

  private static let data = (0..<40).map { [UInt8](repeating: UInt8($0), count: 9_000 + $0) }

  private static func many(
    _ count: Int = 40, _ change: (inout ZipBuilder.Entry) -> Void = { _ in }
  ) -> ZipBuilder {
    ZipBuilder(
      (0..<count).map { index in
        var entry = ZipBuilder.Entry.stored("page \(index).jpg", data[index % 40])
        change(&entry)
        return entry
      })
  }

  private static func with(
    _ zip: ZipBuilder, _ change: (inout ZipBuilder) -> Void
  ) -> ZipBuilder {
    var zip = zip
    change(&zip)
    return zip
  }

  static let shapes = [
    Shape(testDescription: "plain", zip: many()),
    Shape(testDescription: "zip64", zip: many { $0.isZip64 = true }),
    Shape(testDescription: "data descriptors", zip: many { $0.flags |= 8 }),
    Shape(testDescription: "a large directory", zip: many(2_000), requests: 2),
    Shape(
      testDescription: "a prefix",
      zip: with(many()) { $0.prefix = Array(repeating: 7, count: 50_000) }),
    Shape(
      testDescription: "a counted prefix",
      zip: with(many()) {
        $0.prefix = Array(repeating: 7, count: 50_000)
        $0.countsPrefix = true
      }),
    Shape(
      testDescription: "a short comment",
      zip: with(many()) { $0.comment = Array(repeating: 0x50, count: 9_000) }),
    Shape(
      testDescription: "the longest comment",
      zip: with(many()) { $0.comment = Array(repeating: 0x50, count: 65_535) }, requests: 3),
    Shape(
      testDescription: "zip64 with the longest comment",
      zip: with(many { $0.isZip64 = true }) { $0.comment = Array(repeating: 1, count: 65_535) },
      requests: 3),
    Shape(
      testDescription: "an end record in the comment",
      zip: with(many()) { $0.comment = ZipBuilder().build() + [1] }),
    Shape(
      testDescription: "an end record in a long comment",
      zip: with(many()) {
        $0.comment = Array(repeating: 1, count: 30_000) + ZipBuilder().build() + [1]
      }, requests: 2),
    Shape(
      testDescription: "other order", zip: with(many()) { $0.directoryOrder = (0..<40).reversed() }),
    Shape(testDescription: "empty", zip: ZipBuilder()),
  ]

  static let misleading = many().misleadingComments.enumerated().map { number, comment in
    Shape(
      testDescription: "misleading comment \(number)", zip: with(many()) { $0.comment = comment })
  }

  @Test("The entries of every form are found with few requests", arguments: shapes + misleading)
  func finds(_ shape: Shape) throws {
    let file = shape.zip.build()
    var server = PartServer(file)
    let directory = try server.read()
    let expected = (shape.zip.directoryOrder ?? Array(shape.zip.entries.indices)).map {
      shape.zip.entries[$0]
    }
    #expect(directory.entries.map(\.rawName) == expected.map(\.name))
    #expect(directory.entries.map(\.uncompressedSize) == expected.map(\.uncompressedSize))
    #expect(directory.entries.map(\.compressedSize) == expected.map { Int64($0.packed.count) })
    for entry in directory.entries {
      #expect(file[Int(entry.offset)...].starts(with: [0x50, 0x4b, 3, 4]))
    }
    #expect(server.requests.count == shape.requests)
    let directoryBytes = expected.reduce(0) { $0 + 46 + $1.name.count + 28 }
    #expect(server.bytes <= Int64(65_656 + directoryBytes))
    if shape.zip.comment.count < 10_000, !expected.isEmpty, file.count > 1 << 16 {
      #expect(server.bytes <= max(16 << 10, Int64(directoryBytes + 200)))
    }
  }

  @Test("The cut of the tail at any place in the end records gives the same entries")
  func cuts() throws {
    for length in 16_200...16_400 {
      var zip = Self.many(3) { $0.isZip64 = true }
      zip.comment = Array(repeating: 32, count: length)
      var server = PartServer(zip.build())
      #expect(try server.read().entries.map(\.name) == ["page 0.jpg", "page 1.jpg", "page 2.jpg"])
    }
  }

  @Test("Names are decoded as UTF-8 or as CP437, and kinds are those of the directory")
  func names() throws {
    var latin = ZipBuilder.Entry.stored("x", [1])
    latin.name = [0x81, 0x2e, 0x6a, 0x70, 0x67]
    var link = ZipBuilder.Entry.stored("link", [1])
    link.mode = 0o120777
    var locked = ZipBuilder.Entry.stored("locked", [1])
    locked.flags |= 1
    let zip = ZipBuilder([.stored("ä/雪.png", [1]), latin, .folder("f"), link, locked])
    var server = PartServer(zip.build())
    let entries = try server.read().entries
    #expect(entries.map(\.name) == ["ä/雪.png", "ü.jpg", "f/", "link", "locked"])
    #expect(entries.map(\.kind) == [.file, .file, .directory, .other, .file])
    #expect(entries.map(\.isEncrypted) == [false, false, false, false, true])
  }

  @Test("Overlapping entries are refused from the directory")
  func overlap() throws {
    var overlap = ZipBuilder([.stored("a", [1, 2, 3]), .stored("b", [1, 2, 3])])
    overlap.entries[1].sharesHeaderOf = 0
    var server = PartServer(overlap.build())
    #expect { try server.read() } throws: { ($0 as? ArchiveError)?.code == .overlap }
  }

  @Test("The limits of archives are those of the chosen entries, not of all")
  func chosen() throws {
    var bomb = ZipBuilder.Entry.stored("big", [1])
    bomb.uncompressedSize = 1 << 31
    var zip = Self.many(12)
    zip.entries.append(bomb)
    var limits = Settings().limits
    limits.archiveEntries = 10
    limits.archiveBytes = 1 << 30
    let policy = ArchivePolicy(limits)
    var server = PartServer(zip.build())
    let directory = try server.read()
    let entries = directory.entries
    try directory.check(entries.prefix(10), within: policy)
    for (selection, reason) in [
      (entries.prefix(11), "has more than 10 entries (limits.archiveEntries)"),
      (entries.suffix(1), "unpacks to more than 1073741824 bytes (limits.archiveBytes)"),
    ] {
      #expect { try directory.check(selection, within: policy) } throws: { error in
        (error as? ArchiveError)?.code == .limit
          && (error as? ArchiveError)?.detail == "the selection of entries " + reason
      }
    }
    limits.archiveBytes = 1 << 32
    #expect { try directory.check(entries.suffix(1), within: ArchivePolicy(limits)) } throws: {
      ($0 as? ArchiveError)?.detail.contains("200 times the size of the archive") == true
    }
  }

  @Test("A damaged directory, a truncated file and another kind of file have named errors")
  func damage() throws {
    let file = Self.many().build()
    var broken = file
    let start = try #require(
      file.indices.first { file[$0...].starts(with: [0x50, 0x4b, 1, 2]) })
    broken[start + 46 + 10] ^= 0xff
    broken[start + 28] = 0xff
    for (bytes, code) in [
      (broken, ArchiveError.Code.damaged), (Array(file.prefix(100_000)), .truncated),
      (Array("no archive".utf8), .format), (Array(file.prefix(500)), .truncated),
    ] {
      var server = PartServer(bytes)
      #expect { try server.read() } throws: { ($0 as? ArchiveError)?.code == code }
    }
  }

  @Test("Every truncation and random damage ends with entries or an error within few requests")
  func mutations() throws {
    var generator = SeededGenerator(seed: 7)
    let zip = Self.with(
      ZipBuilder([.deflated("a.png", Self.data[0]), .stored("b.png", [1, 2, 3])])
    ) { $0.entries[0].isZip64 = true }
    let file = zip.build()
    var variants = (0...file.count).map { Array(file.prefix($0)) }
    for _ in 0..<3_000 {
      var other = file
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        other[Int.random(in: 0..<file.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      variants.append(other)
    }
    for variant in variants {
      var server = PartServer(variant)
      guard let directory = try? server.read() else { continue }
      #expect(server.requests.count <= 3)
      for entry in directory.entries {
        guard let plan = try? EntryRange(entry, in: directory, byteLimit: 1 << 30) else { continue }
        #expect(plan.range.lowerBound >= 0 && plan.range.upperBound <= variant.count)
        let header = Array(variant[Int(plan.range.lowerBound)...].prefix(plan.headerBytes))
        guard let end = try? plan.dataEnd(header) else { continue }
        #expect(entry.offset + end <= variant.count)
      }
    }
  }
}

extension RemoteDirectoryTests {
  /// The answers of servers that send ranges, but not the last bytes without their positions.
  static let refusals: [RangeAnswer] = [
    .status(400), .status(405), .status(501), .unsatisfiable(byteCount: nil),
    .whole(byteCount: nil), .invalid("no Content-Range"),
  ]

  @Test("A server that sends only ranges with positions is asked for these", arguments: refusals)
  func withoutSuffixes(refusal: RangeAnswer) throws {
    let file = ZipBuilder([.stored("a.png", [1, 2, 3]), .stored("b.png", [4])]).build()
    var server = PartServer(file)
    server.refusal = refusal
    #expect(try server.read().entries.map(\.name) == ["a.png", "b.png"])
    let size = Int64(file.count)
    #expect(server.requests == [DirectoryReading.first, .bytes(0..<1), .bytes(0..<size)])
    server = PartServer(file)
    server.refusal = .whole(byteCount: size)
    #expect(try server.read().entries.count == 2)
    #expect(server.requests == [DirectoryReading.first, .bytes(0..<size)])
  }

  @Test("A server that sends no ranges at all is recognised after two requests")
  func withoutRanges() {
    var machine = DirectoryReading()
    let error = #expect(throws: ArchiveError.self) {
      for _ in 1...2 { _ = try machine.handle(.whole(byteCount: 70_000), body: []) }
    }
    #expect(error?.detail.contains("(70000 bytes) must be downloaded whole") == true)
  }
}

/// Answers the requests of a reading from bytes.
struct PartServer {
  private let file: [UInt8]
  /// The answer to requests for the last bytes of the file; nil to send them.
  var refusal: RangeAnswer?
  private(set) var requests: [RemoteRange] = []
  private(set) var bytes: Int64 = 0

  init(_ file: [UInt8]) { self.file = file }

  mutating func read() throws(ArchiveError) -> RemoteDirectory {
    var machine = DirectoryReading()
    var range = DirectoryReading.first
    while true {
      requests.append(range)
      let (answer, body) = respond(range)
      bytes += Int64(body.count)
      switch try machine.handle(answer, body: body) {
      case .request(let next): range = next
      case .complete(let directory): return directory
      }
    }
  }

  private func respond(_ range: RemoteRange) -> (RangeAnswer, [UInt8]) {
    if let refusal, case .last = range { return (refusal, []) }
    let size = Int64(file.count)
    let part: Range<Int64>
    switch range {
    case .last(let count): part = max(0, size - count)..<size
    case .bytes(let wanted): part = wanted.clamped(to: 0..<size)
    }
    guard !part.isEmpty else { return (.unsatisfiable(byteCount: size), []) }
    let version = RemoteVersion(byteCount: size, validator: Validator())
    return (.part(part, version), Array(file[Int(part.lowerBound)..<Int(part.upperBound)]))
  }
}
