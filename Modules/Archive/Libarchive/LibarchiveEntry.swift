import Archive
import CLibarchive
import Glibc

/// The current entry as described by its header.
struct LibarchiveEntry {
  let name: String
  let kind: ArchiveEntry.Kind
  let isEncrypted: Bool
  let size: Int64?
  let linkTarget: String?
  /// The fault that is known before the data is read, or nil.
  let fault: ArchiveError?

  /// - Parameters:
  ///   - warning: The warning of libarchive about the header.
  ///   - lock: The reason why an encrypted entry cannot be read, or nil if it can.
  init(_ entry: OpaquePointer, warning: String?, lock: ArchiveError?) {
    name = archive_entry_pathname(entry).map(Self.decode) ?? ""
    isEncrypted = archive_entry_is_encrypted(entry) != 0
    size = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil
    let type = UInt32(archive_entry_filetype(entry))
    if let link = archive_entry_hardlink(entry) {
      kind = .other
      linkTarget = EntryName.target(of: Self.decode(link), at: name, isSymbolic: false)
    } else if let link = archive_entry_symlink(entry) {
      kind = .other
      linkTarget = EntryName.target(of: Self.decode(link), at: name, isSymbolic: true)
    } else {
      let isFile = type == imgdl_file_type_regular()
      kind = isFile ? .file : type == imgdl_file_type_directory() ? .directory : .other
      linkTarget = nil
    }
    if isEncrypted, let lock {
      // An empty detail selects the sentence of the code, which then refers to the entry.
      fault = ArchiveError(
        lock.code, lock.code == .encrypted ? "" : lock.detail, entryName: name)
    } else if archive_entry_sparse_count(entry) > 0 {
      fault = ArchiveError(
        .unsupported, "the entry is a sparse file, which is not supported", entryName: name)
    } else if warning?.hasPrefix("Inconsistent") ?? false {
      fault = ArchiveError(
        .damaged, "the header of the entry contradicts the directory", entryName: name)
    } else {
      fault = nil
    }
  }

  private static func decode(_ name: UnsafePointer<CChar>) -> String {
    EntryName.decode(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  func described(index: Int) -> ArchiveEntry {
    ArchiveEntry(
      index: index, name: name, kind: kind, isEncrypted: isEncrypted, uncompressedSize: size,
      linkTarget: linkTarget)
  }
}
