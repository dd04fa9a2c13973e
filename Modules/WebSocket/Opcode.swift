/// The kind of a frame (RFC 6455 §5.2). All other values are reserved.
enum Opcode: UInt8, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xa

  /// Whether a frame of this kind may stand between the fragments of a message (RFC 6455 §5.5).
  var isControl: Bool { rawValue & 0x8 != 0 }
}
