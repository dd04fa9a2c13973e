public import Archive
public import WorkerProcess

/// A message that an untrusted worker sends while it reads an archive.
///
/// No message carries the position of an entry: the program counts the entries itself, and derives the
/// names of its files from its own count.
public enum UnpackEvent: Sendable, Equatable {
  case entry(
    name: String, kind: ArchiveEntry.Kind, isEncrypted: Bool, compressedSize: Int64?,
    uncompressedSize: Int64?, linkTarget: String? = nil)
  /// The next bytes of the entry; never empty.
  case data([UInt8])
  case endEntry
  /// The entry cannot be read, or only in part.
  case failEntry(ArchiveError.Code, String)
  /// The archive has no more entries, or the program has stopped the walk.
  case end
  /// The archive cannot be read, or only in part.
  case fail(ArchiveError.Code, String, entryName: String?)

  /// The maximum size of the entry data in one message, in bytes.
  public static let maximumDataBytes = 128 << 10
  /// The maximum length of a name in bytes; the worker truncates longer ones.
  public static let maximumNameBytes = 16 << 10
  /// The maximum size of a message in bytes.
  public static let maxFrameBytes = maximumDataBytes

  private enum FrameKind: UInt8 { case entry = 11, data, endEntry, failEntry, end, fail }

  public var frame: Frame {
    switch self {
    case .entry(let name, let kind, let isEncrypted, let compressed, let uncompressed, let target):
      Frame(kind: FrameKind.entry.rawValue) { writer in
        writer.append(name)
        writer.append(kind.number)
        writer.append(isEncrypted)
        writer.append(optional: compressed) { $0.append($1) }
        writer.append(optional: uncompressed) { $0.append($1) }
        writer.append(optional: target) { $0.append($1) }
      }
    case .data(let bytes): Frame(kind: FrameKind.data.rawValue, payload: bytes)
    case .endEntry: Frame(kind: FrameKind.endEntry.rawValue)
    case .failEntry(let code, let detail):
      Frame(kind: FrameKind.failEntry.rawValue) { writer in
        writer.append(code.rawValue)
        writer.append(detail)
      }
    case .end: Frame(kind: FrameKind.end.rawValue)
    case .fail(let code, let detail, let entryName):
      Frame(kind: FrameKind.fail.rawValue) { writer in
        writer.append(code.rawValue)
        writer.append(detail)
        writer.append(optional: entryName) { $0.append($1) }
      }
    }
  }

  /// Parses a message of an untrusted worker.
  /// - Throws: `.malformed`.
  public init(_ frame: Frame) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch FrameKind(rawValue: frame.kind) {
    case .entry:
      self = .entry(
        name: try reader.entryName(), kind: try reader.entryKind(), isEncrypted: try reader.bool(),
        compressedSize: try reader.size(), uncompressedSize: try reader.size(),
        linkTarget: try reader.optional { (reader) throws(WorkerError) in try reader.entryName() })
    case .data:
      guard !frame.payload.isEmpty else {
        throw WorkerError(.malformed, "data of an entry without bytes")
      }
      self = .data(frame.payload)
      return
    case .endEntry: self = .endEntry
    case .failEntry: self = .failEntry(try reader.code(), try reader.string())
    case .end: self = .end
    case .fail:
      self = .fail(
        try reader.code(), try reader.string(),
        entryName: try reader.optional { (reader) throws(WorkerError) in try reader.entryName() })
    case nil: throw WorkerError(.malformed, "an event of the unknown kind \(frame.kind)")
    }
    try reader.checkComplete()
  }
}

extension ArchiveEntry.Kind {
  fileprivate var number: UInt8 {
    switch self {
    case .file: 0
    case .directory: 1
    case .other: 2
    }
  }
}

extension ArchiveError.Code {
  /// Whether a worker may report this code. Only the program itself reports limits, overlaps and errors of a
  /// visitor.
  fileprivate var isForWorkers: Bool {
    switch self {
    case .io, .format, .truncated, .damaged, .encrypted, .unsupported: true
    case .limit, .overlap, .visitor, .worker: false
    }
  }
}

extension FrameReader {
  fileprivate mutating func entryName() throws(WorkerError) -> String {
    let name = try string()
    guard name.utf8.count <= UnpackEvent.maximumNameBytes else {
      throw WorkerError(.malformed, "a name of \(name.utf8.count) bytes")
    }
    return name
  }

  fileprivate mutating func entryKind() throws(WorkerError) -> ArchiveEntry.Kind {
    switch try integer(UInt8.self) {
    case 0: return .file
    case 1: return .directory
    case 2: return .other
    default: throw WorkerError(.malformed, "an entry of an unknown kind")
    }
  }

  fileprivate mutating func size() throws(WorkerError) -> Int64? {
    let size = try optional { (reader) throws(WorkerError) in try reader.integer(Int64.self) }
    guard size ?? 0 >= 0 else { throw WorkerError(.malformed, "a negative size") }
    return size
  }

  fileprivate mutating func code() throws(WorkerError) -> ArchiveError.Code {
    guard let code = ArchiveError.Code(rawValue: try string()), code.isForWorkers else {
      throw WorkerError(.malformed, "an error of an unknown kind")
    }
    return code
  }
}
