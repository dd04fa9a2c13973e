import CZlib

/// Decodes gzip (RFC 1952): one or more members, whose checksums and lengths are verified. The window has
/// 32 KiB.
final class GzipDecoder: ContentDecoder {
  /// The base-2 logarithm of the window size, plus 16, with which zlib accepts only the gzip format.
  private static let windowBits: Int32 = 15 + 16

  /// The first byte of each member (RFC 1952 §2.3.1).
  private static let firstByte: UInt8 = 0x1f

  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer
  private var isReady = false
  /// Whether all members that have begun are complete.
  private var isOver = false

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: outputBufferSize, alignment: 16)
    isReady =
      inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      == Z_OK
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deallocate()
    buffer.deallocate()
  }

  func decode(_ bytes: RawSpan, _ take: (RawSpan) -> Bool) throws(DecodingFailure) -> Bool {
    guard isReady else { throw DecodingFailure(.gzip, .outOfMemory) }
    var failure: DecodingFailure.Code?
    let isWanted = bytes.withUnsafeBytes { decode($0, take, &failure) }
    if let failure { throw DecodingFailure(.gzip, failure) }
    return isWanted
  }

  private func decode(
    _ input: UnsafeRawBufferPointer, _ take: (RawSpan) -> Bool,
    _ failure: inout DecodingFailure.Code?
  ) -> Bool {
    guard !input.isEmpty else { return true }
    guard beginMember(with: input.first) else {
      failure = .trailingData
      return false
    }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.bindMemory(to: Bytef.self).baseAddress)
    stream.pointee.avail_in = UInt32(clamping: input.count)
    while true {
      stream.pointee.next_out = buffer.bindMemory(to: Bytef.self).baseAddress
      stream.pointee.avail_out = UInt32(clamping: buffer.count)
      let result = inflate(stream, Z_NO_FLUSH)
      let count = buffer.count - Int(stream.pointee.avail_out)
      if count > 0, !take(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes) { return false }
      switch result {
      case Z_STREAM_END:
        isOver = true
        guard stream.pointee.avail_in > 0 else { return true }
        guard beginMember(with: stream.pointee.next_in?.pointee) else {
          failure = .trailingData
          return false
        }
      // Z_BUF_ERROR is no failure: all input is consumed, and no more output is pending.
      case Z_OK, Z_BUF_ERROR:
        if stream.pointee.avail_out > 0 { return true }
      case Z_MEM_ERROR:
        failure = .outOfMemory
        return false
      default:
        failure = .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "error \(result)")
        return false
      }
    }
  }

  /// Begins the next member if the last one is complete.
  /// - Returns: Whether the next byte belongs to a member.
  private func beginMember(with byte: UInt8?) -> Bool {
    guard isOver else { return true }
    guard byte == Self.firstByte, inflateReset(stream) == Z_OK else { return false }
    isOver = false
    return true
  }

  func finish() throws(DecodingFailure) {
    if !isOver { throw DecodingFailure(.gzip, .truncated) }
  }
}
