public import LibraryAPI
import RenderMessages
import Synchronization

extension LibraryOpener {
  /// Installs the handler of warnings about features that this system lacks: layers of the sandbox,
  /// reported when decoders are used for the first time, and file descriptors for all transfers that the
  /// settings allow, reported when an engine is opened. The handler receives one sentence per call.
  public static func onWarning(_ handler: @escaping @Sendable (String) -> Void) {
    SandboxWarnings.install(handler)
    ResourceWarnings.handler.withLock { $0 = handler }
  }

  /// Checks that the few threads that every command needs can be started. Otherwise libdispatch would try to
  /// start them without end, and the program would hang. Must be called first.
  /// - Throws: `LibraryError` if the system refuses the threads.
  public static func requireThreads() throws(LibraryError) {
    try ProcessResources.checkThreads(ProcessResources.commandThreads)
  }
}

/// Passes warnings about the limits of this process to the handler that the program installs.
enum ResourceWarnings {
  static let handler = Mutex<(@Sendable (String) -> Void)?>(nil)

  static func report(_ warning: String) { handler.withLock { $0 }?(warning) }
}
