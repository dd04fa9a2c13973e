import Foundation
import Hashing
import Models
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// The digest of a body, however it comes.
@Suite(.timeLimit(.minutes(60))) struct BodyHasherTests {
  /// Bytes that are told apart by where they are.
  private static func body(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B1 >> 16) }
  }

  private static func note(
    _ body: ArraySlice<UInt8>, inPiecesOf size: Int, _ hasher: inout BodyHasher
  ) {
    body.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(size)
        hasher.append(UnsafeRawBufferPointer(rebasing: piece).bytes)
        rest = rest.dropFirst(piece.count)
      }
    }
  }

  private static func finish(_ hasher: inout BodyHasher) async -> Digest {
    await withCheckedContinuation { continuation in
      hasher.finalize { continuation.resume(returning: $0) }
    }
  }

  @Test(
    "the digest is that of all bytes, on the spot and beside",
    arguments: [
      (0, 1), (100, 7), (1 << 20, 1 << 20), (8 << 20, 1 << 20), ((8 << 20) + 1, 1 << 20),
      ((9 << 20) + 3, 65_537), ((12 << 20) + 123, (1 << 20) + 11), (13 << 20, 3 << 20),
    ])
  func oneBody(count: Int, pieces: Int) async {
    let body = Self.body(count)
    let pool = HasherPool()
    // Twice: the second one may have the hasher of the first.
    for _ in 0..<2 {
      var hasher = BodyHasher(prefix: nil, pool: pool)
      Self.note(body[...], inPiecesOf: pieces, &hasher)
      #expect(await Self.finish(&hasher) == SHA256Hasher.hash(of: body))
    }
  }

  @Test(
    "the bytes of a continued file are hashed, too, unless it begins again",
    arguments: [false, true])
  func prefixes(isBegunAgain: Bool) async throws {
    let body = Self.body(9 << 20)
    let folder = try TemporaryFolder()
    let path = folder.path + "/part"
    #expect(FileManager.default.createFile(atPath: path, contents: Data(body[..<1_000])))
    var hasher = BodyHasher(
      prefix: try PrefixDigest(of: FileSystem.open(path), atMost: nil), pool: HasherPool())
    if isBegunAgain { hasher.restart() }
    Self.note(isBegunAgain ? body[...] : body[1_000...], inPiecesOf: 1 << 20, &hasher)
    #expect(await Self.finish(&hasher) == SHA256Hasher.hash(of: body))
  }

  @Test("more bodies at a time than may wait for their turn: none of them waits for another's end")
  func manyBodies() async {
    let body = Self.body((10 << 20) + 77)
    let expected = SHA256Hasher.hash(of: body)
    let pool = HasherPool()
    // All are begun, and hold a part that is not full, before any of them goes on.
    let begun = (8 << 20) + 100_000
    var hashers = (0..<12).map { _ in BodyHasher(prefix: nil, pool: pool) }
    for index in hashers.indices { Self.note(body[..<begun], inPiecesOf: 1 << 20, &hashers[index]) }
    for index in hashers.indices { Self.note(body[begun...], inPiecesOf: 65_536, &hashers[index]) }
    for index in hashers.indices { #expect(await Self.finish(&hashers[index]) == expected) }
  }

  @Test("more long bodies than are hashed beside: the others are hashed on the spot")
  func tooManyBodies() async {
    let body = Self.body((9 << 20) + 5)
    let expected = SHA256Hasher.hash(of: body)
    var hashers = (0..<40).map { _ in BodyHasher(prefix: nil, pool: HasherPool()) }
    for index in hashers.indices { Self.note(body[...], inPiecesOf: 1 << 20, &hashers[index]) }
    for index in hashers.indices { #expect(await Self.finish(&hashers[index]) == expected) }
  }
}
