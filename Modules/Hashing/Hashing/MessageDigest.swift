import CCrypto
public import Models

/// Computes a hash of bytes that are passed in pieces, with an algorithm that is chosen at run time.
///
/// Not `Sendable`: confined to the thread that updates it.
public final class MessageDigest {
  private let context: OpaquePointer

  public init(_ algorithm: Checksum.Algorithm) {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    let kind =
      switch algorithm {
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .sha224: EVP_sha224()
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      }
    let result = EVP_DigestInit_ex(context, kind, nil)
    precondition(result == 1, "OpenSSL cannot begin a digest: out of memory")
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  public func update(_ bytes: RawSpan) {
    // The call fails only for a context that was not initialized.
    bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  /// Returns the hash. The digest cannot be updated afterwards.
  public func finish() -> Checksum {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    _ = EVP_DigestFinal_ex(context, &bytes, &count)
    guard let hash = Checksum(Array(bytes[..<Int(count)])) else {
      preconditionFailure("OpenSSL returned a hash of \(count) bytes")
    }
    return hash
  }
}
