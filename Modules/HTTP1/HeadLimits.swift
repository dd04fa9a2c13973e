/// How much of a message's frame is taken from the other side (RFC 9110 §2.3, §17.5).
///
/// Bodies are not counted here: the caller sees their bytes and stops when it has had enough.
public struct HeadLimits: Sendable, Equatable {
  /// Start line, field lines and the empty line together, in bytes; each interim response again.
  public var maximumHeadBytes: Int
  /// Field lines of a head, and of a trailer section.
  public var maximumFields: Int
  /// The trailer section after the last chunk, in bytes.
  public var maximumTrailerBytes: Int
  /// Digits of one chunk size, leading zeros included.
  public var maximumChunkSizeDigits: Int
  /// Chunk extensions of the whole message together, in bytes.
  public var maximumChunkExtensionBytes: Int
  /// Interim (1xx) responses before the final one.
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

  /// What a server grants a request: 16 KiB of head.
  public static let request = HeadLimits(maximumHeadBytes: 16_384, maximumFields: 128)
}
