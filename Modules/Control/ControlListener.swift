import CLinux
import Glibc
import SystemCalls

/// A socket that listens, with what it knows of its peers. The server takes whatever listener it is
/// given.
public struct ControlListener: Sendable {
  /// Where clients find it; nil for what is no socket of the Unix domain.
  public let address: ControlAddress?
  let socket: OwnedDescriptor
  /// Whether the peer of a connection may ask for anything.
  let admits: @Sendable (OwnedDescriptor) -> Bool
  private let file: SocketFile?

  /// Connections that the kernel holds until they are accepted.
  private static let queueLength: Int32 = 512

  /// Listens at a library's address, in place of whatever an engine that died left there. Only the
  /// holder of the library's lock may do that: nobody else knows that the other one is dead.
  ///
  /// Blocks for a few calls to the file system.
  /// - Parameter isChosen: the user said where; the folder may be one of his own, which is left as
  ///   it is.
  /// - Throws: `folder` when the folder is not the user's alone, `socket` when the kernel refuses.
  public init(_ address: ControlAddress, isChosen: Bool = false) throws(ControlError) {
    try address.prepareFolder(isChosen: isChosen)
    self.address = address
    do throws(SystemError) {
      try SocketFile.removeStale(address.path)
      let type =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let raw = Glibc.socket(AF_UNIX, type, 0)
      guard raw >= 0 else { throw .last("open a socket") }
      socket = OwnedDescriptor(raw, path: address.path)
      // On Linux the file is made with the mode of the socket, so that it is never open to others.
      guard fchmod(raw, 0o600) == 0, imgdl_unix_bind(raw, address.path) == 0,
        chmod(address.path, 0o600) == 0, listen(raw, Self.queueLength) == 0
      else { throw .last("listen at", path: address.path) }
      file = try SocketFile(address.path)
    } catch {
      throw ControlError(.socket, error.description)
    }
    admits = Self.isSameUser
  }

  /// Takes over a socket of the Unix domain that listens already, as systemd hands it over; its file
  /// stays when we end.
  /// - Parameter descriptor: its number; ours from now on.
  /// - Throws: `socket` when it is none that listens.
  public init(inheriting descriptor: Int32) throws(ControlError) {
    let socket = OwnedDescriptor(descriptor)
    var listens: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let address = try ControlAddress(ofSocket: descriptor)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(descriptor, F_SETFL, O_RDWR | O_NONBLOCK) == 0
    else {
      throw ControlError(.socket, "descriptor \(descriptor) is no socket that listens")
    }
    self.init(socket, at: address, admits: Self.isSameUser)
  }

  /// Takes over a socket that listens already and does not block.
  init(
    _ socket: OwnedDescriptor, at address: ControlAddress? = nil,
    admits: @escaping @Sendable (OwnedDescriptor) -> Bool
  ) {
    self.socket = socket
    self.address = address
    self.admits = admits
    file = nil
  }

  private static func isSameUser(_ peer: OwnedDescriptor) -> Bool {
    PeerCredentials(peer).map { $0.isSame(as: Machine.userID) } ?? false
  }

  /// Removes the file, if it is still ours.
  func removeFile() { file?.remove() }
}

/// The name of a socket in the file system.
private struct SocketFile: Sendable {
  let path: String
  let inode: UInt64

  init(_ path: String) throws(SystemError) {
    self.path = path
    inode = try FileSystem.status(path, followingLinks: false).inode
  }

  func remove() {
    // The next engine of the library may have put its own there.
    guard let status = try? FileSystem.status(path, followingLinks: false), status.inode == inode
    else { return }
    try? FileSystem.remove(path)
  }

  static func removeStale(_ path: String) throws(SystemError) {
    guard let status = try? FileSystem.status(path, followingLinks: false) else { return }
    guard status.kind == .socket else {
      throw SystemError(errno: EEXIST, call: "listen at", path: path)
    }
    try FileSystem.remove(path)
  }
}
