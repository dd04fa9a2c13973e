public import Models

/// A decoder as the programs know it that do not have it: decoders are linked into `imgdl-render` alone.
public struct DecoderSummary: Sendable, Equatable {
  /// As in the setting `adapters.decoder`.
  public let name: String
  /// The formats that it opens.
  public let formats: Set<ResourceFormat>
  public let sandbox: SandboxProfile

  public init(
    _ name: String, formats: Set<ResourceFormat>, sandbox: SandboxProfile = SandboxProfile()
  ) {
    self.name = name
    self.formats = formats
    self.sandbox = sandbox
  }
}

/// The permissions that a decoder needs in its sandbox beyond computing on the file that it is given.
public struct SandboxProfile: Sendable, Equatable {
  /// Bytes of address space of every worker: twice a picture of the largest size allowed, with its
  /// libraries.
  public static let addressSpaceBytes: UInt64 = 2 << 30

  /// Whether the text of its documents may need the fonts of the machine. The worker may then read the
  /// folders of fonts; no other worker reads any file by its name.
  public let readsFonts: Bool
  /// Bytes of memory of the worker's own, where a document can make its libraries take any amount. A
  /// large file that is mapped does not count.
  public let memoryBytes: UInt64

  public init(
    readsFonts: Bool = false, memoryBytes: UInt64 = SandboxProfile.addressSpaceBytes
  ) {
    self.readsFonts = readsFonts
    self.memoryBytes = memoryBytes
  }
}
