import LibraryAPI
import Naming
import SystemCalls

/// Finds out whether a failed call concerns a single name or the whole library, by calls that must succeed in
/// a library that works. Blocks.
struct LibraryProbe: Sendable {
  let layout: LibraryLayout
  private var folder: ConfinedFolder { layout.folder }
  private var probe: String { layout.incoming + "/probe" }

  /// Returns whether an error of placing a file concerns only its name or its folder: a file can still be
  /// created in `incoming` and moved to the library's folder. An error of the whole library, such as a share
  /// that is gone or missing permissions, must not fail thousands of resources one by one.
  /// - Parameter record: The path of the record's folder.
  func concernsName(_ error: SystemError, in record: String) -> Bool {
    guard error.mayConcernName else { return false }
    do throws(SystemError) {
      try createProbe()
      defer { try? folder.removeIfExists(probe) }
      try passThrough(layout.root)
      do throws(SystemError) {
        try passThrough(record)
      } catch {
        // A missing folder is created for each file, and its name may be what is refused.
        return error.isMissing || error.mayConcernName
      }
      return true
    } catch {
      return false
    }
  }

  /// Returns an error of the whole library with its cause, if that is a mount or a volume within the library.
  func describing(_ error: SystemError) -> SystemError {
    guard error.crossesFileSystems else { return error }
    return SystemError(
      errno: error.errno, call: error.call, path: error.path,
      explanation:
        "\(layout.incoming) and \(layout.root) are on different file systems, and a library must be on one"
    )
  }

  /// Returns the longest name that the file system accepts, up to `limit` bytes; nil if not even a short one
  /// can be created.
  func longestName(upTo limit: Int) -> Int? {
    var (accepted, refused) = (0, limit + 1)
    while refused - accepted > 1 {
      let length = (accepted + refused) / 2
      if accepts(String(repeating: "n", count: length)) {
        accepted = length
      } else {
        refused = length
      }
    }
    return accepted > 0 ? accepted : nil
  }

  /// Returns whether a folder of that name can be created in the library's folder, as far as the length of the
  /// name is concerned.
  func acceptsFolder(_ name: String) -> Bool {
    let path = "\(layout.root)/\(name)"
    guard !folder.exists(path) else { return true }
    do throws(SystemError) {
      try folder.makeFolders(path)
      try folder.removeFolder(path)
      return true
    } catch {
      return !error.isNameTooLong
    }
  }

  /// The length in bytes that is accepted by every file system on which a library may be.
  static let commonLength = 100

  private func accepts(_ name: String) -> Bool {
    let path = "\(layout.incoming)/\(name)"
    do throws(SystemError) {
      try folder.open(path, .writing, create: .ifMissing, mode: LibraryLayout.privateFile).close()
      try folder.removeIfExists(path)
      return true
    } catch {
      return !error.isNameTooLong
    }
  }

  private func createProbe() throws(SystemError) {
    try folder.removeTree(probe)
    try folder.open(probe, .writing, create: .mustNotExist, mode: LibraryLayout.privateFile).close()
  }

  /// Moves the probe to a folder and back.
  private func passThrough(_ path: String) throws(SystemError) {
    let inside = "\(path)/.imgdl-probe"
    try folder.rename(probe, to: inside)
    try folder.rename(inside, to: probe)
  }
}
