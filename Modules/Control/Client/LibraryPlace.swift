import LibraryAPI
import SystemCalls

/// Where to ask for a library, as its lock file says.
struct LibraryPlace: Sendable {
  let address: String
  let processID: Int32
  /// Real path.
  let library: String
}

extension SocketLoop {
  /// On the thread of the loop, which is not of the cooperative pool; as it is if that fails.
  func realPath(_ path: String) -> String { (try? FileSystem.realPath(path)) ?? path }

  /// Reads the lock file, on the thread of the loop as well.
  /// - Returns: nil when it is missing, or says no address.
  /// - Throws: `policy` when somebody else could have made the socket.
  func place(ofLibrary root: String) throws(LibraryError) -> LibraryPlace? {
    guard let library = try? FileSystem.realPath(root),
      let text = try? FileSystem.contents(of: LibraryLayout(root: library).lock, limit: 4_096),
      let holder = LockHolder(lockFile: text), let address = holder.address,
      FileSystem.exists(address.path)
    else { return nil }
    guard SocketFolder.isSafe(address.folder, user: Machine.userID) else {
      throw LibraryError(.policy, "\(address.folder) is not a folder of yours alone")
    }
    return LibraryPlace(
      address: address.path, processID: holder.processID, library: library)
  }
}
