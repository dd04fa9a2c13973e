public import WorkerProcess

extension Frame {
  /// The frame as sent over the socket: length, kind, number of descriptors, payload.
  public var wireBytes: [UInt8] {
    var header = FrameWriter()
    header.append(UInt32(payload.count))
    header.append(kind)
    header.append(UInt8(0))
    return header.bytes + payload
  }
}
