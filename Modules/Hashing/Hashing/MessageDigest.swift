import CCrypto

/// Computes a hash of bytes that are passed in pieces, with an algorithm that is chosen at run time.
///
/// Not `Sendable`: confined to the thread that updates it.
public final class MessageDigest {
  public enum Algorithm: String, Sendable, CaseIterable { case md5, sha256, sha512 }

  private let context: OpaquePointer

  public init(_ algorithm: Algorithm) {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    let kind =
      switch algorithm {
      case .md5: EVP_md5()
      case .sha256: EVP_sha256()
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

  /// Returns the hash in hexadecimal digits. The digest cannot be updated afterwards.
  public func finish() -> String {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    _ = EVP_DigestFinal_ex(context, &bytes, &count)
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes[..<Int(count)].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
