/// The socket of one client in the loop, and the time limit for sending to it.
struct ClientSocket: Sendable {
  let id: SocketLoop.SocketID
  let loop: SocketLoop
  /// The time without progress after which sending is abandoned, in seconds.
  let sendSeconds: Double

  /// Sends bytes to the client.
  /// - Returns: False if the client has closed the connection or has stopped reading.
  func send(_ bytes: [UInt8]) async -> Bool {
    await loop.send(id, bytes, stallTimeout: sendSeconds) == .complete
  }

  /// Sends a part of a file at the speed at which the client reads; at most one portion is buffered.
  /// - Returns: False if the file could not be sent completely; the connection must then be closed.
  func send(_ file: ServedFile, _ part: Range<Int64>) async -> Bool {
    var offset = part.lowerBound
    while offset < part.upperBound {
      let limit = Int(min(Int64(Self.filePortion), part.upperBound - offset))
      guard let bytes = await file.bytes(at: offset, limit: limit), !bytes.isEmpty,
        await send(bytes)
      else { return false }
      offset += Int64(bytes.count)
    }
    return true
  }

  private static let filePortion = 262_144
}
