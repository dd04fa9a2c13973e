import CLinux
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

  /// A place that the user chose.
  /// - Throws: `folder` unless it is absolute and short enough.
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

  /// Where a socket is bound that this process was given.
  /// - Throws: `socket` for one that has no place in the file system.
  public init(ofSocket descriptor: Int32) throws(ControlError) {
    var path = [CChar](repeating: 0, count: Self.maximumLength + 1)
    let length = imgdl_unix_path(descriptor, &path, Int32(path.count))
    guard length > 0 else {
      throw ControlError(.socket, "descriptor \(descriptor) is no socket with a path")
    }
    let bytes = path.prefix(Int(length)).map { UInt8(bitPattern: $0) }
    self.path = String(decoding: bytes, as: UTF8.self)
  }

  init(path: String) { self.path = path }

  /// Where the log of a daemon goes that was started without anybody who reads what it says.
  public var logPath: String {
    (path.hasSuffix(".sock") ? String(path.dropLast(5)) : path) + ".log"
  }

  /// Where `imgdl.socket` of systemd listens for the default library; nil without a session.
  public static var activation: ControlAddress? {
    guard let folder = Machine.environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
      return nil
    }
    return try? ControlAddress(chosen: folder + "/imgdl/imgdl.sock")
  }

  /// Makes the folder, for the user alone.
  /// - Parameter isChosen: the user said where; a folder that is there is left as it is.
  public func prepareFolder(isChosen: Bool) throws(ControlError) {
    try SocketFolder.prepare(folder, user: Machine.userID, isOurs: !isChosen)
  }

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
