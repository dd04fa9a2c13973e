import Archive
import CMinizip

/// An open `unzFile`: a cursor over the entries. Confined to the thread of the walk.
final class MinizipArchive {
  private let file: ArchiveFile
  private let handle: unzFile
  /// The buffers for a name and an extra field, whose lengths have at most 16 bits in a zip file.
  private let name = UnsafeMutableRawBufferPointer.allocate(byteCount: 0x10000, alignment: 1)
  private let extra = UnsafeMutableRawBufferPointer.allocate(byteCount: 0x10000, alignment: 1)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)

  init(_ file: ArchiveFile) throws(ArchiveError) {
    self.file = file
    var functions = file.minizipFunctions
    guard let handle = unzOpen2_64(nil, &functions) else {
      name.deallocate()
      extra.deallocate()
      buffer.deallocate()
      throw file.openingError
    }
    self.handle = handle
  }

  deinit {
    unzClose(handle)
    name.deallocate()
    extra.deallocate()
    buffer.deallocate()
  }

  // MARK: - The cursor

  /// Moves the cursor to the first entry. Returns false if there are no entries.
  func goToFirst() throws(ArchiveError) -> Bool {
    var global = unz_global_info64()
    guard unzGetGlobalInfo64(handle, &global) == UNZ_OK else { throw brokenDirectory }
    if global.number_entry == 0 { return false }
    guard unzGoToFirstFile(handle) == UNZ_OK else { throw brokenDirectory }
    return true
  }

  /// Moves the cursor to the next entry. Returns false after the last one.
  func goToNext() throws(ArchiveError) -> Bool {
    switch unzGoToNextFile(handle) {
    case UNZ_OK: return true
    case UNZ_END_OF_LIST_OF_FILE: return false
    default:
      // minizip cannot distinguish a count of 0xffff from the zip64 marker.
      var global = unz_global_info64()
      if unzGetGlobalInfo64(handle, &global) == UNZ_OK, global.number_entry == 0xffff {
        return false
      }
      throw brokenDirectory
    }
  }

  func go(to position: unz64_file_pos) throws(ArchiveError) {
    var position = position
    guard unzGoToFilePos64(handle, &position) == UNZ_OK else { throw brokenDirectory }
  }

  /// Returns the directory positions of the entries, arranged by `order`, which holds indices into minizip's
  /// sequence; nil if minizip counts another number of entries than `order`. The cursor must be on the first
  /// entry, and is there again afterwards.
  func positions(in order: [Int]) throws(ArchiveError) -> [unz64_file_pos]? {
    var positions: [unz64_file_pos] = []
    repeat {
      var position = unz64_file_pos()
      guard unzGetFilePos64(handle, &position) == UNZ_OK else { throw brokenDirectory }
      positions.append(position)
    } while try goToNext()
    _ = try goToFirst()
    guard positions.count == order.count else { return nil }
    return order.map { positions[$0] }
  }

  func entry() throws(ArchiveError) -> MinizipEntry {
    var info = unz_file_info64()
    let status = unzGetCurrentFileInfo64(
      handle, &info, name.baseAddress?.assumingMemoryBound(to: CChar.self), UInt(name.count),
      extra.baseAddress, UInt(extra.count), nil, 0)
    guard status == UNZ_OK else { throw brokenDirectory }
    let decoded = EntryName.decode(
      name.prefix(Int(info.size_filename)), zipExtra: extra.prefix(Int(info.size_file_extra)))
    return MinizipEntry(name: decoded, info: info)
  }

  /// Returns the entry to which a symbolic link leads (`ArchiveEntry.linkTarget`); nil for another entry, and for a link
  /// whose data, the path of its target, is too long or cannot be read. The entry is the current one.
  func linkTarget(of entry: MinizipEntry) throws(ArchiveError) -> String? {
    guard entry.isSymbolicLink, entry.fault == nil,
      entry.info.uncompressed_size <= Self.maximumPathBytes,
      unzOpenCurrentFile(handle) == UNZ_OK
    else { return nil }
    var path: [UInt8] = []
    var count: CInt
    repeat {
      count = unzReadCurrentFile(handle, buffer.baseAddress, UInt32(buffer.count))
      path += buffer.prefix(Int(max(0, count)))
    } while count > 0 && path.count <= Self.maximumPathBytes
    let isIntact = unzCloseCurrentFile(handle) == UNZ_OK && count == 0
    if let failure = file.failure { throw ArchiveFile.error(failure) }
    guard isIntact, path.count == Int(entry.info.uncompressed_size) else { return nil }
    return EntryName.target(
      of: EntryName.decode(path.prefix { $0 != 0 }), at: entry.name, isSymbolic: true)
  }

  /// The maximum number of bytes of a link's target, that of libarchive.
  private static let maximumPathBytes = 64 << 10

  private var brokenDirectory: ArchiveError {
    file.failure.map(ArchiveFile.error)
      ?? ArchiveError(.damaged, "the directory of the archive is damaged")
  }

  // MARK: - Data

  /// Streams the data of the current entry to the visitor.
  /// - Returns: The fault of the entry, or nil if it is intact.
  /// - Throws: An error of the visitor, or an error if the file cannot be read.
  func read(
    _ entry: MinizipEntry, into visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> ArchiveError? {
    if let fault = entry.fault { return fault }
    guard unzOpenCurrentFile(handle) == UNZ_OK else {
      return try fault(entry, .damaged, "the header of the entry contradicts the directory")
    }
    var isOpen = true
    defer { if isOpen { unzCloseCurrentFile(handle) } }
    var total: UInt64 = 0
    while true {
      let count = unzReadCurrentFile(handle, buffer.baseAddress, UInt32(buffer.count))
      if count == 0 { break }
      guard count > 0 else { return try fault(entry, status: count) }
      total += UInt64(count)
      try visitor.receive(UnsafeRawBufferPointer(rebasing: buffer.prefix(Int(count))).bytes)
    }
    isOpen = false
    // minizip compares the checksum only if the declared end was reached.
    if unzCloseCurrentFile(handle) == UNZ_CRCERROR {
      return try fault(entry, .damaged, "the checksum of the entry is wrong")
    }
    if total != entry.info.uncompressed_size {
      return try fault(entry, .damaged, "the entry is shorter than the directory says")
    }
    return nil
  }

  private func fault(
    _ entry: MinizipEntry, status: CInt
  ) throws(ArchiveError) -> ArchiveError {
    switch status {
    case Z_BUF_ERROR, UNZ_ERRNO:
      try fault(entry, .truncated, "the data of the entry ends too early")
    default: try fault(entry, .damaged, "the compressed data of the entry is damaged")
    }
  }

  private func fault(
    _ entry: MinizipEntry, _ code: ArchiveError.Code, _ detail: String
  ) throws(ArchiveError) -> ArchiveError {
    if let failure = file.failure { throw ArchiveFile.error(failure) }
    return ArchiveError(code, detail, entryName: entry.name)
  }
}
