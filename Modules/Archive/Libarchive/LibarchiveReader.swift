public import Archive
import CLibarchive
public import Models

/// Reads zip, 7z, rar and tar with libarchive. Only the requested formats are enabled, and no compression of
/// the archive as a whole except gzip.
public struct LibarchiveReader: ArchiveFileReader {
  public let formats: Set<ResourceFormat>
  private let blockSizes: [Int]

  public init() { self.init(formats: [.zip, .sevenZip, .rar, .tar]) }

  /// - Parameter formats: The formats to enable. `gzip` stands for a tar in gzip.
  public init(formats: Set<ResourceFormat>) {
    self.init(formats: formats, blockSizes: LibarchiveHandle.blockSizes)
  }

  /// - Parameter blockSizes: As those of `LibarchiveHandle`.
  package init(formats: Set<ResourceFormat>, blockSizes: [Int]) {
    self.formats = formats
    self.blockSizes = blockSizes
  }

  public func walk(
    _ file: ArchiveFile, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    if formats.contains(.zip), file.isEmptyZip { return }
    if formats.contains(.zip), file.sniffedFormat.kind != .archive || file.sniffedFormat == .zip {
      file.restrictToZip()
    }
    let names = UTF8Names()
    defer { names.end() }
    let passwords = password.map { fitting($0, file) } ?? []
    var (place, isStopped) = (Place(), false)
    while let next = try readEntries(file, from: place, passwords, visitor, &isStopped) {
      place = next
    }
    if !isStopped, let error = file.cutError { throw error }
  }

  /// The place at which the reading of an archive begins, or continues after the archive was reopened.
  private struct Place {
    /// The index of the entry.
    var index = 0
    /// The number of bytes of the entry that the visitor has; nil if it was not asked about the entry.
    var received: Int64?
    /// The index of the block size.
    var block = 0
  }

  /// Opens the files that the C library needs for its first conversions of names, because a confined worker
  /// cannot open them later. The files stay open.
  public static func prepare() {
    let names = UTF8Names()
    defer { names.end() }
    imgdl_prepare_conversions()
    EntryName.prepare()
  }

  /// Reads the entries from a place on.
  /// - Parameter isStopped: Becomes true if the visitor needs no further entry.
  /// - Returns: The place from which the archive must be reopened, because libarchive failed although the visitor
  ///   continues, or needs a larger block; nil if the walk is complete.
  private func readEntries(
    _ file: ArchiveFile, from start: Place, _ passwords: [[UInt8]],
    _ visitor: any ArchiveVisitor, _ isStopped: inout Bool
  ) throws(ArchiveError) -> Place? {
    let archive = try LibarchiveHandle(
      file, formats: formats, passwords: passwords, blockSize: blockSizes[start.block])
    var index = 0
    while let entry = try nextEntry(of: archive) {
      if index >= start.index {
        let received = index == start.index ? start.received : nil
        switch try received == nil ? visitor.visit(entry.described(index: index)) : .read {
        case .stop:
          isStopped = true
          return nil
        case .skip: break
        case .read:
          switch try archive.read(entry, after: received ?? 0, into: visitor) {
          case .complete: try visitor.endEntry()
          case .fault(let error): try visitor.failEntry(error)
          case .fatal(let error):
            try visitor.failEntry(error)
            return Place(index: index + 1, block: start.block)
          case .starved(let received):
            return try place(after: start, index, received: received)
          }
        }
      }
      index += 1
    }
    if archive.isStarved { return try place(after: start, index, received: nil) }
    if index == 0 {
      guard !archive.isVolume else {
        throw ArchiveError(
          .unsupported, "the archive is a part of one in several volumes, which imgdl does not join"
        )
      }
      try confirmEmpty(file)
    }
    return nil
  }

  /// Returns the next entry; nil after the last one, or if a larger block is needed to skip the data before it.
  private func nextEntry(of archive: LibarchiveHandle) throws(ArchiveError) -> LibarchiveEntry? {
    do {
      return try archive.nextEntry()
    } catch {
      if archive.isStarved { return nil }
      throw error
    }
  }

  /// Returns the place at which the reading continues with the next block size.
  /// - Parameters:
  ///   - index: The index of the entry that is not complete, or to which libarchive did not come.
  ///   - received: The number of bytes of the entry that the visitor has; nil if libarchive did not come to it.
  private func place(
    after start: Place, _ index: Int, received: Int64?
  ) throws(ArchiveError) -> Place {
    guard start.block + 1 < blockSizes.count else {
      throw ArchiveError(
        .unsupported,
        "the archive is compressed with PPMd, which cannot be read in a 7z archive of this size")
    }
    // libarchive may need a larger block before it comes to the place at which this reading began.
    return Place(
      index: max(index, start.index),
      received: received ?? (index <= start.index ? start.received : nil), block: start.block + 1)
  }

  /// Throws an error unless the archive is really empty, because libarchive may treat a zip with a damaged
  /// end as an archive without entries.
  private func confirmEmpty(_ file: ArchiveFile) throws(ArchiveError) {
    guard file.sniffedFormat.kind != .archive || file.sniffedFormat == .zip else { return }
    guard let directory = ZipDirectory(file), directory.entries.isEmpty else {
      throw file.openingError
    }
  }
}

// MARK: - Passwords

extension LibarchiveReader {
  /// Returns the bytes of a password with which the first encrypted entry can be read; all that it may have if none is
  /// right. The check value of an entry has one or two bytes, which wrong bytes may match: only the checksum of the whole
  /// entry is certain.
  private func fitting(_ password: DocumentPassword, _ file: ArchiveFile) -> [[UInt8]] {
    let candidates = PasswordEncodings.candidates(password)
    guard candidates.count > 1, formats.contains(.zip), file.sniffedFormat == .zip else {
      return candidates
    }
    return candidates.first { isRight($0, file) }.map { [$0] } ?? candidates
  }

  private func isRight(_ password: [UInt8], _ file: ArchiveFile) -> Bool {
    guard
      let archive = try? LibarchiveHandle(
        file, formats: formats, passwords: [password], blockSize: blockSizes[0])
    else { return false }
    while let entry = try? archive.nextEntry() {
      guard entry.isEncrypted, entry.size != 0 else { continue }
      let trial = PasswordTrial()
      if case .complete? = try? archive.read(entry, after: 0, into: trial) { return true }
      return trial.isEnough
    }
    return false
  }
}

/// Receives an entry that is read to find out whether a password is right. Confined to the thread of the walk.
private final class PasswordTrial: ArchiveVisitor {
  private var byteCount = 0

  /// The number of bytes after which the password counts as right, so that a large entry is not unpacked for nothing.
  private static let maximumBytes = 64 << 20

  var isEnough: Bool { byteCount > Self.maximumBytes }

  func visit(_ entry: ArchiveEntry) -> EntryDecision { .read }
  func endEntry() {}

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    byteCount += bytes.byteCount
    if isEnough { throw ArchiveError(.visitor, "") }
  }
}
