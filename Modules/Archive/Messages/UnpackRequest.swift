public import Models
public import SystemCalls
public import WorkerProcess

/// The worker program that reads archives. It is separate from the decoders, whose starts its libraries would
/// delay.
public enum UnpackProgram {
  public static let name = "imgdl-unpack"
  /// The name of the only kind of worker that the program runs as.
  public static let worker = "archives"
}

/// The library with which a worker reads an archive.
public enum ArchiveAdapter: String, Sendable, CaseIterable {
  case minizip, libarchive

  /// The formats that the adapter reads. minizip does not read zip64 archives.
  public var formats: Set<ResourceFormat> {
    switch self {
    case .minizip: [.zip]
    case .libarchive: [.zip, .sevenZip, .rar, .tar]
    }
  }
}

/// The request to a worker to read an archive. The file is passed as a descriptor, so the worker does
/// not learn its path. The worker answers with `UnpackEvent`s, and waits after each entry for an
/// `UnpackDecision`.
public struct UnpackRequest: Sendable, Equatable {
  public let adapter: ArchiveAdapter
  /// The password of encrypted entries.
  public let password: DocumentPassword?

  public init(_ adapter: ArchiveAdapter, _ password: DocumentPassword? = nil) {
    self.adapter = adapter
    self.password = password
  }

  static let frameKind: UInt8 = 1

  /// Encodes the request with `file`, a descriptor open for reading.
  public func frame(_ file: OwnedDescriptor) -> Frame {
    Frame(kind: Self.frameKind, descriptors: [file]) {
      $0.append(adapter.rawValue)
      $0.append(optional: password?.text) { $0.append($1) }
    }
  }

  public init(_ frame: Frame) throws(WorkerError) {
    var reader = FrameReader(frame)
    guard frame.kind == Self.frameKind, let adapter = ArchiveAdapter(rawValue: try reader.string())
    else { throw WorkerError(.malformed, "not a request to read an archive") }
    self.adapter = adapter
    let text = try reader.optional { (reader) throws(WorkerError) in try reader.string() }
    password = text.flatMap { DocumentPassword($0) }
    try reader.checkComplete()
  }
}

/// The program's decision about the entry that a worker has just named.
public enum UnpackDecision: UInt8, Sendable {
  case skip = 1
  case read
  /// No further entry of the archive is needed.
  case stop

  static let frameKind: UInt8 = 2

  public var frame: Frame { Frame(kind: Self.frameKind) { $0.append(rawValue) } }

  public init(_ frame: Frame) throws(WorkerError) {
    var reader = FrameReader(frame)
    guard frame.kind == Self.frameKind, let decision = Self(rawValue: try reader.integer())
    else { throw WorkerError(.malformed, "not a decision about an entry") }
    self = decision
    try reader.checkComplete()
  }
}
