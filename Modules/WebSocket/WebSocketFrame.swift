/// Frames of a server, which are neither fragmented nor masked (RFC 6455 §5.1).
public enum WebSocketFrame {
  /// Returns a frame with a text message, whose bytes are UTF-8.
  public static func text(_ bytes: [UInt8]) -> [UInt8] { frame(.text, bytes) }

  /// Returns the response to a ping, with the ping's payload.
  public static func pong(_ payload: [UInt8]) -> [UInt8] {
    frame(.pong, Array(payload.prefix(controlLimit)))
  }

  /// Returns a ping without a payload.
  public static var ping: [UInt8] { frame(.ping, []) }

  /// Returns the last frame of a connection.
  /// - Parameter reason: A sentence for developers, which is cut to 123 bytes of whole characters.
  public static func close(_ code: CloseCode, _ reason: String = "") -> [UInt8] {
    var text = reason
    while text.utf8.count > controlLimit - 2 { text.removeLast() }
    let number = code.rawValue
    return frame(
      .close,
      [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)] + text.utf8)
  }

  /// The maximum size in bytes of the payload of a control frame (RFC 6455 §5.5).
  private static let controlLimit = 125

  private static func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x80 | opcode.rawValue]
    frame.reserveCapacity(payload.count + 10)
    switch payload.count {
    case ...125: frame.append(UInt8(payload.count))
    case ...0xffff:
      frame.append(126)
      frame += bigEndian(UInt64(payload.count), bytes: 2)
    default:
      frame.append(127)
      frame += bigEndian(UInt64(payload.count), bytes: 8)
    }
    return frame + payload
  }

  private static func bigEndian(_ number: UInt64, bytes: UInt64) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * (bytes - 1 - $0))) }
  }
}
