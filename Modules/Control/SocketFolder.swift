import Glibc
import SystemCalls

/// The folder of the sockets of one user.
enum SocketFolder {
  /// Makes the folder, open to its owner alone. One that is there has to be a folder, no link, and
  /// the user's.
  /// - Parameter isOurs: nobody else uses it, so that its mode may be corrected.
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
        throw SystemError(errno: EPERM, call: "use a folder that others can look into", path: path)
      }
      // A umask or somebody's chmod.
      guard status.mode == 0o700 || !isOurs || chmod(path, 0o700) == 0 else {
        throw .last("change the mode of", path: path)
      }
    } catch {
      throw ControlError(.folder, error.description)
    }
  }

  /// Whether nobody but the user could have put a socket there.
  static func isSafe(_ path: String, user: UInt32) -> Bool {
    guard let status = try? FileSystem.status(path, followingLinks: false) else { return false }
    return status.kind == .folder && status.owner == user && status.mode & 0o022 == 0
  }
}
