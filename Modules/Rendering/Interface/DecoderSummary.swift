public import Models

/// A description of a decoder for other programs: decoders are linked into `imgdl-render` alone.
public struct DecoderSummary: Sendable, Equatable {
  /// The name, as in the setting `adapters.decoder`.
  public let name: String
  /// The formats that the decoder opens.
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

/// The permissions that a decoder needs in its sandbox beyond processing the given file.
public struct SandboxProfile: Sendable, Equatable {
  /// The address space limit of every worker in bytes, enough for twice the largest allowed image and the
  /// libraries.
  public static let addressSpaceBytes: UInt64 = 2 << 30

  /// Whether text in documents may need the fonts of the machine. Only such a worker may read the font
  /// folders; all others read no file by name.
  public let readsFonts: Bool
  /// The limit of the worker's private memory in bytes, since a document can make the libraries allocate any
  /// amount. Mapped files do not count towards the limit.
  public let memoryBytes: UInt64

  public init(
    readsFonts: Bool = false, memoryBytes: UInt64 = SandboxProfile.addressSpaceBytes
  ) {
    self.readsFonts = readsFonts
    self.memoryBytes = memoryBytes
  }
}
