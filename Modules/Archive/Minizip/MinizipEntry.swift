import Archive
import CMinizip

/// The current entry as described by the central directory.
struct MinizipEntry {
  let name: String
  let info: unz_file_info64

  /// - Parameter linkTarget: The entry to which a link leads (`ArchiveEntry.linkTarget`).
  func described(index: Int, linkTarget: String?) -> ArchiveEntry {
    ArchiveEntry(
      index: index, name: name, kind: kind, isEncrypted: isEncrypted,
      compressedSize: Int64(clamping: info.compressed_size),
      uncompressedSize: Int64(clamping: info.uncompressed_size), linkTarget: linkTarget)
  }

  var isSymbolicLink: Bool { type == Self.symbolicLink }

  /// General purpose bit 0: the entry is encrypted; bit 13: the directory itself is masked.
  var isEncrypted: Bool { info.flag & 0x2001 != 0 }

  private static let symbolicLink: UInt = 0o120000

  private var system: UInt { info.version >> 8 }

  /// The type of the entry in its mode; 0 if it has none.
  private var type: UInt {
    // The upper half of the external attributes contains the mode on Unix and macOS, the lower half the
    // attributes of MS-DOS.
    [3, 19].contains(system) ? (info.external_fa >> 16) & 0o170000 : 0
  }

  private var kind: ArchiveEntry.Kind {
    if name.hasSuffix("/") { return .directory }
    switch type {
    case 0: return system == 0 && info.external_fa & 0x10 != 0 ? .directory : .file
    case 0o100000: return .file
    case 0o040000: return .directory
    default: return .other
    }
  }

  /// The fault that is known before the data is read, or nil.
  var fault: ArchiveError? {
    if isEncrypted { return ArchiveError(.encrypted, "", entryName: name) }
    switch info.compression_method {
    case 0 where info.compressed_size != info.uncompressed_size:
      return ArchiveError(
        .damaged, "the entry is stored, but its two sizes differ", entryName: name)
    case 0, 8: return nil
    case let method:
      return ArchiveError(
        .unsupported, "the entry is compressed by method \(method), which is not supported",
        entryName: name)
    }
  }
}
