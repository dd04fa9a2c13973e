import CLinux
import Glibc
import SystemCalls

/// A listening socket, with the rule for the peers that it admits. The server works with any listener.
public struct ControlListener: Sendable {
  /// The address at which clients find the socket; nil if the socket is not a Unix domain socket.
  public let address: ControlAddress?
  let kind: ListenerKind
  let socket: OwnedDescriptor
  /// Returns whether the peer of a connection may make requests.
  let admits: @Sendable (OwnedDescriptor) -> Bool
  private let file: SocketFile?
  private let isChosen: Bool

  /// The number of connections that the kernel queues until they are accepted.
  static let queueLength: Int32 = 512

  /// Listens at a library's address, and replaces the stale socket of an engine that died. Only the process
  /// that holds the library's lock may call this, because the lock proves that the earlier engine is dead.
  ///
  /// Blocks for a few file system calls.
  /// - Parameter isChosen: Whether the user chose the address; an existing folder then keeps its mode.
  /// - Throws: `folder` if the folder is not the user's alone, `socket` if the kernel refuses the socket.
  public init(_ address: ControlAddress, isChosen: Bool = false) throws(ControlError) {
    try address.prepareFolder(isChosen: isChosen)
    self.address = address
    self.isChosen = isChosen
    kind = .unixSocket
    do throws(SystemError) {
      try SocketFile.removeStale(address.path)
      let type =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let raw = Glibc.socket(AF_UNIX, type, 0)
      guard raw >= 0 else { throw .last("open a socket") }
      socket = OwnedDescriptor(raw, path: address.path)
      // On Linux the file gets the mode of the socket, so that other users can never access it.
      guard fchmod(raw, 0o600) == 0, imgdl_unix_bind(raw, address.path) == 0,
        chmod(address.path, 0o600) == 0, listen(raw, Self.queueLength) == 0
      else { throw .last("listen at", path: address.path) }
      file = try SocketFile(address.path)
    } catch {
      throw ControlError(.socket, error.description)
    }
    admits = Self.isSameUser
  }

  /// Takes over a listening Unix domain socket, as systemd passes it. The socket's file is kept when the
  /// server stops.
  /// - Parameter descriptor: The number of the descriptor, which the listener then owns.
  /// - Throws: `socket` if the descriptor is not a listening socket.
  public init(inheriting descriptor: Int32) throws(ControlError) {
    let socket = OwnedDescriptor(descriptor)
    var listens: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let address = try ControlAddress(ofSocket: descriptor)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(descriptor, F_SETFL, O_RDWR | O_NONBLOCK) == 0
    else {
      throw ControlError(.socket, "descriptor \(descriptor) is not a listening socket")
    }
    self.init(socket, at: address, admits: Self.isSameUser)
  }

  /// Takes over a listening socket in non-blocking mode.
  init(
    _ socket: OwnedDescriptor, at address: ControlAddress? = nil,
    _ kind: ListenerKind = .unixSocket,
    admits: @escaping @Sendable (OwnedDescriptor) -> Bool
  ) {
    self.socket = socket
    self.address = address
    self.kind = kind
    self.admits = admits
    isChosen = false
    file = nil
  }

  /// Whether the socket's file is missing, so that no client can connect any more. At the end of a session the folder
  /// for run-time files is removed, and programs that tidy up remove old files from `/tmp`. Blocks.
  var isFileMissing: Bool {
    guard let address else { return false }
    do throws(SystemError) {
      _ = try FileSystem.status(address.path, followingLinks: false)
      return false
    } catch {
      return error.isMissing
    }
  }

  /// Listens at the same address again or, if its folder cannot be created, at the library's usual address. Blocks.
  func renewed(libraryRoot: String) throws(ControlError) -> ControlListener {
    do throws(ControlError) {
      guard let address else { return self }
      return try ControlListener(address, isChosen: isChosen)
    } catch {
      let usual = try ControlAddress(libraryRoot: libraryRoot)
      guard usual != address else { throw error }
      return try ControlListener(usual)
    }
  }

  private static func isSameUser(_ peer: OwnedDescriptor) -> Bool {
    PeerCredentials(peer).map { $0.isSame(as: Machine.userID) } ?? false
  }

  /// Removes the socket's file, unless another engine has replaced it.
  func removeFile() { file?.remove() }
}

/// The file of a socket, identified by its inode.
private struct SocketFile: Sendable {
  let path: String
  let inode: UInt64

  init(_ path: String) throws(SystemError) {
    self.path = path
    inode = try FileSystem.status(path, followingLinks: false).inode
  }

  func remove() {
    // The library's next engine may have created its own socket at this path.
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
