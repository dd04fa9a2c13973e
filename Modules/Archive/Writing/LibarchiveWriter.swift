public import Archive
import CArchiveWriting
import Glibc
import Models

/// Writes zip without compression, since image files are already compressed, and tar in POSIX format.
public final class LibarchiveWriter: ArchiveWriter {
  private let library: imgdl_archive_writing
  private let archive: OpaquePointer
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Parameter path: The path of the archive; an existing file is replaced.
  public init(_ kind: ArchiveKind, to path: String) throws(ArchiveError) {
    library = try Self.open.get()
    guard let archive = library.archive_write_new() else { throw ArchiveError(.io, Self.noMemory) }
    self.archive = archive
    buffer = .allocate(byteCount: 256 << 10, alignment: 16)
    switch kind {
    case .zip:
      _ = library.archive_write_set_format_zip(archive)
      _ = library.archive_write_zip_set_compression_store(archive)
    case .tar: _ = library.archive_write_set_format_pax_restricted(archive)
    }
    let names = UTF8Names()
    defer { names.end() }
    guard library.archive_write_open_filename(archive, path) == ARCHIVE_OK else {
      throw failure(nil)
    }
  }

  deinit {
    _ = library.archive_write_free(archive)
    buffer.deallocate()
  }

  public func add(_ name: String, contentsOf path: String) throws(ArchiveError) {
    let file = try ArchiveFile(path)
    let names = UTF8Names()
    defer { names.end() }
    guard let entry = library.archive_entry_new() else { throw ArchiveError(.io, Self.noMemory) }
    defer { library.archive_entry_free(entry) }
    library.archive_entry_set_pathname_utf8(entry, name)
    library.archive_entry_set_filetype(entry, imgdl_regular_file())
    library.archive_entry_set_perm(entry, 0o644)
    library.archive_entry_set_size(entry, file.size)
    // A constant modification time makes the archive reproducible.
    library.archive_entry_set_mtime(entry, Self.epoch, 0)
    guard library.archive_write_header(archive, entry) == ARCHIVE_OK else { throw failure(name) }
    var rest = file.size
    while rest > 0 {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(rest))])
      let count = file.read(into: wanted)
      guard count > 0 else {
        throw ArchiveError(.io, "\(path) is shorter than it was", entryName: name)
      }
      guard library.archive_write_data(archive, wanted.baseAddress, count) == count else {
        throw failure(name)
      }
      rest -= Int64(count)
    }
    guard library.archive_write_finish_entry(archive) == ARCHIVE_OK else { throw failure(name) }
  }

  public func finish() throws(ArchiveError) {
    guard library.archive_write_close(archive) == ARCHIVE_OK else { throw failure(nil) }
  }

  /// The functions of libarchive, which is opened for the first writer, or the reason why it cannot be opened.
  private static let open = Result { () throws(ArchiveError) in
    var functions = imgdl_archive_writing()
    if let reason = imgdl_archive_writing_open(&functions) {
      throw ArchiveError(
        .io, "libarchive, which writes archives, cannot be opened (\(String(cString: reason)))")
    }
    return functions
  }

  private static let noMemory = "there is not enough memory to write the archive"

  /// 1980-01-01, the earliest date that zip can represent.
  private static let epoch: time_t = 315_532_800

  private func failure(_ name: String?) -> ArchiveError {
    var text = library.archive_error_string(archive).map { String(cString: $0) } ?? ""
    // The text "Write error" does not tell that the disk is full.
    let code = library.archive_errno(archive)
    if code > 0, let cause = strerror(code).map({ String(cString: $0) }), !text.contains(cause) {
      text += text.isEmpty ? cause : ": \(cause)"
    }
    return ArchiveError(
      .io, "the archive cannot be written" + (text.isEmpty ? "" : " (\(text))"), entryName: name)
  }
}
