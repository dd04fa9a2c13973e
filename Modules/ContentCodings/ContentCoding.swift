/// A content coding that can be decoded (RFC 9110 §8.4.1).
public enum ContentCoding: String, Sendable, CaseIterable {
  /// RFC 8878.
  case zstd
  /// Brotli, RFC 7932.
  case br
  /// RFC 1952.
  case gzip

  /// - Parameter name: A name in `Content-Encoding`, in lower case. `x-gzip` is the same as `gzip` (RFC 9110
  ///   §8.4.1.3).
  public init?(name: String) {
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }

  /// The value of `Accept-Encoding` that offers all codings.
  public static let acceptEncoding = allCases.map(\.rawValue).joined(separator: ", ")

  /// Makes a decoder for one body.
  public func makeDecoder() -> any ContentDecoder {
    switch self {
    case .zstd: ZstdDecoder()
    case .br: BrotliDecoder()
    case .gzip: GzipDecoder()
    }
  }

  /// The name in messages.
  var label: String { self == .br ? "brotli" : rawValue }
}
