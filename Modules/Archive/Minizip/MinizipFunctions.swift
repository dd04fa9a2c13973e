import Archive
import CMinizip

extension ArchiveFile {
  /// minizip's input through this file, which must outlive the handle. Its own functions open
  /// without O_CLOEXEC, and read a directory byte by byte through stdio's lock.
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
        UInt64(clamping: ArchiveFile.from(opaque)?.position ?? 0)
      },
      zseek64_file: { opaque, _, offset, origin in
        ArchiveFile.from(opaque)?.seek(Int64(bitPattern: offset), origin: origin) ?? -1
      },
      zclose_file: { _, _ in 0 },
      zerror_file: { opaque, _ in ArchiveFile.from(opaque)?.failure == nil ? 0 : 1 },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> ArchiveFile? {
    opaque.map { Unmanaged<ArchiveFile>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Parameter offset: negative for a way back.
  /// - Returns: 0, or -1 for a place that cannot be.
  private func seek(_ offset: Int64, origin: CInt) -> Int {
    let base: Int64
    switch origin {
    case ZLIB_FILEFUNC_SEEK_SET: base = 0
    case ZLIB_FILEFUNC_SEEK_CUR: base = position
    case ZLIB_FILEFUNC_SEEK_END: base = size
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return 0
  }
}
