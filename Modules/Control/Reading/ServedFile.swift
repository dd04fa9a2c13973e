import Dispatch
import Glibc
import LibraryAPI
import Models
import SystemCalls

/// A file of the library, open for sending.
struct ServedFile: Sendable {
  let descriptor: OwnedDescriptor
  /// The size in bytes when the file was opened.
  let length: Int64

  /// The queue for blocking calls, so that a slow disk blocks neither the server's thread nor the cooperative
  /// thread pool.
  private static let queue = DispatchQueue(label: "imgdl.control.files", attributes: .concurrent)

  /// Opens a regular file below a folder. No component may be a symbolic link, so that no link in the library
  /// can lead out of it.
  /// - Parameter path: Names separated by single slashes; `..` is refused.
  /// - Returns: The file, or nil if it does not exist or cannot be opened.
  @concurrent
  static func open(_ path: String, below root: String) async -> ServedFile? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: openNow(path, below: root)) }
    }
  }

  /// Returns whether a regular file exists at an absolute path.
  @concurrent
  static func isThere(_ path: String) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: (try? FileSystem.status(path))?.kind == .file)
      }
    }
  }

  /// Returns whether a rendition is whole.
  @concurrent
  static func isWhole(_ name: String, _ check: RenditionCheck) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: check.isWhole(name)) }
    }
  }

  /// Returns the path of a rendition below the library's folder.
  static func path(of rendition: String) -> String {
    String(LibraryLayout(root: "").rendition(rendition).dropFirst())
  }

  /// Returns whether the file is a WebP that browsers do not turn.
  func isTurnedWebP() async -> Bool {
    await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: TurnedWebP.isTurned(descriptor)) }
    }
  }

  private static func openNow(_ path: String, below root: String) -> ServedFile? {
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
    return ServedFile(descriptor: file, length: status.size)
  }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0)
  }

  /// Returns at most `limit` bytes at an offset; empty at the end of the file, nil if reading fails.
  func bytes(at offset: Int64, limit: Int) async -> [UInt8]? {
    let count = Int(min(Int64(limit), max(0, length - offset)))
    return await withCheckedContinuation { continuation in
      Self.queue.async {
        continuation.resume(returning: try? descriptor.bytes(count: count, at: offset))
      }
    }
  }
}
