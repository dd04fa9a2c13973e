public import LibraryAPI
import RenderMessages
import Synchronization

extension LibraryOpener {
  /// Installs the handler of warnings about features that this system lacks: layers of the sandbox, reported
  /// when a decoder is first used, and file descriptors for all transfers that the settings allow, reported
  /// when an engine is opened. Each call passes one sentence.
  public static func onWarning(_ handler: @escaping @Sendable (String) -> Void) {
    SandboxWarnings.install(handler)
    ResourceWarnings.handler.withLock { $0 = handler }
  }

  /// Checks that the threads that every command needs can be started. Otherwise libdispatch would try to
  /// start them for ever, and the program would hang. Must be called before any other operation.
  /// - Throws: `LibraryError` if the system refuses to start the threads.
  public static func requireThreads() throws(LibraryError) {
    try ProcessResources.checkThreads(ProcessResources.commandThreads)
  }
}

/// The handler that receives warnings about the limits of this process.
enum ResourceWarnings {
  static let handler = Mutex<(@Sendable (String) -> Void)?>(nil)

  static func report(_ warning: String) { handler.withLock { $0 }?(warning) }
}
