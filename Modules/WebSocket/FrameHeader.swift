/// The header of a frame that a client has sent (RFC 6455 §5.2).
struct FrameHeader: Sendable, Equatable {
  let isFinal: Bool
  let opcode: Opcode
  /// The length of the payload in bytes.
  let length: UInt64
  /// The four bytes with which the client has masked the payload, the first one in the highest bits.
  let mask: UInt32

  /// Parses the header at the beginning of the input.
  /// - Returns: The header and its size in bytes, or nil if the header is incomplete.
  /// - Throws: The reason why the header is invalid, as soon as the bytes show it.
  static func parse(
    _ input: ArraySlice<UInt8>
  ) throws(WebSocketError) -> (header: FrameHeader, size: Int)? {
    guard let first = input.first else { return nil }
    guard first & 0x70 == 0 else {
      throw .violation("a reserved bit is set, but no extension was negotiated")
    }
    guard let opcode = Opcode(rawValue: first & 0x0f) else {
      throw .violation("the opcode of a frame is reserved")
    }
    let isFinal = first & 0x80 != 0
    guard isFinal || !opcode.isControl else {
      throw .violation("a control frame is fragmented")
    }
    guard let second = input.dropFirst().first else { return nil }
    guard second & 0x80 != 0 else { throw .violation("a frame of the client is not masked") }
    let short = second & 0x7f
    guard short <= 125 || !opcode.isControl else {
      throw .violation("the payload of a control frame is longer than 125 bytes")
    }
    let extended = short == 127 ? 8 : short == 126 ? 2 : 0
    let size = 2 + extended + 4
    guard input.count >= size else { return nil }
    let bytes = input.dropFirst(2)
    let length = extended == 0 ? UInt64(short) : number(bytes.prefix(extended))
    // RFC 6455 §5.2: the shortest form must be used, and the highest bit of the long form is zero.
    guard extended != 2 || length > 125, extended != 8 || length > 0xffff else {
      throw .violation("the length of a frame is not in its shortest form")
    }
    guard length >> 63 == 0 else { throw .violation("the length of a frame exceeds 63 bits") }
    let mask = UInt32(truncatingIfNeeded: number(bytes.dropFirst(extended).prefix(4)))
    return (FrameHeader(isFinal: isFinal, opcode: opcode, length: length, mask: mask), size)
  }

  /// Reads at most eight bytes as a number in network byte order.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the byte with which the payload's byte at an offset is masked (RFC 6455 §5.3).
  func maskByte(at offset: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: mask >> UInt32(24 - 8 * (offset & 3)))
  }
}
