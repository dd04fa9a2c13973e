import CLinux
import Glibc
import Hashing
import Models
import SystemCalls

/// The address at which a library's engine listens: the path of a socket in a folder that only the user can
/// access. The socket is named by a hash of the library's real path, so that the path stays short.
public struct ControlAddress: Sendable, Hashable {
  /// The absolute path of the socket.
  public let path: String

  /// The maximum length of a socket path that the kernel accepts, in bytes (unix(7)).
  public static let maximumLength = 107

  /// Derives the address of a library's socket from the library's path.
  /// - Parameter libraryRoot: The library's folder, which must exist.
  public init(libraryRoot: String) throws(ControlError) {
    try self.init(
      libraryRoot: libraryRoot, runtimeFolder: Machine.environment("XDG_RUNTIME_DIR"),
      user: Machine.userID)
  }

  /// - Parameter runtimeFolder: `$XDG_RUNTIME_DIR`. Ignored unless it is the absolute path of a folder that
  ///   the user owns (XDG Base Directory Specification) and the socket's path is short enough.
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

  /// Uses a path that the user chose.
  /// - Throws: `folder` unless the path is absolute and short enough.
  public init(chosen path: String) throws(ControlError) {
    guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw ControlError(.folder, "the socket needs an absolute path, not \(path)")
    }
    guard path.utf8.count <= Self.maximumLength else {
      throw ControlError(
        .folder, "the path of the socket is longer than \(Self.maximumLength) bytes: \(path)")
    }
    self.path = path
  }

  /// Reads the address of a bound socket that this process inherited.
  /// - Throws: `socket` if the socket is not bound to a path.
  public init(ofSocket descriptor: Int32) throws(ControlError) {
    var path = [CChar](repeating: 0, count: Self.maximumLength + 1)
    let length = imgdl_unix_path(descriptor, &path, Int32(path.count))
    guard length > 0 else {
      throw ControlError(.socket, "descriptor \(descriptor) is not a socket with a path")
    }
    let bytes = path.prefix(Int(length)).map { UInt8(bitPattern: $0) }
    self.path = String(decoding: bytes, as: UTF8.self)
  }

  init(path: String) { self.path = path }

  /// The path of the log of a daemon that was started without a reader for its output.
  public var logPath: String {
    (path.hasSuffix(".sock") ? String(path.dropLast(5)) : path) + ".log"
  }

  /// The address at which the systemd unit `imgdl.socket` listens for the default library; nil without
  /// `$XDG_RUNTIME_DIR`.
  public static var activation: ControlAddress? {
    guard let folder = Machine.environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
      return nil
    }
    return try? ControlAddress(chosen: folder + "/imgdl/imgdl.sock")
  }

  /// Creates the socket's folder, accessible to the user alone.
  /// - Parameter isChosen: Whether the user chose the path; an existing folder then keeps its mode.
  public func prepareFolder(isChosen: Bool) throws(ControlError) {
    try SocketFolder.prepare(folder, user: Machine.userID, isOurs: !isChosen)
  }

  var folder: String { FileSystem.parentFolder(of: path) }

  /// Returns the first 32 hexadecimal digits of the path's SHA-256, so that two libraries never share a
  /// socket.
  private static func name(ofLibrary realPath: String) -> String {
    let hasher = SHA256Hasher()
    hasher.update(Array(realPath.utf8).span.bytes)
    return String(hasher.finalize().description.prefix(32))
  }
}

/// The content of a library's lock file. The first line is the id of the process that holds the lock; the
/// second, written once the socket exists, is the address at which the process listens.
public struct LockHolder: Sendable, Equatable {
  public let processID: Int32
  public let address: ControlAddress?

  /// Parses a lock file; nil if it names no process.
  /// - Parameter lockFile: The bytes of the file. A line without a line feed is still being written and is
  ///   ignored.
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
