public import ProgressTree

/// The engine of a library that this program has opened itself. Another process's engine is asked
/// through `LibraryService` only.
///
/// Call `start` once, then `waitUntilIdle` as often as needed; `interrupt` makes a waiting call
/// return.
public protocol LocalEngine: LibraryService {
  /// Begins to work on everything that is unfinished in the library.
  /// - Parameter takesQueue: false means only on what is requested from now on; what is unfinished waits
  ///   until something changes in the queue.
  func start(takesQueue: Bool) async throws(LibraryError)

  /// Returns when nothing is left to do.
  /// - Throws: what stopped the engine, and `.interrupted` after `interrupt`, after the engine was
  ///   stopped, or if the calling task is cancelled.
  func waitUntilIdle() async throws(LibraryError)

  /// Makes `waitUntilIdle` return soon, with `.interrupted`.
  func interrupt() async

  /// How far everything is, for a display. Does not wait for the engine.
  func snapshot() -> LibraryProgress
}

extension LocalEngine {
  /// Begins to work on everything that is unfinished in the library.
  public func start() async throws(LibraryError) { try await start(takesQueue: true) }
}
