import CBrotli

/// Decodes Brotli (RFC 7932). The window has at most 16 MiB, because large windows are an extension that the
/// library enables on request only. The format has no checksum.
final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer?
  private let buffer: UnsafeMutableRawBufferPointer
  private var isOver = false

  init() {
    state = BrotliDecoderCreateInstance(nil, nil, nil)
    buffer = .allocate(byteCount: outputBufferSize, alignment: 16)
  }

  deinit {
    if let state { BrotliDecoderDestroyInstance(state) }
    buffer.deallocate()
  }

  func decode(_ bytes: RawSpan, _ take: (RawSpan) -> Bool) throws(DecodingFailure) -> Bool {
    guard let state else { throw DecodingFailure(.br, .outOfMemory) }
    var failure: DecodingFailure.Code?
    let isWanted = bytes.withUnsafeBytes { decode($0, with: state, take, &failure) }
    if let failure { throw DecodingFailure(.br, failure) }
    return isWanted
  }

  private func decode(
    _ input: UnsafeRawBufferPointer, with state: OpaquePointer, _ take: (RawSpan) -> Bool,
    _ failure: inout DecodingFailure.Code?
  ) -> Bool {
    guard !input.isEmpty else { return true }
    guard !isOver else {
      failure = .trailingData
      return false
    }
    var next = input.bindMemory(to: UInt8.self).baseAddress
    var available = input.count
    while true {
      var output = buffer.bindMemory(to: UInt8.self).baseAddress
      var room = buffer.count
      let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &output, nil)
      let count = buffer.count - room
      if count > 0, !take(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes) { return false }
      switch result {
      case BROTLI_DECODER_RESULT_SUCCESS:
        isOver = true
        if available > 0 { failure = .trailingData }
        return failure == nil
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return true
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
      default:
        failure = Self.failure(BrotliDecoderGetErrorCode(state))
        return false
      }
    }
  }

  private static func failure(_ code: BrotliDecoderErrorCode) -> DecodingFailure.Code {
    let allocation =
      BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
      .rawValue...BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
    if allocation.contains(code.rawValue) { return .outOfMemory }
    let words = BrotliDecoderErrorString(code).map { String(cString: $0) }
    return .damaged(words ?? "error \(code.rawValue)")
  }

  func finish() throws(DecodingFailure) {
    if !isOver { throw DecodingFailure(.br, .truncated) }
  }
}
