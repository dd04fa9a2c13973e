import Hashing
import Models
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// The digest of a body, hashed by the thread that receives it or read from its file.
@Suite(.timeLimit(.minutes(60))) struct BodyHasherTests {
  /// A file that is written as a sink writes it.
  private struct Body {
    let path: String
    let file: OwnedDescriptor
    var hasher: BodyHasher
    /// Whether the file may be read while it is written.
    var isReadable = true
    var count: Int64 = 0

    init(_ path: String, _ prefix: PrefixDigest? = nil, pool: HasherPool = HasherPool()) throws {
      self.path = path
      file = try FileSystem.open(path, .writing, create: .ifMissing)
      hasher = BodyHasher(prefix: prefix, pool: pool)
    }

    mutating func append(_ bytes: ArraySlice<UInt8>, inPiecesOf size: Int) throws {
      var rest = bytes
      while !rest.isEmpty {
        let piece = Array(rest.prefix(size))
        try file.write(all: piece.span.bytes, at: count)
        count += Int64(piece.count)
        try hasher.append(piece.span.bytes, upTo: count) {
          [path, isReadable] () throws(SystemError) in
          isReadable ? try FileSystem.open(path) : nil
        }
        rest = rest.dropFirst(size)
      }
    }

    func digest() async throws -> Digest {
      try await withCheckedContinuation { continuation in
        hasher.finalize(count) { continuation.resume(returning: $0) }
      }.get()
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B1 >> 16) }
  }

  @Test(
    "The digest is that of all bytes, whether the file may be read or not",
    arguments: [
      (0, 1), (100, 7), (1 << 20, 1 << 20), (8 << 20, 1 << 20), ((8 << 20) + 1, 1 << 20),
      ((9 << 20) + 3, 65_537), ((12 << 20) + 123, (1 << 20) + 11), (13 << 20, 3 << 20),
    ])
  func oneBody(count: Int, pieces: Int) async throws {
    let bytes = Self.bytes(count)
    let pool = HasherPool()
    // The second body may get the hasher of the first one.
    for (index, isReadable) in [true, false, true].enumerated() {
      var body = try Body(folder.path + "/\(index)", pool: pool)
      body.isReadable = isReadable
      try body.append(bytes[...], inPiecesOf: pieces)
      #expect(try await body.digest() == SHA256Hasher.hash(of: bytes))
    }
  }

  @Test(
    "The existing bytes of a continued file count, unless the file is written from its beginning",
    arguments: [false, true])
  func prefixes(isRestarted: Bool) async throws {
    let bytes = Self.bytes(10 << 20)
    let path = folder.path + "/part"
    try FileSystem.open(path, .writing, create: .ifMissing).write(
      all: Array(bytes[..<1_000]).span.bytes, at: 0)
    var body = try Body(path, PrefixDigest(of: FileSystem.open(path), atMost: nil))
    if isRestarted { body.hasher.restart() } else { body.count = 1_000 }
    try body.append(isRestarted ? bytes[...] : bytes[1_000...], inPiecesOf: 1 << 20)
    #expect(try await body.digest() == SHA256Hasher.hash(of: bytes))
  }

  @Test("Many long bodies at a time have their own digests")
  func manyBodies() async throws {
    let bodies = try (0..<12).map { index in
      (try Body(folder.path + "/\(index)"), Self.bytes((10 << 20) + index))
    }
    var running = bodies.map(\.0)
    for start in stride(from: 0, to: 11 << 20, by: 1 << 20) {
      for index in running.indices {
        let bytes = bodies[index].1
        try running[index].append(
          bytes[min(start, bytes.count)..<min(start + (1 << 20), bytes.count)], inPiecesOf: 300_000)
      }
    }
    for index in running.indices {
      #expect(try await running[index].digest() == SHA256Hasher.hash(of: bodies[index].1))
    }
  }

  @Test("A file that was truncated while it was read is an error, and not another digest")
  func truncated() async throws {
    var body = try Body(folder.path + "/part")
    try body.append(Self.bytes(10 << 20)[...], inPiecesOf: 1 << 20)
    try body.file.truncate(to: 9 << 20)
    body.count += 1
    await #expect(throws: SystemError.self) { try await body.digest() }
  }

  @Test("A hasher that was passed on has processed all bytes")
  func passedOn() async throws {
    let bytes = Self.bytes((9 << 20) + 5)
    var body = try Body(folder.path + "/part")
    try body.append(bytes[...], inPiecesOf: 1 << 20)
    let digest = try await withCheckedContinuation { continuation in
      body.hasher.passOn(body.count) { result in
        continuation.resume(returning: result.map { $0.finalize() })
      }
    }.get()
    #expect(digest == SHA256Hasher.hash(of: bytes))
  }
}
