import CCrypto

/// SHA-1 (FIPS 180-4), which the handshake of WebSocket demands (RFC 6455 §4.2.2).
public enum SHA1 {
  /// The length of a digest in bytes.
  public static let length = 20

  /// Returns the digest of a message.
  public static func digest(of message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      let result = EVP_Digest(
        message, message.count, buffer.baseAddress, nil, EVP_sha1(), nil)
      precondition(result == 1, "OpenSSL cannot compute SHA-1: out of memory")
      count = length
    }
  }
}
