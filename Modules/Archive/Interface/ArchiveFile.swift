import Glibc
package import Models
import SystemCalls

/// A regular file that is read at any position through a small window. One reader at a time.
package final class ArchiveFile {
  private static let windowSize = 64 << 10
  /// Reads of at least this many bytes do not go through the window.
  private static let directSize = 8 << 10

  package let descriptor: CInt
  private let isOwned: Bool
  package let size: Int64
  package var position: Int64 = 0
  /// Where `read` stops: the end of the file, or of the archive in it.
  package private(set) var end: Int64
  /// The first system error of a read.
  package private(set) var failure: CInt?

  private let window: UnsafeMutableRawBufferPointer
  private var windowStart: Int64 = 0
  private var windowCount = 0

  /// - Throws: `ArchiveError` with code `io` for what is missing, unreadable or not a regular file.
  package convenience init(_ path: String) throws(ArchiveError) {
    let descriptor: CInt
    do throws(SystemError) {
      // A symbolic link could lead out of the library that the archive is in.
      descriptor = try FileSystem.open(path, followingLinks: false).take()
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

  /// - Parameter descriptor: open for reading; it stays the caller's, who keeps it open.
  package convenience init(borrowing descriptor: CInt) throws(ArchiveError) {
    guard let size = Self.size(of: descriptor) else { throw Self.notRegular }
    self.init(descriptor, isOwned: false, size: size)
  }

  private static let notRegular = ArchiveError(
    .io, "the archive cannot be read: it is not a regular file")

  /// nil for what is not a regular file.
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

  /// Reads from `position` on and moves it.
  /// - Returns: bytes read; fewer than asked for at the end of the file or after a failure.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard position >= 0, position < end else { return 0 }
    let wanted = Int(min(Int64(buffer.count), end - position))
    var done = 0
    while done < wanted {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted])
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

  /// Leaves out what follows a zip. The libraries look for its end record in a part of the file that
  /// differs from one to the other, and is smaller than what unzip looks at.
  package func endWithZip() {
    if let record = ZipEndRecord(self) { end = record.archiveEnd }
  }

  /// Moves `position` as `lseek` does.
  /// - Returns: whether there is such a place.
  package func seek(_ offset: Int64, from origin: CInt) -> Bool {
    let base: Int64
    switch origin {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = end
    default: return false
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return false }
    position = target
    return true
  }

  /// Exactly `count` bytes at a position, or nil.
  package func bytes(at position: Int64, count: Int) -> [UInt8]? {
    guard position >= 0, count >= 0 else { return nil }
    // An array without room shares its storage with all others, and `initialized` would be written there.
    if count == 0 { return [] }
    self.position = position
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    return bytes.count == count ? bytes : nil
  }

  /// What the file is by its first bytes.
  package var sniffedFormat: ResourceFormat {
    let count = Int(min(Int64(ResourceFormat.sniffLength), size))
    return ResourceFormat(sniffing: bytes(at: 0, count: count) ?? [])
  }

  /// Whether the file ends as a zip does: an end record within the longest comment of the end that leads
  /// to an entry of a directory, which leads to the header of an entry. So a self-extracting program, or
  /// a zip with bytes before or behind it, is told from a file that only contains the signature.
  ///
  /// - Complexity: reads at most 66 KiB at the end, and two headers.
  package var endsAsZip: Bool {
    guard let end = ZipEndRecord(self, searching: ZipEndRecord.longestEnd),
      end.directoryStart < end.directoryEnd,
      let entry = ZipDirectory(self, end, limit: 0).entries.first,
      let header = bytes(at: entry.offset, count: 30)
    else { return false }
    return header.starts(with: [0x50, 0x4b, 3, 4])
  }

  /// Whether this is a zip that is nothing but its end record: a legal archive without entries,
  /// in which neither library finds the record.
  package var isEmptyZip: Bool {
    size < 0x10016 && sniffedFormat == .zip && ZipEndRecord(self)?.directoryEnd == 0
  }

  /// Why a reader of zip could make nothing of the file.
  package var openingError: ArchiveError {
    if let failure { return Self.error(failure) }
    guard sniffedFormat == .zip else {
      return ArchiveError(.format, "")
    }
    return ZipEndRecord(self) == nil
      ? ArchiveError(
        .truncated, "the zip archive ends before its directory, a part of it is missing")
      : ArchiveError(.damaged, "the directory of the archive is damaged")
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
