import CCrypto
public import Models

/// SHA-256 of bytes that come piece by piece (FIPS 180-4).
///
/// One hasher serves any number of inputs, one after another, and allocates nothing between them.
/// Not `Sendable`: it belongs to the thread that feeds it.
public final class SHA256Hasher {
  private let context: OpaquePointer
  /// Whether the context is at work on an input: it is made ready where one comes.
  private var hasBegun = false

  public init() {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Forgets what came so far.
  public func reset() { hasBegun = false }

  private func begin() {
    hasBegun = true
    let result = EVP_DigestInit_ex2(context, Algorithm.sha256, nil)
    precondition(result == 1, "OpenSSL cannot begin a digest: out of memory")
  }

  public func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { update($0) }
  }

  public func update(_ bytes: UnsafeRawBufferPointer) {
    if !hasBegun { begin() }
    // Fails only for a context that was not begun, which `init` rules out.
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest of everything since the last `finalize` or `reset`; the next input begins.
  public func finalize() -> Digest {
    if !hasBegun { begin() }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { output in
      _ = EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, nil)
    }
    hasBegun = false
    return Digest(
      words: (
        UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2),
        UInt64(bigEndian: words.3)
      ))
  }

  public static func hash(of bytes: some Collection<UInt8>) -> Digest {
    let hasher = SHA256Hasher()
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      hasher.update(UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil {
      Array(bytes).withUnsafeBytes { hasher.update($0) }
    }
    return hasher.finalize()
  }
}

/// The implementation that OpenSSL chose for this machine, looked up once.
///
/// From a library context of our own, which reads no configuration file: there SHA-256 is always
/// part of the default provider.
private enum Algorithm {
  // Safe from any thread: an EVP_MD does not change and is never freed.
  nonisolated(unsafe) static let sha256: OpaquePointer? = EVP_MD_fetch(
    OSSL_LIB_CTX_new(), "SHA256", nil)
}
