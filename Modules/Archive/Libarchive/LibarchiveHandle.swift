import Archive
import CLibarchive
import Glibc
import Models

/// An open `struct archive`: a forward-only cursor. Confined to the thread of the walk.
final class LibarchiveHandle {
  /// The sizes in bytes of the blocks that libarchive gets, in the order in which they are tried. libarchive 3.6
  /// cannot decode PPMd in a 7z archive if a symbol begins in one block and ends in the next one. The second size is
  /// that of most archives; a larger archive has few ends of blocks, and the third size has them at other places.
  static let blockSizes = [128 << 10, 64 << 20, 60 << 20]

  enum Outcome {
    case complete
    /// The next block size is needed, and the visitor has that many bytes of the entry.
    case starved(Int64)
    /// The entry is faulty; the next one can be read.
    case fault(ArchiveError)
    /// The entry is faulty, and this handle returns no more data.
    case fatal(ArchiveError)
  }

  private let file: ArchiveFile
  private let archive: OpaquePointer
  private let hasPassword: Bool
  /// The format of the archive if it is 7z or RAR, which libarchive cannot decrypt; otherwise nil.
  private let undecryptable: ResourceFormat?
  /// Whether the archive is one of several volumes.
  let isVolume: Bool
  /// The bytes that the last read callback has passed to libarchive.
  private let block: UnsafeMutableRawBufferPointer

  /// - Parameter passwords: The bytes of the password, in each encoding that it may have; libarchive tries them in turn.
  init(
    _ file: ArchiveFile, formats: Set<ResourceFormat>, passwords: [[UInt8]], blockSize: Int
  ) throws(ArchiveError) {
    guard let archive = archive_read_new() else {
      throw ArchiveError(.io, "there is not enough memory to open the archive")
    }
    self.file = file
    self.archive = archive
    block = .allocate(byteCount: Int(min(Int64(blockSize), max(1, file.size))), alignment: 16)
    if formats.contains(.zip) { archive_read_support_format_zip_seekable(archive) }
    if formats.contains(.sevenZip) { archive_read_support_format_7zip(archive) }
    if formats.contains(.rar) {
      archive_read_support_format_rar(archive)
      archive_read_support_format_rar5(archive)
    }
    if formats.contains(.tar) || formats.contains(.gzip) {
      archive_read_support_format_tar(archive)
    }
    if formats.contains(.gzip) { archive_read_support_filter_gzip(archive) }
    hasPassword = !passwords.isEmpty
    let format = file.sniffedFormat
    undecryptable = format == .sevenZip || format == .rar ? format : nil
    isVolume = format == .rar && RARVolume.isWhole(file)
    for password in passwords {
      archive_read_add_passphrase(archive, (password + [0]).map { CChar(bitPattern: $0) })
    }
    guard open() >= ARCHIVE_WARN else { throw openingError }
  }

  deinit {
    archive_read_free(archive)
    block.deallocate()
  }

  /// Opens the archive with callbacks that read `file`, which determines the end of the archive. The handle
  /// outlives its `struct archive`, so that an unretained reference suffices.
  private func open() -> CInt {
    _ = file.seek(0, from: SEEK_SET)
    archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
    archive_read_set_read_callback(archive) { _, handle, block in
      guard let handle = LibarchiveHandle.from(handle) else { return -1 }
      block?.pointee = UnsafeRawPointer(handle.block.baseAddress)
      let count = handle.file.read(into: handle.block)
      if count == 0, let failure = handle.file.failure {
        imgdl_archive_set_error(handle.archive, failure)
        return -1
      }
      return count
    }
    archive_read_set_seek_callback(archive) { _, handle, offset, origin in
      guard let handle = LibarchiveHandle.from(handle), handle.file.seek(offset, from: origin)
      else { return Int64(ARCHIVE_FATAL) }
      return handle.file.offset
    }
    archive_read_set_skip_callback(archive) { _, handle, count in
      guard let file = LibarchiveHandle.from(handle)?.file, count > 0 else { return 0 }
      let skipped = min(count, max(0, file.end - file.position))
      file.position += skipped
      return skipped
    }
    return archive_read_open1(archive)
  }

