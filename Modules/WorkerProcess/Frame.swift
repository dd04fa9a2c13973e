public import SystemCalls

/// A message between a program and its helper: a kind, bytes, and at most four descriptors of open files.
///
/// On the wire: length of the payload (4 bytes, little endian), kind (1 byte), number of
/// descriptors (1 byte), payload. The descriptors travel with the first byte (`SCM_RIGHTS`).
public struct Frame: Sendable {
  public var kind: UInt8
  public var payload: [UInt8]
  /// The descriptors of open files. Sending duplicates them; the sender's own remain open until it releases
  /// them.
  public var descriptors: [OwnedDescriptor]

  public init(kind: UInt8, payload: [UInt8] = [], descriptors: [OwnedDescriptor] = []) {
    self.kind = kind
    self.payload = payload
    self.descriptors = descriptors
  }

  /// Creates a frame whose payload `write` encodes.
  public init(
    kind: UInt8, descriptors: [OwnedDescriptor] = [], _ write: (inout FrameWriter) -> Void
  ) {
    var writer = FrameWriter()
    write(&writer)
    self.init(kind: kind, payload: writer.bytes, descriptors: descriptors)
  }

  static let headerSize = 6
}

/// The limits of the frames that one side of a connection accepts and sends. Larger frames are errors.
public struct FrameLimits: Sendable, Equatable {
  /// The maximum size of one payload in bytes.
  public var maxPayload: Int
  /// The maximum number of descriptors accepted with a frame, from 0 to 4. A program that expects none from
  /// an untrusted helper sets 0.
  public var maxDescriptors: Int

  public init(maxPayload: Int = 1 << 20, maxDescriptors: Int = 4) {
    self.maxPayload = maxPayload
    self.maxDescriptors = maxDescriptors
  }
}
