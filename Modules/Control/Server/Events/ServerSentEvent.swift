/// Encodes server-sent events (HTML Standard §9.2).
enum ServerSentEvent {
  /// A comment line that keeps the connection alive and reveals that a reader has closed the connection.
  static let heartbeat = Array(":\n\n".utf8)

  /// - Parameters:
  ///   - name: The type of the event; nil for engine events, whose default type is `message`.
  ///   - id: The id with which a reader of this event resumes the stream.
  ///   - data: The data, which must not contain line feeds.
  static func bytes(_ name: String?, id: EventID? = nil, data: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(data.count + 48)
    if let id { output += "id: \(id)\n".utf8 }
    if let name { output += "event: \(name)\n".utf8 }
    output += "data: ".utf8
    output += data
    output += "\n\n".utf8
    return output
  }
}
