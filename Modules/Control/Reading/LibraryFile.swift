import Dispatch
import Glibc
import Models
import SystemCalls

/// A file of the library that is open to be sent.
struct LibraryFile: Sendable {
  let descriptor: OwnedDescriptor
  /// Bytes.
  let length: Int64

  /// A thread of its own: a disk may be slow, and neither the server's thread nor the cooperative pool
  /// waits for it.
  private static let queue = DispatchQueue(label: "imgdl.control.files", attributes: .concurrent)

  /// Opens a regular file below a folder. No link is followed on the way, so that nothing that
  /// somebody put into the library leads out of it.
  /// - Parameter path: of names, with a slash between two; `..` is refused.
  /// - Returns: nil if there is no such file.
  @concurrent
  static func open(_ path: String, below root: String) async -> LibraryFile? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: openNow(path, below: root)) }
    }
  }

  /// Whether there is a regular file at an absolute path.
  @concurrent
  static func isThere(_ path: String) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: (try? FileSystem.status(path))?.kind == .file)
      }
    }
  }

  private static func openNow(_ path: String, below root: String) -> LibraryFile? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !names.isEmpty, names.allSatisfy({ isName($0) }) else { return nil }
    var place = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, name) in names.enumerated() {
      guard place >= 0 else { return nil }
      let folder = OwnedDescriptor(place)
      let kind = index < names.count - 1 ? O_DIRECTORY : O_NONBLOCK
      place = openat(folder.raw, String(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
    }
    guard place >= 0 else { return nil }
    let file = OwnedDescriptor(place)
    guard let status = try? file.status(), status.kind == .file else { return nil }
    return LibraryFile(descriptor: file, length: status.size)
  }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0)
  }

  /// Some bytes from a place on; empty at the end, nil when the disk fails.
  func bytes(at offset: Int64, limit: Int) async -> [UInt8]? {
    let count = Int(min(Int64(limit), max(0, length - offset)))
    return await withCheckedContinuation { continuation in
      Self.queue.async {
        continuation.resume(returning: try? descriptor.bytes(count: count, at: offset))
      }
    }
  }
}
