import Glibc
import HTTP1
import Models

/// A file to send, open.
struct StoredFile {
  let descriptor: Descriptor
  let size: Int64
  /// Strong: another size, time or inode is another tag.
  let entityTag: String
  /// Seconds since 1970.
  let modified: Int64
  let contentType: String

  /// Reads part of the file; fewer bytes if it has become shorter.
  func read(_ range: Range<Int64>) -> [UInt8] {
    let count = Int(range.count)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let offset = off_t(range.lowerBound) + off_t(initialized)
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
        let result = Descriptor.retrying {
          pread(descriptor.number, rest.baseAddress, rest.count, offset)
        }
        guard result > 0 else { break }
        initialized += result
      }
    }
  }
}

/// A folder out of which no path leads: names are opened one by one, and links are not followed.
final class Folder: Sendable {
  private let descriptor: Descriptor

  init(_ path: String) throws(OriginError) {
    let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      throw OriginError(.folder, "cannot open the folder \(path): \(Descriptor.reason)")
    }
    descriptor = Descriptor(number)
  }

  /// The regular file behind these names; `nil` if there is none or one of them is no plain name.
  func file(_ names: [String]) -> StoredFile? {
    guard let last = names.last, names.allSatisfy(Self.isPlainName) else { return nil }
    var parent = descriptor
    for name in names.dropLast() {
      guard let next = Self.open(name, in: parent, O_DIRECTORY) else { return nil }
      parent = next
    }
    // A FIFO without a writer would block the open.
    guard let file = Self.open(last, in: parent, O_NONBLOCK) else { return nil }
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let time =
      UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    let parts = [UInt64(bitPattern: Int64(status.st_size)), time, UInt64(status.st_ino)]
    return StoredFile(
      descriptor: file, size: Int64(status.st_size),
      entityTag: "\"" + parts.map { String($0, radix: 16) }.joined(separator: "-") + "\"",
      modified: Int64(status.st_mtim.tv_sec), contentType: ContentType.of(last))
  }

  private static func open(_ name: String, in parent: Descriptor, _ flags: Int32) -> Descriptor? {
    let number = openat(parent.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
    return number >= 0 ? Descriptor(number) : nil
  }

  private static func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0x2f)
      && !name.utf8.contains(0)
  }
}

/// Media types by file extension.
enum ContentType {
  static func of(_ name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return other }
    return types[name[name.index(after: dot)...].lowercased()] ?? other
  }

  private static let other = "application/octet-stream"
  private static let types = [
    "avif": "image/avif", "bmp": "image/bmp", "cbz": "application/vnd.comicbook+zip",
    "csv": "text/csv", "gif": "image/gif", "heic": "image/heic", "html": "text/html",
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
    "jsonl": "application/jsonl", "pdf": "application/pdf", "png": "image/png",
    "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "txt": "text/plain",
    "webp": "image/webp", "zip": "application/zip",
  ]
}
