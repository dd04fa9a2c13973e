import CZstd

/// Decodes Zstandard (RFC 8878): one or more frames, whose checksums are verified if they have any. The window
/// has at most 8 MiB (RFC 9659), and dictionaries are not supported.
final class ZstdDecoder: ContentDecoder {
  private let context: OpaquePointer?
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = ZstdFrameStart()
  /// Whether the beginning of a frame was passed to the library, and its end was not decoded yet.
  private var isInFrame = false
  private var hasFrame = false

  init() {
    context = ZSTD_createDCtx()
    buffer = .allocate(byteCount: outputBufferSize, alignment: 16)
    if let context {
      ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdFrameStart.windowBits)
    }
  }

  deinit {
    if let context { ZSTD_freeDCtx(context) }
    buffer.deallocate()
  }

  func decode(_ bytes: RawSpan, _ take: (RawSpan) -> Bool) throws(DecodingFailure) -> Bool {
    guard let context else { throw DecodingFailure(.zstd, .outOfMemory) }
    var failure: DecodingFailure.Code?
    let isWanted = bytes.withUnsafeBytes { decode($0[...], with: context, take, &failure) }
    if let failure { throw DecodingFailure(.zstd, failure) }
    return isWanted
  }

  private func decode(
    _ input: Slice<UnsafeRawBufferPointer>, with context: OpaquePointer,
    _ take: (RawSpan) -> Bool, _ failure: inout DecodingFailure.Code?
  ) -> Bool {
    var rest = input
    while !rest.isEmpty {
      guard isInFrame else {
        let byte = rest.removeFirst()
        if let problem = start.append(byte) {
          failure = problem == .notAFrame && hasFrame ? .trailingData : Self.failure(problem)
          return false
        }
        guard start.isComplete else { continue }
        isInFrame = true
        let bytes = start.bytes
        start = ZstdFrameStart()
        let isWanted = bytes.withUnsafeBytes { bytes in
          var bytes = bytes[...]
          return decodeFrame(&bytes, with: context, take, &failure)
        }
        guard isWanted else { return false }
        continue
      }
      guard decodeFrame(&rest, with: context, take, &failure) else { return false }
    }
    return true
  }

  /// Decodes to the end of the frame or of the input, and removes the decoded bytes from the input.
  private func decodeFrame(
    _ rest: inout Slice<UnsafeRawBufferPointer>, with context: OpaquePointer,
    _ take: (RawSpan) -> Bool, _ failure: inout DecodingFailure.Code?
  ) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: rest)
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    repeat {
      output.pos = 0
      let result = ZSTD_decompressStream(context, &output, &input)
      if ZSTD_isError(result) != 0 {
        failure = Self.failure(result)
        return false
      }
      let decoded = UnsafeRawBufferPointer(rebasing: buffer[..<output.pos])
      if output.pos > 0, !take(decoded.bytes) { return false }
      if result == 0 {
        (isInFrame, hasFrame) = (false, true)
        break
      }
      // A full buffer means that more output may be pending.
    } while input.pos < input.size || output.pos == output.size
    rest = rest.dropFirst(input.pos)
    return true
  }

  private static func failure(_ problem: ZstdFrameStart.Problem) -> DecodingFailure.Code {
    switch problem {
    case .notAFrame: .damaged("no frame begins here")
    case .windowTooLarge: .windowTooLarge
    }
  }

  /// The codes are the library's: a result is the negative of one (`zstd_errors.h`).
  private static func failure(_ result: Int) -> DecodingFailure.Code {
    switch result {
    case -16: .windowTooLarge
    case -64: .outOfMemory
    default: .damaged(ZSTD_getErrorName(result).map { String(cString: $0) } ?? "error")
    }
  }

  func finish() throws(DecodingFailure) {
    guard hasFrame, !isInFrame, start.bytes.isEmpty else {
      throw DecodingFailure(.zstd, .truncated)
    }
  }
}
