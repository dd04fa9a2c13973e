import LibraryAPI
import SystemCalls

/// Where to ask for a library, as its lock file says.
struct LibraryEndpoint: Sendable {
  let address: String
  let processID: Int32
  /// Real path.
  let library: String
}

extension SocketLoop {
  /// On the thread of the loop, which is not of the cooperative pool; as it is if that fails.
  func realPath(_ path: String) -> String { (try? FileSystem.realPath(path)) ?? path }

  /// Reads the lock file, on the thread of the loop as well. No link in the library is followed: it could
  /// lead to the lock of another one.
  /// - Returns: nil when it cannot be read, or says no address.
  /// - Throws: `policy` when somebody else could have made the socket, `io` for a link.
  func place(ofLibrary root: String) throws(LibraryError) -> LibraryEndpoint? {
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
      throw LibraryError(.policy, "\(address.folder) is not a folder of yours alone")
    }
    return LibraryEndpoint(
      address: address.path, processID: holder.processID, library: library)
  }
}
