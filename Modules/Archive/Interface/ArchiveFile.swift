import Glibc
package import Models
import SystemCalls

/// A regular file with random access through a read buffer of 64 KiB, the window. Supports one reader at a
/// time.
public final class ArchiveFile {
  private static let windowSize = 64 << 10
  /// The size in bytes from which a read bypasses the window.
  private static let directSize = 8 << 10

  package let descriptor: CInt
  private let isOwned: Bool
  /// The size in bytes that readers see.
  package private(set) var size: Int64
  /// The bytes of a zip that readers see in place of what follows its last whole entry (`ZipRestoration`).
  private var restored: ZipRestoration?
  package var position: Int64 = 0
  /// The position at which the archive begins: that of the file, or behind other bytes such as a program. Libraries
  /// get a view of the file that begins here, because offsets in the archive count from its own beginning, and
  /// libraries correct them in different ways, or not at all if the archive is zip64.
  private var start: Int64 = 0
  /// The position at which `read` stops: the end of the file, or of the archive in it.
  package private(set) var end: Int64
  /// The `errno` of the first failed read, or nil.
  package private(set) var failure: CInt?

  private let window: UnsafeMutableRawBufferPointer
  private var windowStart: Int64 = 0
  private var windowCount = 0

  /// - Throws: `ArchiveError` with code `io` for a path that is missing, unreadable or not a regular file.
  package convenience init(_ path: String) throws(ArchiveError) {
    let descriptor: CInt
    do throws(SystemError) {
      // A symbolic link could lead out of the library that contains the archive.
      descriptor = try FileSystem.open(path, followingLinks: false).release()
    } catch {
      throw ArchiveError(
        .io,
        error.isSymbolicLink ? error.description : "the archive cannot be read (\(error.reason))")
    }
    guard let size = Self.size(of: descriptor) else {
      close(descriptor)
      throw Self.notRegular
    }
    self.init(descriptor, isOwned: true, size: size)
  }

  /// - Parameter descriptor: A descriptor open for reading. The caller owns it and keeps it open.
  public convenience init(borrowing descriptor: CInt) throws(ArchiveError) {
    guard let size = Self.size(of: descriptor) else { throw Self.notRegular }
    self.init(descriptor, isOwned: false, size: size)
  }

  private static let notRegular = ArchiveError(
    .io, "the archive cannot be read: it is not a regular file")

