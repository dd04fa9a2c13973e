import CLinux
import Rendering
import SystemCalls

/// Gives up gaining privileges by executing programs, and being debugged.
enum Privileges {
  static func apply() throws(LayerProblem) {
    guard imgdl_no_new_privileges() == 0, imgdl_not_dumpable() == 0 else {
      throw LayerProblem(detail: SystemError.last("give up privileges").description)
    }
  }
}

/// Limits of resources (setrlimit(2)). Processor time is limited by the program that started the
/// worker, again for each job: it counts from the start of the process.
enum ProcessLimits {
  /// The socket, the standard three, the file and the memory for pictures; and what a font library
  /// opens.
  static func descriptors(_ profile: SandboxProfile) -> UInt64 { profile.readsFonts ? 64 : 16 }

  static func lowerLimits(_ profile: SandboxProfile) throws(LayerProblem) {
    let failed = [
      imgdl_no_core_files(), imgdl_limit_memory(SandboxProfile.addressSpaceBytes),
      imgdl_limit_data(profile.memoryBytes),
      imgdl_limit_descriptors(descriptors(profile)),
      // Pictures go out through memory that is mapped; messages through pipes and sockets.
      imgdl_limit_file_size(0),
    ].contains { $0 != 0 }
    if failed { throw LayerProblem(detail: SystemError.last("lower a limit").description) }
  }
}
