import Dispatch
import Manifests
import Persistence
import Synchronization

/// What a reading thread tells the importing task.
enum ImportMessage: Sendable {
  /// What follows belongs to a new record.
  case record(title: String)
  case entries([ManifestEntry])
  /// `count` entries cannot be used; the sentences tell why, for the first of them.
  case problems([String], count: Int)
  /// The list continues there (RM8).
  case nextPage(String)
}

/// Carries messages from a blocking thread to a task, a few batches at a time: a list of a million
/// entries is never in memory as a whole.
final class ImportChannel: Sendable {
  let messages: AsyncStream<ImportMessage>
  private let continuation: AsyncStream<ImportMessage>.Continuation
  /// A semaphore that is let go of with less than it began with ends the program: it begins with 0.
  private let room = DispatchSemaphore(value: 0)
  private let isCancelled = Atomic<Bool>(false)

  /// How many messages may wait.
  static let depth = 4

  init() {
    (messages, continuation) = AsyncStream.makeStream(of: ImportMessage.self)
    for _ in 0..<Self.depth { room.signal() }
  }

  /// Blocks while the task is behind. On the reading thread only.
  /// - Throws: `CancellationError` once nobody takes messages any more.
  func send(_ message: ImportMessage) throws {
    room.wait()
    do {
      try check()
    } catch {
      // The next call must not wait either.
      room.signal()
      throw error
    }
    continuation.yield(message)
  }

  /// For long reading without a message.
  func check() throws {
    if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
  }

  func finish() { continuation.finish() }

  /// The task has dealt with a message.
  func taken() { room.signal() }

  /// The task will take no more: the reading thread's `send` throws from now on.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    room.signal()
  }
}
