import CLinux
import Rendering
import SystemCalls

/// Prevents this process from gaining privileges by executing a program, and other processes from tracing it.
enum Privileges {
  static func apply() throws(LayerProblem) {
    guard imgdl_no_new_privileges() == 0, imgdl_not_dumpable() == 0 else {
      throw LayerProblem(detail: SystemError.last("disable new privileges").description)
    }
  }
}

/// Lowers resource limits (setrlimit(2)). The limit of processor time is set by the program that starts the
/// worker, anew for each job, because it counts from the start of the process.
enum ProcessLimits {
  /// Returns the maximum number of descriptors: for the socket, the standard streams, the file and the memory
  /// for images, and in a worker that reads fonts for the files that the font library opens.
  static func descriptors(_ profile: SandboxProfile) -> UInt64 { profile.readsFonts ? 64 : 16 }

  static func lowerLimits(_ profile: SandboxProfile) throws(LayerProblem) {
    let failed = [
      imgdl_no_core_files(), imgdl_limit_memory(SandboxProfile.addressSpaceBytes),
      imgdl_limit_data(profile.memoryBytes),
      imgdl_limit_descriptors(descriptors(profile)),
      // A worker writes to pipes, sockets and mapped memory only, to which this limit does not apply.
      imgdl_limit_file_size(0),
    ].contains { $0 != 0 }
    if failed { throw LayerProblem(detail: SystemError.last("lower a limit").description) }
  }
}