  private static func from(_ handle: UnsafeMutableRawPointer?) -> LibarchiveHandle? {
    handle.map { Unmanaged<LibarchiveHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Returns: The next entry, or nil after the last one.
  func nextEntry() throws(ArchiveError) -> LibarchiveEntry? {
    var entry: OpaquePointer?
    let status = archive_read_next_header(archive, &entry)
    switch status {
    case ARCHIVE_EOF: return nil
    case ARCHIVE_OK, ARCHIVE_WARN:
      guard let entry else { return nil }
      return LibarchiveEntry(
        entry, warning: status == ARCHIVE_WARN ? message : nil,
        lock: encryptionError(isOfEntry: true))
    default:
      if archive_read_has_encrypted_entries(archive) == 1 {
        throw encryptionError(isOfEntry: false)
          ?? ArchiveError(.unsupported, "the archive's encryption method is not supported")
      }
      throw openingError
    }
  }

  /// Streams the data of the current entry to the visitor.
  /// - Parameter received: The number of bytes at the beginning that the visitor already has.
  /// - Throws: An error of the visitor.
  func read(
    _ entry: LibarchiveEntry, after received: Int64, into visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> Outcome {
    if let fault = entry.fault { return .fault(fault) }
    var total: Int64 = 0
    while true {
      var block: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let status = archive_read_data_block(archive, &block, &count, &offset)
      if status == ARCHIVE_EOF { break }
      guard status == ARCHIVE_OK else {
        if isStarved { return .starved(max(total, received)) }
        let error = error(of: entry)
        return status == ARCHIVE_FATAL ? .fatal(error) : .fault(error)
      }
      guard count > 0 else { continue }
      guard offset == total else { return .fault(hole(entry)) }
      let known = Int(max(0, min(Int64(count), received - total)))
      total += Int64(count)
      if let size = entry.size, total > size { return .fault(longer(entry)) }
      let data = UnsafeRawBufferPointer(start: block, count: count)
      if known < count {
        try visitor.receive(UnsafeRawBufferPointer(rebasing: data[known...]).bytes)
      }
    }
    guard let size = entry.size, total != size else { return .complete }
    return .fault(isVolume ? split(entry.name) : shorter(entry))
  }

  private func shorter(_ entry: LibarchiveEntry) -> ArchiveError {
    ArchiveError(.damaged, "the entry is shorter than the directory says", entryName: entry.name)
  }

  /// Returns the error of an entry of which other volumes have a part.
  private func split(_ entryName: String?) -> ArchiveError {
    ArchiveError(
      .unsupported, "the entry is split over several volumes, which imgdl does not join",
      entryName: entryName)
  }

  private func hole(_ entry: LibarchiveEntry) -> ArchiveError {
    ArchiveError(
      .unsupported, "the data of the entry has holes, which are not supported",
      entryName: entry.name)
  }

  private func longer(_ entry: LibarchiveEntry) -> ArchiveError {
    ArchiveError(.damaged, "the entry is longer than the directory says", entryName: entry.name)
  }

  // MARK: - Errors

  /// Whether the last error may be due to the end of a block within a symbol of PPMd; a block that holds the whole
  /// file has no such end.
  var isStarved: Bool {
    guard undecryptable == .sevenZip, Int64(block.count) < file.size else { return false }
    let text = message
    return Self.starvation.contains(where: text.contains)
  }

  /// The messages of libarchive about the end of a block, the first of which has another name in some versions.
  private static let starvation = [
    "Truncated 7z file data", "Truncated RAR file data", "Failed to decode PPMd",
    "Failed to initialize PPMd",
  ]

  /// The last error message of libarchive without line breaks, with which some messages end.
  private var message: String {
    let text = archive_error_string(archive).map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns the reason why encrypted data cannot be read, or nil if the password may decrypt it.
  private func encryptionError(isOfEntry: Bool) -> ArchiveError? {
    if let undecryptable {
      return ArchiveError(
        .unsupported,
        "the \(isOfEntry ? "entry" : "archive") is encrypted; passwords of "
          + "\(undecryptable.displayName) files are not supported")
    }
    return hasPassword ? nil : ArchiveError(.encrypted, "")
  }

  private var openingError: ArchiveError {
    let error = error(entryName: nil)
    guard error.code == .format else { return error }
    return file.openingError
  }

  /// Returns the error of an entry. An encrypted entry has a check value of only one or two bytes, which a
  /// wrong password may match, so that the data then appears to be damaged.
  private func error(of entry: LibarchiveEntry) -> ArchiveError {
    let error = error(entryName: entry.name)
    guard entry.isEncrypted, hasPassword, error.code == .damaged || error.code == .encrypted
    else { return error }
    return ArchiveError(
      .encrypted,
      message.contains("ncorrect")
        ? "the password of the entry is wrong"
        : "the password of the entry is wrong, or the entry is damaged",
      entryName: entry.name)
  }

  /// Converts the last error of libarchive.
  private func error(entryName: String?) -> ArchiveError {
    let text = message
    if undecryptable != nil, text.contains("ncrypt") || text.contains("rypto codec"),
      let encryption = encryptionError(isOfEntry: entryName != nil)
    {
      return ArchiveError(encryption.code, encryption.detail, entryName: entryName)
    }
    let cause = LibarchiveCause(text, number: archive_errno(archive))
    if isVolume, cause.code == .truncated, entryName != nil { return split(entryName) }
    let words = cause.words.isEmpty ? "" : " (\(cause.words))"
    return ArchiveError(
      cause.code, cause.code.sentence(isOfEntry: entryName != nil) + words, entryName: entryName)
  }
}
