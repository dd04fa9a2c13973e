import CCrypto

/// HMAC with SHA-256 (RFC 2104), computed by OpenSSL.
public enum MessageAuthenticationCode {
  /// Returns the authentication code of a message.
  /// - Parameter key: The secret key. RFC 2104 §3 recommends at least 32 bytes.
  public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      let result = HMAC(
        EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
      precondition(result != nil, "OpenSSL cannot compute an HMAC: out of memory")
      count = length
    }
  }

  /// Returns whether two codes are equal. The duration of the comparison does not reveal where the codes
  /// differ.
  public static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }

  private static let length = 32
}
