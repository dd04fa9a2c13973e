import Models
import Transport

/// Responses that have no end, such as those of cameras.
extension FileSink {
  /// The media type of a response that may be a stream of sound or moving images; nil for all others.
  static func streamType(_ fields: HTTPFields) -> String? {
    // Most responses are images, whose types need not be read.
    let mayBeStream = fields.withValue(of: "Content-Type") { field in
      switch field.isEmpty ? 0 : field[0] | 0x20 {
      case UInt8(ascii: "a"), UInt8(ascii: "m"), UInt8(ascii: "v"): true
      default: false
      }
    }
    guard mayBeStream ?? false, let field = fields["Content-Type"] else { return nil }
    let type = field.prefix { $0 != ";" && $0 != " " }.lowercased()
    if type == octets { return fields["Content-Length"] == nil ? type : nil }
    return ["video/", "audio/", "multipart/"].contains { type.hasPrefix($0) } ? type : nil
  }

  /// The type of any content. Without a length, it may be that of a stream, which then only its bytes show.
  private static let octets = "application/octet-stream"

  /// Whether the bytes are packets of an MPEG transport stream (ISO/IEC 13818-1), which begin with the same byte.
  private static func areTransportPackets(_ bytes: [UInt8]) -> Bool {
    [0, 188, 376].allSatisfy { $0 < bytes.count && bytes[$0] == 0x47 }
  }

  /// Ends a stream in place of a file as soon as its first bytes are no such file. Many servers state wrong types, so
  /// that the type alone decides nothing.
  func refuseStream(_ type: String) throws(SinkError) {
    // A part of a sequence that replaces each other begins with the boundary, and no file does.
    let isSequence = type == "multipart/x-mixed-replace" && sniffed.starts(with: [0x2d, 0x2d])
    guard isSequence || options.check.refusesStreams && sniffed.count >= ResourceFormat.sniffLength,
      isSequence || ResourceFormat(sniffing: sniffed).kind == .other,
      type != Self.octets || Self.areTransportPackets(sniffed)
    else { return }
    let reason = "the server sent a stream (\(type))"
    fail(.content(reason))
    throw SinkError(reason)
  }
}
