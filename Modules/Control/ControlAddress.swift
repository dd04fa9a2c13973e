import Glibc
import Hashing
import Models
import SystemCalls

/// Where the engine of a library listens: a socket in a folder of the user's own, named by a hash of
/// the library's real path, so that it is short wherever the library is.
public struct ControlAddress: Sendable, Hashable {
  /// Absolute.
  public let path: String

  /// What the kernel takes, in bytes (unix(7)).
  public static let maximumLength = 107

  /// - Parameter libraryRoot: the library's folder, which has to exist.
  public init(libraryRoot: String) throws(ControlError) {
    try self.init(
      libraryRoot: libraryRoot, runtimeFolder: Machine.environment("XDG_RUNTIME_DIR"),
      user: Machine.userID)
  }

  /// - Parameter runtimeFolder: `$XDG_RUNTIME_DIR`; left out unless it is an absolute path of a
  ///   folder of the user's own (XDG Base Directory Specification) that is not too long.
  init(libraryRoot: String, runtimeFolder: String?, user: UInt32) throws(ControlError) {
    let real: String
    do {
      real = try FileSystem.realPath(libraryRoot)
    } catch {
      throw ControlError(.folder, error.description)
    }
    let name = "/\(Self.name(ofLibrary: real)).sock"
    if let runtimeFolder, runtimeFolder.hasPrefix("/"),
      let status = try? FileSystem.status(runtimeFolder), status.kind == .folder,
      status.owner == user
    {
      let path = runtimeFolder + "/imgdl" + name
      if path.utf8.count <= Self.maximumLength {
        self.path = path
        return
      }
    }
    path = "/tmp/imgdl-\(user)" + name
  }

  init(path: String) { self.path = path }

  var folder: String { FileSystem.parentFolder(of: path) }

  /// 32 hexadecimal digits of the SHA-256: two libraries never share a socket.
  private static func name(ofLibrary realPath: String) -> String {
    let hasher = SHA256Hasher()
    hasher.update(Array(realPath.utf8).span.bytes)
    return String(hasher.finalize().description.prefix(32))
  }
}

/// What a library's lock file says: the process that holds the lock, and where it listens. Two
/// lines; the second comes when the socket is there.
public struct LockHolder: Sendable, Equatable {
  public let processID: Int32
  public let address: ControlAddress?

  /// - Parameter lockFile: the bytes of the file. A line without its end is being written: it does
  ///   not count. nil when there is no process in it.
  public init?(lockFile: [UInt8]) {
    let lines = lockFile.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
    guard let first = lines.first, let process = Int32(String(decoding: first, as: UTF8.self)),
      process > 0
    else { return nil }
    processID = process
    let path = lines.dropFirst().first.flatMap { String(validating: $0, as: UTF8.self) }
    if let path, path.hasPrefix("/"), path.utf8.count <= ControlAddress.maximumLength {
      address = ControlAddress(path: path)
    } else {
      address = nil
    }
  }
}
