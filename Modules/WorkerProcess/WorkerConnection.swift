import CLinux
import Glibc
public import SystemCalls

/// One end of the socket between a program and a helper. Calls block, so they belong on a thread of the
/// adapter's own, never on the cooperative pool.
///
/// One thread may send while another one receives; frames of two concurrent senders, or two receivers, would
/// be mixed. The connection keeps no state between calls. It must be closed after any error, because the
/// stream may be in the middle of a frame, except after `.timedOut` before the first byte of a frame.
public final class WorkerConnection: Sendable {
  let socket: OwnedDescriptor
  public let limits: FrameLimits

  public init(_ socket: OwnedDescriptor, limits: FrameLimits = FrameLimits()) {
    self.socket = socket
    self.limits = limits
  }

  /// Shuts the connection down in both directions: a thread that is blocked in `receive` or `send` returns,
  /// and the helper at the other end exits.
  public func close() { shutdown(socket.raw, Int32(SHUT_RDWR)) }

  /// The descriptor of the socket, which callers may pass to poll(2).
  public var raw: Int32 { socket.raw }

  /// Sends a frame. Waits while the socket's buffer is full.
  /// - Throws: `.malformed` for a frame that exceeds `limits`, `.timedOut`, `.died` if the other end is
  ///   closed, `.system`.
  public func send(_ frame: Frame, before deadline: Deadline = .never) throws(WorkerError) {
    try send(frame, within: .deadline(deadline))
  }

  func send(_ frame: Frame, within limit: WaitLimit) throws(WorkerError) {
    guard frame.payload.count <= limits.maxPayload, frame.descriptors.count <= 4,
      let length = UInt32(exactly: frame.payload.count)
    else {
      throw WorkerError(
        .malformed,
        "a message of \(frame.payload.count) bytes is over the limit of \(limits.maxPayload)")
    }
    var header = FrameWriter()
    header.append(length)
    header.append(frame.kind)
    header.append(UInt8(frame.descriptors.count))
    var descriptors = frame.descriptors.map(\.raw)
    var sent = 0
    while sent < Frame.headerSize + frame.payload.count {
      let count = sendPart(header.bytes, frame.payload, skipping: sent, descriptors)
      if count > 0 {
        sent += count
        descriptors = []
      } else if errno == EAGAIN {
        if let end = try wait(for: Int16(POLLOUT), within: limit) {
          throw .late(end, "the helper does not accept messages any more")
        }
      } else if errno == EPIPE || errno == ECONNRESET {
        throw WorkerError(.died, "the other end of a helper's connection is closed")
      } else if errno != EINTR {
        throw .system(.last("send to a helper"))
      }
    }
  }

  /// Receives the next frame; returns nil if the other end has closed the connection.
  /// - Throws: `.timedOut`, `.malformed` for a frame that is incomplete or exceeds `limits`, `.died` if the
  ///   connection was reset, `.system`.
  public func receive(before deadline: Deadline = .never) throws(WorkerError) -> Frame? {
    try receive(within: .deadline(deadline), alongside: nil)
  }

  private func sendPart(
    _ header: [UInt8], _ payload: [UInt8], skipping sent: Int, _ descriptors: [Int32]
  ) -> Int {
    header.withUnsafeBytes { header in
      payload.withUnsafeBytes { payload in
        let headerPart = header[min(sent, header.count)...]
        let payloadPart = payload[max(0, sent - header.count)...]
        let parts = [iovec(sharing: headerPart), iovec(sharing: payloadPart)]
        return imgdl_send(socket.raw, parts, 2, descriptors, Int32(descriptors.count))
      }
    }
  }
}

extension iovec {
  /// Refers to the bytes without copying them. sendmsg(2) does not write to them.
  fileprivate init(sharing bytes: Slice<UnsafeRawBufferPointer>) {
    let part = UnsafeRawBufferPointer(rebasing: bytes)
    self.init(
      iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
  }
}
