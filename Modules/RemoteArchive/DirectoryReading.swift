package import Archive

/// A pure state machine that reads the directory of a remote zip archive with as few requests as possible.
///
/// The first request asks for the last 16 KiB of the file, which contain the end record and mostly the whole
/// directory; a second one for the rest of the directory. Only an end record behind a comment of more than 16
/// KiB needs another request. If the file changes in between, the reading starts again.
///
/// Some servers send ranges, but not the last bytes of a file without their positions. For them the size is requested
/// first, unless the refusal states it.
package struct DirectoryReading {
  package enum Action {
    case request(RemoteRange)
    case complete(RemoteDirectory)
  }

  /// The number of bytes at the end of the file that are requested first.
  package static let tailBytes: Int64 = 16 << 10
  /// The maximum size of a directory in bytes, which is held in memory.
  static let maximumDirectoryBytes: Int64 = 64 << 20
  /// The number of times that the file may change while it is read.
  package static let maximumRestarts = 3
  private static let maximumDirectories = 8

  private var tail: ArchiveTail?
  /// The version of the known bytes; nil before the first answer.
  package private(set) var version: RemoteVersion?
  private var restarts = 0
  /// The number of directories that were requested; a comment may contain records that name others.
  private var directories = 0
  /// The form of the request for the end of the file.
  private var form = Form.suffix

  private enum Form {
    /// Without positions.
    case suffix
    /// After the size, which the first byte of the file reveals.
    case size
    /// With positions, because the server does not serve the last bytes otherwise.
    case positions
  }

  /// Whether an answer with the whole file, or with a status, may be due to the form of the request.
  package var mayAskOtherwise: Bool { form == .suffix && version == nil }

  package init() {}

  /// The first request.
  package static let first = RemoteRange.last(tailBytes)

  /// Handles the head and the body of a response.
  /// - Parameter body: The bytes of the part; ignored for other answers.
  /// - Throws: `ArchiveError` if the archive cannot be read by parts, or is not a usable archive.
  package mutating func handle(
    _ answer: RangeAnswer, body: [UInt8]
  ) throws(ArchiveError) -> Action {
    switch answer {
    case .part(let range, let version):
      guard body.count == range.count else {
        throw ArchiveError(.truncated, "the server sent fewer bytes than it announced")
      }
      if form == .size { return requestEnd(version.byteCount) }
      // The size that was learned before may be that of an earlier version.
      guard tail != nil || range.upperBound == version.byteCount else { return try startAgain() }
      return try add(body, at: range.lowerBound, version)
    case .changed: return try startAgain()
    case .unsatisfiable(let size?) where size > 0 && form != .positions: return requestEnd(size)
    case .unsatisfiable(0?): throw ArchiveError(.truncated, "the file is empty")
    case .whole(let size?) where size > 0 && mayAskOtherwise: return requestEnd(size)
    case .unsatisfiable, .whole, .status, .invalid:
      if mayAskOtherwise {
        form = .size
        return .request(.bytes(0..<1))
      }
      throw Self.refusal(answer)
    }
  }

  private mutating func requestEnd(_ size: Int64) -> Action {
    form = .positions
    return .request(.bytes(max(0, size - Self.tailBytes)..<max(1, size)))
  }

  private static func refusal(_ answer: RangeAnswer) -> ArchiveError {
    switch answer {
    case .whole(let size): wholeOnly(size)
    case .status(let status): ArchiveError(.io, "the server answered with the status \(status)")
    case .invalid(let reason): ArchiveError(.io, reason)
    case .part, .changed, .unsatisfiable:
      ArchiveError(.unsupported, "the server does not serve the end of the file")
    }
  }

  /// The error for a server that does not serve parts of the file.
  package static func wholeOnly(_ size: Int64?) -> ArchiveError {
    let size = size.map { " (\($0) bytes)" } ?? ""
    return ArchiveError(
      .unsupported,
      "the server does not send parts of files; the archive\(size) must be downloaded whole")
  }

  private mutating func startAgain() throws(ArchiveError) -> Action {
    restarts += 1
    guard restarts <= Self.maximumRestarts else { throw Self.everChanging }
    (tail, version, form, directories) = (nil, nil, .suffix, 0)
    return .request(Self.first)
  }

  /// The error for a file that changed too often.
  package static var everChanging: ArchiveError {
    ArchiveError(.io, "the archive changes on the server while it is read")
  }

  private mutating func add(
    _ body: [UInt8], at position: Int64, _ version: RemoteVersion
  ) throws(ArchiveError) -> Action {
    self.version = version
    if tail == nil {
      tail = ArchiveTail(body, at: position, of: version.byteCount)
    } else {
      tail?.prepend(body)
    }
    guard let tail else { return .request(Self.first) }
    let searched = min(Int64(tail.bytes.count), ZipEndRecord.searched)
    guard let end = ZipEndRecord(tail, searching: searched),
      // A zip64 record may be directly before the end record, and a record that does not end the file, or has no
      // directory, may be a part of the comment of the right one.
      tail.start == 0 || end.isExact && end.directoryEnd - tail.start >= Self.wideBytes
        || tail.bytes.count >= ZipEndRecord.maximumEndBytes
    else { return try search(tail) }
    guard !end.isAmbiguous else { throw RemoteDirectory.damaged }
    if end.directoryEnd == end.directoryStart {
      return .complete(RemoteDirectory(emptyOf: version))
    }
    guard end.directoryStart < tail.start else {
      return .complete(try RemoteDirectory(tail, end, version))
    }
    let size = end.directoryEnd - end.directoryStart
    guard size <= Self.maximumDirectoryBytes else {
      throw ArchiveError(
        .limit,
        "the directory of the archive has \(size) bytes, more than "
          + "\(Self.maximumDirectoryBytes)")
    }
    directories += 1
    guard directories <= Self.maximumDirectories else { throw RemoteDirectory.damaged }
    return .request(.bytes(end.directoryStart..<tail.start))
  }

  /// The size in bytes of a zip64 end record and its locator.
  private static let wideBytes: Int64 = 76

  /// Extends the search for the end record to the longest possible comment.
  private func search(_ tail: ArchiveTail) throws(ArchiveError) -> Action {
    let start = max(0, tail.size - ZipEndRecord.maximumEndBytes)
    guard start < tail.start else {
      throw tail.start == 0 && !tail.bytes.starts(with: [0x50, 0x4b])
        ? ArchiveError(.format, "the file is not a zip archive")
        : ArchiveError(
          .truncated, "the zip archive ends before its directory, or the file is not a zip archive")
    }
    return .request(.bytes(start..<tail.start))
  }
}
