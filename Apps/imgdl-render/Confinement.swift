import CLinux

/// What a worker gives up before it sees any input.
enum Confinement {
  /// Address space: twice a picture of the largest size allowed, with its libraries.
  static let memoryBytes: UInt64 = 2 << 30
  /// The socket, the standard three, the file, and what a font library opens.
  static let descriptors: UInt64 = 64

  /// A limit that cannot be set is not fatal: the parent's watchdog and the limits on sizes remain.
  static func enter() {
    _ = imgdl_no_core_files()
    _ = imgdl_limit_memory(memoryBytes)
    _ = imgdl_limit_descriptors(descriptors)
    _ = imgdl_no_new_privileges()
  }
}
