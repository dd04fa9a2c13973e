import Control
import LibraryAPI
public import SystemCalls

extension LibraryDaemon {
  /// Opens the log file of a daemon whose standard error has no reader. The file is next to the daemon's
  /// socket, and only the user can read it. A file that is too long is emptied.
  /// - Returns: The file, opened for appending, and its length in bytes.
  public static func openLog(
    at path: String, place: ListenAddress
  ) throws -> (file: OwnedDescriptor, length: Int64) {
    try FileSystem.makeFolders(path)
    let address = try address(place, try FileSystem.realPath(path))
    do throws(ControlError) {
      try address.prepareFolder(isChosen: place.isChosenByUser)
    } catch {
      throw LibraryError(.io, error.detail)
    }
    return try openLog(address)
  }

  /// Opens the log file next to a socket that was made again, whose folder may have been deleted with the log in it.
  public static func openLog(besideSocket socket: String) throws -> OwnedDescriptor {
    try openLog(try ControlAddress(chosen: socket)).file
  }

  private static func openLog(
    _ address: ControlAddress
  ) throws -> (file: OwnedDescriptor, length: Int64) {
    let folder = ConfinedFolder(FileSystem.parentFolder(of: address.logPath))
    let file = try folder.open(address.logPath, .appending, create: .ifMissing, mode: 0o600)
    if try file.status().mode & 0o077 != 0 { try file.setMode(0o600) }
    if try file.status().size > lengthLimit { try file.truncate(to: 0) }
    return (file, try file.status().size)
  }

  private static let lengthLimit: Int64 = 1 << 20
}

extension LibraryDaemon.ListenAddress {
  fileprivate var isChosenByUser: Bool { if case .chosen = self { true } else { false } }
}
