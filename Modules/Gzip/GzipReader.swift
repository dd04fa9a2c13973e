import CZlib

/// Decodes gzip (RFC 1952) incrementally: exactly one member, whose checksum and length are
/// verified; data after the member is an error.
///
/// Not thread-safe. Memory: a buffer of 64 KiB and zlib's window of 32 KiB, regardless of the
/// input.
public final class GzipReader {
  public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The data is not gzip, or is damaged; the text is zlib's message.
    case damaged(String)
    /// The data ended before the end of the member.
    case truncated
    /// Data follows the end of the member.
    case trailingData
    case outOfMemory

    public var description: String {
      switch self {
      case .damaged(let words): "the gzip data is damaged (\(words))"
      case .truncated: "the gzip data is cut off"
      case .trailingData: "data follows the end of the gzip data"
      case .outOfMemory: "no memory for gzip"
      }
    }
  }

  private static let bufferSize = 65_536
  /// The base-2 logarithm of the window size, plus 16, with which zlib accepts only the gzip
  /// format.
  private static let windowBits: Int32 = 15 + 16

  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer
  private var isReady = false
  private var isOver = false

  public init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    isReady =
      inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      == Z_OK
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deallocate()
    buffer.deallocate()
  }

  /// Decodes the next bytes.
  /// - Parameter take: Receives the decoded bytes, which are valid during the call; returns false
  ///   to end the reading.
  /// - Returns: false if `take` returned false.
  public func read(_ bytes: RawSpan, _ take: (RawSpan) -> Bool) throws(Failure) -> Bool {
    guard isReady else { throw .outOfMemory }
    var failure: Failure?
    let goesOn = bytes.withUnsafeBytes { input in
      decode(input, take, &failure)
    }
    if let failure { throw failure }
    return goesOn
  }

  private func decode(
    _ input: UnsafeRawBufferPointer, _ take: (RawSpan) -> Bool, _ failure: inout Failure?
  ) -> Bool {
    guard !input.isEmpty else { return true }
    guard !isOver else {
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
        if stream.pointee.avail_in > 0 { failure = .trailingData }
        return failure == nil
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

  /// Ends the input.
  /// - Throws: `truncated` if the member is incomplete.
  public func finish() throws(Failure) {
    if !isOver { throw .truncated }
  }
}
