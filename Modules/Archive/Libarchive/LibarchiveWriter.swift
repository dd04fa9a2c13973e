public import Archive
import CLibarchive
import Glibc
import Models

/// Writes zip without compression, since image files are already compressed, and tar in POSIX format.
public final class LibarchiveWriter: ArchiveWriter {
  private let archive: OpaquePointer
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  /// - Parameter path: The path of the archive; an existing file is replaced.
  public init(_ kind: ArchiveKind, to path: String) throws(ArchiveError) {
    guard let archive = archive_write_new() else { throw ArchiveError(.io, Self.noMemory) }
    self.archive = archive
    switch kind {
    case .zip:
      archive_write_set_format_zip(archive)
      archive_write_zip_set_compression_store(archive)
    case .tar: archive_write_set_format_pax_restricted(archive)
    }
    let names = UTF8Names()
    defer { names.end() }
    guard archive_write_open_filename(archive, path) == ARCHIVE_OK else { throw failure(nil) }
  }

  deinit {
    archive_write_free(archive)
    buffer.deallocate()
  }

  public func add(_ name: String, contentsOf path: String) throws(ArchiveError) {
    let file = try ArchiveFile(path)
    let names = UTF8Names()
    defer { names.end() }
    guard let entry = archive_entry_new() else { throw ArchiveError(.io, Self.noMemory) }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname_utf8(entry, name)
    archive_entry_set_filetype(entry, imgdl_file_type_regular())
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_size(entry, file.size)
    // A constant modification time makes the archive reproducible.
    archive_entry_set_mtime(entry, Self.epoch, 0)
    guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw failure(name) }
    var rest = file.size
    while rest > 0 {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(rest))])
      let count = file.read(into: wanted)
      guard count > 0 else {
        throw ArchiveError(.io, "\(path) is shorter than it was", entryName: name)
      }
      guard archive_write_data(archive, wanted.baseAddress, count) == count else {
        throw failure(name)
      }
      rest -= Int64(count)
    }
    guard archive_write_finish_entry(archive) == ARCHIVE_OK else { throw failure(name) }
  }

  public func finish() throws(ArchiveError) {
    guard archive_write_close(archive) == ARCHIVE_OK else { throw failure(nil) }
  }

  private static let noMemory = "there is not enough memory to write the archive"

  /// 1980-01-01, the earliest date that zip can represent.
  private static let epoch: time_t = 315_532_800

  private func failure(_ name: String?) -> ArchiveError {
    var text = archive_error_string(archive).map { String(cString: $0) } ?? ""
    // The text "Write error" does not tell that the disk is full.
    let code = archive_errno(archive)
    if code > 0, let cause = strerror(code).map({ String(cString: $0) }), !text.contains(cause) {
      text += text.isEmpty ? cause : ": \(cause)"
    }
    return ArchiveError(
      .io, "the archive cannot be written" + (text.isEmpty ? "" : " (\(text))"), entryName: name)
  }
}
