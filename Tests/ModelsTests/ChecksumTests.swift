import Hashing
import Models
import Testing

@Suite("Checksums") struct ChecksumTests {
  /// The values of "abc" in RFC 1321 §A.5 and in the examples of FIPS 180-4.
  static let abc: [(Checksum.Algorithm, String)] = [
    (.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  @Test("Each algorithm yields the published value", arguments: abc)
  func known(algorithm: Checksum.Algorithm, digits: String) throws {
    let digest = MessageDigest(algorithm)
    for byte in "abc".utf8 { digest.update([byte].span.bytes) }
    let checksum = digest.finish()
    #expect(checksum.algorithm == algorithm && checksum.digits == digits)
    #expect(checksum.bytes.count == algorithm.byteCount)
    #expect(Checksum(checksum.bytes) == checksum)
    #expect(Checksum("\(algorithm.rawValue.uppercased())=\(digits.uppercased())") == checksum)
    #expect(Checksum(checksum.description) == checksum)
    #expect(checksum.digest.map { Checksum($0) } == (algorithm == .sha256 ? checksum : nil))
  }

  @Test("The names are those of the registry, also without hyphens")
  func names() {
    for (name, algorithm) in [
      ("SHA-1", Checksum.Algorithm.sha1), ("sha1", .sha1), ("MD5", .md5), ("sha512", .sha512),
    ] {
      #expect(Checksum.Algorithm(named: name) == algorithm)
    }
    for name in ["", "sha", "sha-2", "crc32", "sha-256 ", "ｓha-1"] {
      #expect(Checksum.Algorithm(named: name) == nil)
    }
  }

  @Test("A value of another length or with other characters is no checksum")
  func refused() {
    let digits = String(repeating: "0", count: 32)
    for text in [
      "", "md5", "md5=", "=\(digits)", "md5=\(digits)0", "md5=\(digits)00",
      "md5=\(digits.dropLast())g",
      "sha-1=\(digits)", "crc=\(digits)", "md5==\(digits)", "md5=\u{ff10}\(digits.dropLast())",
    ] {
      #expect(Checksum(text) == nil, "\(text)")
    }
    for count in [0, 15, 17, 33, 65] {
      #expect(Checksum([UInt8](repeating: 0, count: count)) == nil)
    }
  }
}
