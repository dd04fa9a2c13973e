public import Archive
import CLibarchive
public import Models

/// Reads zip, 7z, rar and tar with libarchive. Only the requested formats are enabled, and no compression of
/// the archive as a whole except gzip.
public struct LibarchiveReader: ArchiveFileReader {
  public let formats: Set<ResourceFormat>

  public init() { self.init(formats: [.zip, .sevenZip, .rar, .tar]) }

  /// - Parameter formats: The formats to enable. `gzip` stands for a tar in gzip.
  public init(formats: Set<ResourceFormat>) { self.formats = formats }

  public func walk(
    _ file: ArchiveFile, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    if formats.contains(.zip), file.isEmptyZip { return }
    if formats.contains(.zip), file.sniffedFormat.kind != .archive || file.sniffedFormat == .zip {
      file.endWithZip()
    }
    let names = UTF8Names()
    defer { names.end() }
    var start = 0
    while let broken = try readEntries(file, from: start, password, visitor) { start = broken + 1 }
  }

  /// Opens the files that the C library needs for its first conversions of names, because a confined worker
  /// cannot open them later. The files stay open.
  public static func prepare() {
    let names = UTF8Names()
    defer { names.end() }
    imgdl_prepare_conversions()
    EntryName.prepare()
  }

  /// Reads the entries from the index `start` on.
  /// - Returns: The index of an entry at which libarchive failed although the visitor continues, so that the
  ///   archive must be reopened; nil if the walk is complete.
  private func readEntries(
    _ file: ArchiveFile, from start: Int, _ password: DocumentPassword?,
    _ visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> Int? {
    let archive = try LibarchiveHandle(file, formats: formats, password)
    var index = 0
    while let entry = try archive.nextEntry() {
      if index >= start {
        switch try visitor.visit(entry.described(index: index)) {
        case .stop: return nil
        case .skip: break
        case .read:
          switch try archive.read(entry, into: visitor) {
          case .complete: try visitor.endEntry()
          case .fault(let error): try visitor.failEntry(error)
          case .fatal(let error):
            try visitor.failEntry(error)
            return index
          }
        }
      }
      index += 1
    }
    if index == 0 { try confirmEmpty(file) }
    return nil
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
