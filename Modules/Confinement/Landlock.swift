import CLinux
import Glibc
import SystemCalls

/// Denies access to the file system except reading in a few folders and, if the kernel supports it, TCP,
/// device controls, and signals and abstract sockets to processes outside (landlock(7)).
enum Landlock {
  /// The version of the kernel's interface, or 0 if Landlock is missing or disabled.
  static var version: Int { max(0, Int(imgdl_landlock_version())) }

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
    // O_PATH: the folder need not be readable by itself.
    let opened = OwnedDescriptor(open(folder, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { return }
    guard imgdl_landlock_allow(rules.raw, opened.raw, FileRights.reading) == 0 else {
      throw SystemError.last("allow reading in", path: folder)
    }
  }

  /// Bind and connect over TCP.
  private static let network: UInt64 = 0b11
  /// Abstract sockets and signals.
  private static let scoped: UInt64 = 0b11

  /// linux/landlock.h, `LANDLOCK_ACCESS_FS_…`.
  private enum FileRights {
    static let readFile: UInt64 = 1 << 2
    static let readFolder: UInt64 = 1 << 3
    static let reading = readFile | readFolder

    /// The rights that a version of the interface can deny.
    static func all(_ version: Int) -> UInt64 {
      // Execute, write, read, remove and make: thirteen rights. Then rename across folders,
      // truncate, and the controls of devices.
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
