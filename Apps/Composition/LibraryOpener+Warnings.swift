public import LibraryAPI
import RenderMessages
import Synchronization

extension LibraryOpener {
  /// Installs the handler of warnings about what this system does not offer: layers of the sandbox, told
  /// when decoders are used for the first time, and file descriptors for all transfers that the settings
  /// allow, told when an engine is opened. The handler gets one sentence each time.
  public static func onWarning(_ handler: @escaping @Sendable (String) -> Void) {
    SandboxWarnings.install(handler)
    ResourceWarnings.handler.withLock { $0 = handler }
  }

  /// Throws where the system refuses the few threads that every command needs. Without this check
  /// libdispatch would try without end to start them, and the program would hang. Call it first.
  public static func requireThreads() throws(LibraryError) {
    try ProcessResources.checkThreads(ProcessResources.commandThreads)
  }
}

/// Passes warnings about the limits of this process to the handler that the program installs.
enum ResourceWarnings {
  static let handler = Mutex<(@Sendable (String) -> Void)?>(nil)

  static func tell(_ warning: String) { handler.withLock { $0 }?(warning) }
}
