import CLinux
import Glibc
import SystemCalls

/// Denies all access to the file system except reading in some folders. If the kernel supports it, also
/// denies TCP, device controls, and signals and abstract sockets to processes outside the sandbox
/// (landlock(7)).
enum Landlock {
  /// The version of the kernel's interface; 0 if Landlock is missing or disabled.
  static var version: Int { max(0, Int(imgdl_landlock_version())) }

  /// Confines the calling thread and the threads that it starts.
  /// - Parameter folders: The readable folders; missing ones are ignored.
  static func enter(reading folders: [String]) throws(LayerProblem) {
    let version = version
    guard version > 0 else {
      throw LayerProblem(detail: "this kernel has no Landlock (\(SystemError.last("").reason))")
    }
    do throws(SystemError) {
      let rules = OwnedDescriptor(
        imgdl_landlock_create(
          FileRights.all(version), version >= 4 ? Self.network : 0, version >= 6 ? Self.scoped : 0))
      guard rules.isOpen else { throw SystemError.last("make Landlock rules") }
      for folder in folders { try allow(folder, rules) }
      guard imgdl_landlock_restrict(rules.raw) == 0 else {
        throw SystemError.last("enter Landlock")
      }
    } catch {
      throw LayerProblem(detail: error.description)
    }
  }

  private static func allow(_ folder: String, _ rules: OwnedDescriptor) throws(SystemError) {
    // `O_PATH` opens a folder even if it is not readable.
    let opened = OwnedDescriptor(open(folder, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { return }
    guard imgdl_landlock_allow(rules.raw, opened.raw, FileRights.reading) == 0 else {
      throw SystemError.last("allow reading in", path: folder)
    }
  }

  /// The denied rights `LANDLOCK_ACCESS_NET_BIND_TCP` and `LANDLOCK_ACCESS_NET_CONNECT_TCP`.
  private static let network: UInt64 = 0b11
  /// The restrictions `LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET` and `LANDLOCK_SCOPE_SIGNAL`.
  private static let scoped: UInt64 = 0b11

  /// The rights `LANDLOCK_ACCESS_FS_…` of linux/landlock.h.
  private enum FileRights {
    static let readFile: UInt64 = 1 << 2
    static let readFolder: UInt64 = 1 << 3
    static let reading = readFile | readFolder

    /// Returns the rights that a version of the interface can deny.
    static func all(_ version: Int) -> UInt64 {
      // Version 1 has thirteen rights: execute, write, read, remove and make. Version 2 adds renaming across
      // folders, version 3 truncation, and version 5 device controls.
      let count =
        switch version {
        case 1: 13
        case 2: 14
        case 3, 4: 15
        default: 16
        }
      return 1 << UInt64(count) - 1
    }
  }
}
