import Glibc
import SystemCalls

/// The folder for the sockets of one user.
enum SocketFolder {
  /// Creates the folder, accessible to its owner alone. If the path exists, it has to be a real folder, not a
  /// symbolic link, and the user has to own it.
  /// - Parameter isOurs: Whether only this program uses the folder, so that its mode may be corrected.
  static func prepare(
    _ path: String, user: UInt32, isOurs: Bool = true
  ) throws(ControlError) {
    do throws(SystemError) {
      if mkdir(path, 0o700) != 0, errno != EEXIST {
        throw .last("create the folder", path: path)
      }
      let status = try FileSystem.status(path, followingLinks: false)
      guard status.kind == .folder, status.owner == user else {
        throw SystemError(errno: EPERM, call: "use the folder of another user", path: path)
      }
      guard isOurs || status.mode & 0o077 == 0 else {
        throw SystemError(errno: EPERM, call: "use a folder open to other users", path: path)
      }
      // The umask, or a `chmod` of the user, may have changed the folder's mode.
      guard status.mode == 0o700 || !isOurs || chmod(path, 0o700) == 0 else {
        throw .last("change the mode of", path: path)
      }
    } catch {
      throw ControlError(.folder, error.description)
    }
  }

  /// Returns whether only the user can have created sockets in the folder.
  static func isSafe(_ path: String, user: UInt32) -> Bool {
    guard let status = try? FileSystem.status(path, followingLinks: false) else { return false }
    return status.kind == .folder && status.owner == user && status.mode & 0o022 == 0
  }
}
