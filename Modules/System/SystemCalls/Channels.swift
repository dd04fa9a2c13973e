import CLinux
import Glibc

/// Creates channels between processes and threads. All descriptors are `CLOEXEC`.
public enum Channels {
  public static func pipe() throws(SystemError) -> (
    reading: OwnedDescriptor, writing: OwnedDescriptor
  ) {
    var pair: [Int32] = [-1, -1]
    _ = try checked("create a pipe") { imgdl_pipe2(&pair, O_CLOEXEC) }
    return (OwnedDescriptor(pair[0]), OwnedDescriptor(pair[1]))
  }

  /// Creates two connected Unix stream sockets, which carry bytes and descriptors.
  public static func socketPair() throws(SystemError) -> (OwnedDescriptor, OwnedDescriptor) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    _ = try checked("create a socket pair") { socketpair(AF_UNIX, type, 0, &pair) }
    return (OwnedDescriptor(pair[0]), OwnedDescriptor(pair[1]))
  }

  /// Creates an unnamed file in memory, through which large results are passed to another process.
  public static func memoryFile(_ name: String) throws(SystemError) -> OwnedDescriptor {
    let raw = try checked("create a memory file") {
      imgdl_memfd_create(name, imgdl_mfd_cloexec())
    }
    return OwnedDescriptor(raw, path: name)
  }
}
