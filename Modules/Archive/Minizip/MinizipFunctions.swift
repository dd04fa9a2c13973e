import Archive
import CMinizip

extension ArchiveFile {
  /// Functions that let minizip read from this file, which must outlive the handle. minizip's own functions
  /// open without O_CLOEXEC, and read a directory byte by byte through stdio's lock.
  var minizipFunctions: zlib_filefunc64_def {
    zlib_filefunc64_def(
      zopen64_file: { opaque, _, _ in opaque },
      zread_file: { opaque, _, buffer, count in
        guard let file = ArchiveFile.from(opaque), let buffer else { return 0 }
        return UInt(
          file.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))))
      },
      zwrite_file: { _, _, _, _ in 0 },
      ztell64_file: { opaque, _ in
        UInt64(clamping: ArchiveFile.from(opaque)?.offset ?? 0)
      },
      zseek64_file: { opaque, _, offset, origin in
        let file = ArchiveFile.from(opaque)
        // minizip uses the same origins as `lseek`.
        return file?.seek(Int64(bitPattern: offset), from: origin) ?? false ? 0 : -1
      },
      zclose_file: { _, _ in 0 },
      zerror_file: { opaque, _ in ArchiveFile.from(opaque)?.failure == nil ? 0 : 1 },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> ArchiveFile? {
    opaque.map { Unmanaged<ArchiveFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