  /// Returns the size in bytes; nil if the descriptor is not a regular file.
  private static func size(of descriptor: CInt) -> Int64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  private init(_ descriptor: CInt, isOwned: Bool, size: Int64) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    self.size = size
    end = size
    window = .allocate(byteCount: Self.windowSize, alignment: 16)
  }

  deinit {
    window.deallocate()
    if isOwned { close(descriptor) }
  }

  package static func error(_ code: CInt) -> ArchiveError {
    ArchiveError(.io, "the archive cannot be read (\(String(cString: strerror(code))))")
  }

  /// Reads from `position` and advances it.
  /// - Returns: The number of bytes read; less than requested at the end of the file or after a failure.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(into: buffer, upTo: end)
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer, upTo end: Int64) -> Int {
    guard position >= 0, position < end else { return 0 }
    let wanted = Int(min(Int64(buffer.count), end - position))
    var done = 0
    while done < wanted {
      var rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted])
      if let restored {
        guard position < restored.end else {
          let bytes = restored.bytes[Int(position - restored.end)...].prefix(rest.count)
          rest.copyBytes(from: bytes)
          position += Int64(bytes.count)
          return done + bytes.count
        }
        let whole = Int(min(Int64(rest.count), restored.end - position))
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[..<whole])
      }
      let count = copyFromWindow(rest)
      if count > 0 {
        done += count
        position += Int64(count)
      } else if rest.count >= Self.directSize {
        let count = readDirectly(into: rest, at: position)
        guard count > 0 else { break }
        done += count
        position += Int64(count)
      } else {
        windowStart = position
        windowCount = readDirectly(into: window, at: position)
        guard windowCount > 0 else { break }
      }
    }
    return done
  }

  /// Restricts `read`, `seek` and `offset` to the zip archive in the file, from its beginning to the end of its end
  /// record without the comment. The libraries take the last record that they find, also if it is a part of the
  /// comment; and they search smaller parts of the file than unzip does, and would miss a record with many bytes after
  /// it.
  ///
  /// A zip that ends before its directory gets one with its whole entries (`cutError`).
  package func restrictToZip() {
    guard let record = zipEnd() else { return }
    start = record.prefix
    end = record.recordEnd
  }

  /// Returns the end record of the zip; for one that ends before its directory, that of the restored directory.
  package func zipEnd() -> ZipEndRecord? {
    let record = ZipEndRecord(self)
    // A record of a zip that begins later may be that of an entry, which is a zip itself.
    guard record?.prefix != 0, restored == nil, sniffedFormat == .zip,
      let found = ZipRestoration(self), found.end >= record?.recordEnd ?? 0
    else { return record }
    size = found.end + Int64(found.bytes.count)
    end = size
    (windowStart, windowCount) = (0, 0)
    restored = found
    return ZipEndRecord(self)
  }

  /// The error to report after the walk of a zip that ends before its directory, whose whole entries can be read; nil for
  /// all others.
  package var cutError: ArchiveError? { restored == nil ? nil : openingError }

  /// `position`, counted from the beginning of the archive.
  package var offset: Int64 { position - start }

  /// Changes `position` like `lseek` in a file that consists of the archive.
  /// - Returns: Whether the resulting position is valid.
  package func seek(_ offset: Int64, from origin: CInt) -> Bool {
    let base: Int64
    switch origin {
    case SEEK_SET: base = start
    case SEEK_CUR: base = position
    case SEEK_END: base = end
    default: return false
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= start else { return false }
    position = target
    return true
  }

  /// Returns exactly `count` bytes at a position of the whole file, or nil.
  package func bytes(at position: Int64, count: Int) -> [UInt8]? {
    guard position >= 0, count >= 0 else { return nil }
    // An empty array shares static storage with all others, and `initialized` would be written there.
    if count == 0 { return [] }
    self.position = position
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = read(into: UnsafeMutableRawBufferPointer(buffer), upTo: size)
    }
    return bytes.count == count ? bytes : nil
  }

  /// The format detected from the first bytes of the file.
  package var sniffedFormat: ResourceFormat {
    let count = Int(min(Int64(ResourceFormat.sniffLength), size))
    return ResourceFormat(sniffing: bytes(at: 0, count: count) ?? [])
  }

  /// Whether the file ends like a zip: with an end record that leads to a directory entry, which leads to the
  /// header of an entry. The check distinguishes a self-extracting program, or a zip with bytes before or
  /// after it, from a file that only contains the signature of a zip.
  ///
  /// - Complexity: reads at most 66 KiB at the end, and two headers.
  package var endsAsZip: Bool {
    guard let end = ZipEndRecord(self, searching: ZipEndRecord.maximumEndBytes),
      end.directoryStart < end.directoryEnd,
      let entry = ZipDirectory(self, end, limit: 0).entries.first,
      let header = bytes(at: entry.offset, count: 30)
    else { return false }
    return header.starts(with: [0x50, 0x4b, 3, 4])
  }

  /// Whether the file is a zip that consists only of its end record: a valid archive without entries, in
  /// which neither minizip nor libarchive finds the record.
  package var isEmptyZip: Bool {
    size < 0x10016 && sniffedFormat == .zip && ZipEndRecord(self)?.directoryEnd == 0
  }

  /// The error to report if a zip reader cannot open the file.
  package var openingError: ArchiveError {
    if let failure { return Self.error(failure) }
    guard sniffedFormat == .zip else {
      return ArchiveError(.format, "")
    }
    let end = restored == nil ? ZipEndRecord(self) : nil
    if end?.isOfSeveralDisks ?? beginsAsFirstOfSeveralDisks {
      return ArchiveError(
        .unsupported, "the zip archive is split into several files, which imgdl does not join")
    }
    return end == nil
      ? ArchiveError(
        .truncated, "the zip archive ends before its directory, a part of it is missing")
      : ArchiveError(.damaged, "the directory of the archive is damaged")
  }

  /// Whether the file has the mark of the first file of a zip that was split (APPNOTE.TXT 8.5.3).
  private var beginsAsFirstOfSeveralDisks: Bool {
    bytes(at: 0, count: 8) == [0x50, 0x4b, 7, 8, 0x50, 0x4b, 3, 4]
  }

  private func copyFromWindow(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let offset = position - windowStart
    guard offset >= 0, offset < Int64(windowCount) else { return 0 }
    let count = min(buffer.count, windowCount - Int(offset))
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[Int(offset)...].prefix(count)))
    return count
  }

  private func readDirectly(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
      if count >= 0 { return count }
      if errno == EINTR { continue }
      failure = failure ?? errno
      return 0
    }
  }
}
