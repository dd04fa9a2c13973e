public import SystemCalls

/// One message between a program and its helper: a kind, bytes, and at most four open files.
///
/// On the wire: length of the payload (4 bytes, little endian), kind (1 byte), number of
/// descriptors (1 byte), payload. The descriptors travel with the first byte (`SCM_RIGHTS`).
public struct Frame: Sendable {
  public var kind: UInt8
  public var payload: [UInt8]
  /// Sending duplicates them: the sender's stay open until it lets go of them.
  public var descriptors: [OwnedDescriptor]

  public init(kind: UInt8, payload: [UInt8] = [], descriptors: [OwnedDescriptor] = []) {
    self.kind = kind
    self.payload = payload
    self.descriptors = descriptors
  }

  /// A frame whose payload `write` puts together.
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
  /// Descriptors that are accepted with one frame, 0...4. A program that never wants any from an
  /// untrusted helper says 0.
  public var maxDescriptors: Int

  public init(maxPayload: Int = 1 << 20, maxDescriptors: Int = 4) {
    self.maxPayload = maxPayload
    self.maxDescriptors = maxDescriptors
  }
}
