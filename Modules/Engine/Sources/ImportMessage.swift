import Dispatch
import Manifests
import Persistence
import Synchronization

/// What a reading thread tells the importing task.
enum ImportMessage: Sendable {
  /// What follows belongs to a new record.
  case record(title: String)
  case entries([ManifestEntry])
  case problem(String)
  /// The list goes on there (RM8).
  case nextPage(String)
}

/// Carries messages from a blocking thread to a task, a few batches at a time: a list of a million
/// entries is never in memory as a whole.
final class ImportChannel: Sendable {
  let messages: AsyncStream<ImportMessage>
  private let continuation: AsyncStream<ImportMessage>.Continuation
  private let room = DispatchSemaphore(value: 4)
  private let isCancelled = Atomic<Bool>(false)

  init() {
    (messages, continuation) = AsyncStream.makeStream(of: ImportMessage.self)
  }

  /// Blocks while the task is behind. On the reading thread only.
  func send(_ message: ImportMessage) throws {
    room.wait()
    if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
    continuation.yield(message)
  }

  func finish() { continuation.finish() }

  /// The task has dealt with a message.
  func taken() { room.signal() }

  /// The task will take no more: the reading thread's next `send` throws.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    room.signal()
  }
}
