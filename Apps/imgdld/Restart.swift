import Glibc
import Composition
import SystemCalls

/// The start of the installed program in the process of this one: the id of the process, the library's lock and the
/// socket of systemd remain, and no other program can take the library meanwhile.
struct Restart {
  let program: ProgramFile
  private let options: DaemonOptions
  private let manager: ServiceManager
  /// The folder in which the process was started, to which relative paths among the arguments refer.
  private let folder: String?

  /// To be made before the process leaves its folder. nil where `/proc` is missing.
  init?(_ options: DaemonOptions, _ manager: ServiceManager) {
    guard let program = ProgramFile() else { return nil }
    self.program = program
    self.options = options
    self.manager = manager
    folder = try? FileSystem.workingFolder()
  }

  /// Starts the program, with the same arguments.
  /// - Parameter lock: The library's lock.
  /// - Returns: The reason why it cannot be started; does not return otherwise.
  func perform(_ lock: OwnedDescriptor?) -> String {
    var descriptors: [(descriptor: OwnedDescriptor, number: Int32)] = []
    if let listener = manager.listenerCopy {
      descriptors.append((listener, ServiceManager.firstDescriptor))
    }
    if let ready = options.ready {
      // The process that waited for the first start has gone, so nobody reads what is written.
      let null = OwnedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
      descriptors.append((null, ready))
    }
    var arguments = options.arguments
    if let lock {
      let number = max(ServiceManager.firstDescriptor, options.ready ?? 0) + 1
      descriptors.append((lock, number))
      arguments = [DaemonOptions.heldLockOption, "\(number)"] + arguments
    }
    if let folder { _ = chdir(folder) }
    return Machine.execute(
      program.path, arguments: [program.path] + arguments,
      environment: Machine.environment + manager.environment, inheriting: descriptors
    ).description
  }
}
