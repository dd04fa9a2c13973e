import LibraryAPI
import SystemCalls
import Threading

/// Looks whether the folder of a library is still where it was: its user may move or delete it under
/// the process that works for it.
final class FolderWatch: Sendable {
  private let layout: LibraryLayout
  private let thread = BlockingQueue("folder-watch")
  private let looks: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  /// Between two looks, if nothing fails meanwhile.
  private static let interval = Duration.seconds(5)

  /// - Parameter root: of a folder that is there.
  init(_ root: String) {
    layout = LibraryLayout(root: root)
    (looks, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Something has failed: looks soon.
  func look() { wake.yield() }

  /// - Throws: `LibraryError` if it is not there any more.
  func check() async throws {
    guard try await thread.run({ [layout] in layout.isInPlace }) else { throw layout.displacement }
  }

  /// For one caller. Returns when it is not there any more; nil when the task is cancelled.
  func untilGone() async -> LibraryError? {
    let timer = Task { [wake] in
      while (try? await Task.sleep(for: Self.interval)) != nil { wake.yield() }
    }
    defer { timer.cancel() }
    for await _ in looks {
      do {
        try await check()
      } catch {
        return error as? LibraryError
      }
    }
    return nil
  }
}
