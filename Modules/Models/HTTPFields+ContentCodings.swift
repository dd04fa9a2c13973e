extension HTTPFields {
  /// The content codings of a body, in lower case and in the order in which they were applied (RFC 9110 §8.4).
  ///
  /// Names that are not registered as codings are omitted. Servers also send charsets, media types and words
  /// like `none` or `aws-chunked` there, which do not change the bytes: the content decides then.
  public var contentCodings: [String] {
    // Return early, because most bodies are not coded.
    guard self["Content-Encoding"] != nil else { return [] }
    return all("Content-Encoding")
      .flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { Self.registeredCodings.contains($0) }
  }

  /// IANA's HTTP Content Coding Registry without `identity`, which does not change the bytes either.
  private static let registeredCodings: Set<String> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip",
    "x-compress", "x-gzip", "zstd",
  ]
}
