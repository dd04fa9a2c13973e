import LibraryAPI
import SystemCalls
import Threading

/// Checks every few seconds whether the folder of a library is still at its path, since the user may move or delete it
/// while a process uses it.
final class FolderWatch: Sendable {
  private let layout: LibraryLayout
  private let thread = BlockingQueue("folder-watch")
  private let checkRequests: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  /// - Parameter root: The path of the library's folder, which must exist.
  init(_ root: String) {
    layout = LibraryLayout(root: root)
    (checkRequests, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Makes the next check happen soon. Called after an operation has failed.
  func checkSoon() { wake.yield() }

  /// Checks the folder now.
  /// - Throws: `LibraryError` if the folder is no longer at its path.
  func check() async throws {
    guard try await thread.run({ [layout] in layout.isInPlace }) else { throw layout.displacement }
  }

  /// Returns an error once the folder is no longer at its path, or nil when the task is cancelled. Only one
  /// caller at a time is supported.
  /// - Parameter further: A further check, which is made after each one of the folder.
  func waitUntilLibraryRemoved(
    checking further: () async throws(LibraryError) -> Void
  ) async -> LibraryError? {
    let timer = Task { [wake] in
      while (try? await Task.sleep(for: SocketKeeper.interval)) != nil { wake.yield() }
    }
    defer { timer.cancel() }
    for await _ in checkRequests {
      do {
        try await check()
        try await further()
      } catch {
        return error as? LibraryError
      }
    }
    return nil
  }
}
