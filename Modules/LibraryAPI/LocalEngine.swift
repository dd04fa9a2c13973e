public import ProgressTree

/// The engine of a library that this program has opened itself. The engine of another process is available
/// only as a `LibraryService`.
///
/// Call `start` once, then `waitUntilIdle` as often as needed; `interrupt` makes a waiting call
/// return.
public protocol LocalEngine: LibraryService {
  /// Starts the downloads and the rendering that are unfinished in the library.
  /// - Parameter takesQueue: Whether to start with the existing queue. If false, the engine works only on new
  ///   requests; older work waits until the queue next changes.
  func start(takesQueue: Bool) async throws(LibraryError)

  /// Returns once no work is left.
  /// - Throws: The error that stopped the engine, or `.interrupted` after `interrupt`, after the engine was
  ///   stopped, or if the calling task is cancelled.
  func waitUntilIdle() async throws(LibraryError)

  /// Makes `waitUntilIdle` return soon, with `.interrupted`.
  func interrupt() async

  /// Returns the current progress for display, without waiting for the engine.
  func snapshot() -> LibraryProgress
}

extension LocalEngine {
  /// Starts the downloads and the rendering that are unfinished in the library.
  public func start() async throws(LibraryError) { try await start(takesQueue: true) }
}
