/// The limits of a received message's framing and metadata (RFC 9110 §2.3, §17.5).
///
/// Bodies are not limited here: the caller receives their bytes and can stop at any point.
public struct HeadLimits: Sendable, Equatable {
  /// The maximum size in bytes of start line, field lines and empty line together, for each interim response
  /// separately.
  public var maximumHeadBytes: Int
  /// The maximum number of field lines of a head, and of a trailer section.
  public var maximumFields: Int
  /// The maximum size in bytes of the trailer section after the last chunk.
  public var maximumTrailerBytes: Int
  /// The maximum number of digits of one chunk size, leading zeros included.
  public var maximumChunkSizeDigits: Int
  /// The maximum size in bytes of all chunk extensions of a message together.
  public var maximumChunkExtensionBytes: Int
  /// The maximum number of interim (1xx) responses before the final one.
  public var maximumInformational: Int

  public init(
    maximumHeadBytes: Int = 65_536,
    maximumFields: Int = 256,
    maximumTrailerBytes: Int = 4_096,
    maximumChunkSizeDigits: Int = 16,
    maximumChunkExtensionBytes: Int = 16_384,
    maximumInformational: Int = 16
  ) {
    self.maximumHeadBytes = maximumHeadBytes
    self.maximumFields = maximumFields
    self.maximumTrailerBytes = maximumTrailerBytes
    self.maximumChunkSizeDigits = maximumChunkSizeDigits
    self.maximumChunkExtensionBytes = maximumChunkExtensionBytes
    self.maximumInformational = maximumInformational
  }

  /// The limits for requests, on the server side.
  public static let request = HeadLimits(maximumHeadBytes: 16_384, maximumFields: 128)
}
