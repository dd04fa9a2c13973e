import Foundation
import Hashing
import Models
import Testing

@Suite("SHA-256")
struct DigestTests {
  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  /// FIPS 180-4 examples and NIST's short message vectors.
  @Test(
    "The known digests come out",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", abc),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func known(text: String, hexadecimal: String) {
    #expect(SHA256Hasher.hash(of: text.utf8).description == hexadecimal)
    #expect(SHA256Hasher.hash(of: Array(text.utf8)).description == hexadecimal)
  }

  @Test("A million times a, in pieces of any size, by one hasher again and again")
  func million() {
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    let hasher = SHA256Hasher()
    for size in [1, 63, 64, 65, 4_096, 1_000_000] {
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = bytes[start..<min(start + size, bytes.count)]
        hasher.update(piece.span.bytes)
      }
      #expect(hasher.finalize().description == expected, "pieces of \(size)")
    }
  }

  @Test("A reset forgets, and empty pieces change nothing")
  func reset() {
    let hasher = SHA256Hasher()
    hasher.update([1, 2, 3].span.bytes)
    hasher.reset()
    hasher.update([UInt8]().span.bytes)
    for letter in "abc".utf8 { hasher.update([letter].span.bytes) }
    hasher.update(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(hasher.finalize().description == Self.abc)
    #expect(hasher.finalize() == SHA256Hasher.hash(of: []))
  }

  @Test("A pool gives hashers that have seen nothing, each to one")
  func pool() {
    let pool = HasherPool()
    let first = pool.acquire()
    first.update([1, 2, 3].span.bytes)
    pool.release(first)
    let (second, third) = (pool.acquire(), pool.acquire())
    #expect(second === first && third !== first)
    #expect(second.finalize() == SHA256Hasher.hash(of: []))
    #expect(third.finalize() == SHA256Hasher.hash(of: []))
  }

  @Test("A file has the digest of its bytes; what is no readable file is an error that names it")
  func file() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("imgdl-digest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for size in [0, 1, 262_143, 262_144, 262_145, 1_000_000] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let path = folder.path + "/\(size)"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(try SHA256Hasher.hash(file: path) == SHA256Hasher.hash(of: bytes))
    }
    try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
    for (name, cause) in [
      ("none", "No such file or directory"), ("pipe", "not a regular file"),
      ("", "not a regular file"),
    ] {
      let path = folder.path + "/" + name
      let error = #expect(throws: HashingError.self) { try SHA256Hasher.hash(file: path) }
      #expect(error?.description == "\(path): cannot be read: \(cause)")
    }
  }

  @Test("A digest is 32 bytes or 64 digits, and the same whichever way it was made")
  func values() throws {
    let bytes = (0..<32).map { UInt8($0) }
    let digest = try #require(Digest(bytes))
    let text = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    #expect(digest.description == text)
    #expect(digest.bytes == bytes)
    #expect(Digest(hexadecimal: text) == digest)
    #expect(Digest(hexadecimal: text.uppercased()) == digest)
    #expect(
      Digest(
        words: (
          0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f, 0x1011_1213_1415_1617,
          0x1819_1a1b_1c1d_1e1f
        )) == digest)
    #expect(Set([digest, SHA256Hasher.hash(of: []), digest]).count == 2)
  }

  @Test("What has another length or other characters is no digest")
  func noValues() {
    for count in [0, 31, 33] { #expect(Digest([UInt8](repeating: 0, count: count)) == nil) }
    let digits = String(repeating: "0", count: 63)
    for text in ["", digits, digits + "00", digits + "g", digits + " ", digits + "-"] {
      #expect(Digest(hexadecimal: text) == nil)
    }
    #expect(Digest(hexadecimal: String(repeating: "０", count: 21) + "0") == nil)
    #expect(Digest(hexadecimal: String(repeating: "0", count: 62) + "\r\n") == nil)
  }
}
