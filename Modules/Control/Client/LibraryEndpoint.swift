import LibraryAPI
import SystemCalls

/// The endpoint of a library's server, as named in the library's lock file.
struct LibraryEndpoint: Sendable {
  let address: String
  let processID: Int32
  /// The real path of the library's folder.
  let library: String
}

extension SocketLoop {
  /// Returns the real path of a file, or `path` itself on failure. Runs on the loop's thread, so that it does
  /// not block the cooperative pool.
  func realPath(_ path: String) -> String { (try? FileSystem.realPath(path)) ?? path }

  /// Reads the library's lock file; runs on the loop's thread, since reading blocks. Follows no symbolic link
  /// inside the library, since a link could lead to the lock file of another library.
  /// - Returns: The endpoint, or nil if the lock file cannot be read, names no address, or names a missing
  ///   socket.
  /// - Throws: `policy` if another user could have created the socket, `io` for a symbolic link.
  func endpoint(ofLibrary root: String) throws(LibraryError) -> LibraryEndpoint? {
    guard let library = try? FileSystem.realPath(root) else { return nil }
    let text: [UInt8]
    do throws(SystemError) {
      text = try ConfinedFolder(library).contents(
        of: LibraryLayout(root: library).lock, limit: 4_096)
    } catch {
      guard error.isSymbolicLink else { return nil }
      throw LibraryError(.io, error.description)
    }
    guard let holder = LockHolder(lockFile: text), let address = holder.address,
      FileSystem.exists(address.path)
    else { return nil }
    guard SocketFolder.isSafe(address.folder, user: Machine.userID) else {
      throw LibraryError(.policy, "\(address.folder) is not private to this user")
    }
    return LibraryEndpoint(
      address: address.path, processID: holder.processID, library: library)
  }
}
