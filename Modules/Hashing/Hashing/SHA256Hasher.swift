import CCrypto
public import Models

/// Computes the SHA-256 of bytes that are passed in pieces (FIPS 180-4).
///
/// One hasher can process any number of inputs, one after another, without further allocations. Not
/// `Sendable`: it is confined to the thread that updates it.
public final class SHA256Hasher {
  private let context: OpaquePointer
  /// Whether the context is initialized for the current input; the first update does this.
  private var hasBegun = false

  public init() {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Discards the input since the last `finalize` or `reset`.
  public func reset() { hasBegun = false }

  private func initializeContext() {
    hasBegun = true
    let result = EVP_DigestInit_ex2(context, Algorithm.sha256, nil)
    precondition(result == 1, "OpenSSL cannot begin a digest: out of memory")
  }

  public func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { update($0) }
  }

  public func update(_ bytes: UnsafeRawBufferPointer) {
    if !hasBegun { initializeContext() }
    // The call fails only for a context that was not initialized, which `initializeContext()` rules out.
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// Returns the digest of the input since the last `finalize` or `reset`, and begins the next
  /// input.
  public func finalize() -> Digest {
    if !hasBegun { initializeContext() }
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

/// OpenSSL's SHA-256 implementation for this machine, looked up once. The private library context
/// reads no configuration file, so that the default provider, which includes SHA-256, is always
/// active.
private enum Algorithm {
  // An EVP_MD is immutable and never freed, so every thread may use it.
  nonisolated(unsafe) static let sha256: OpaquePointer? = EVP_MD_fetch(
    OSSL_LIB_CTX_new(), "SHA256", nil)
}
