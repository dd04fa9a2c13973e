import Dispatch
import Manifests
import Persistence
import Synchronization

/// A message from the reading thread to the importing task.
enum ImportMessage: Sendable {
  /// The following entries belong to the record with this key, which begins at the first occurrence of the key;
  /// if the key is nil, to a new record.
  case record(title: String, key: String?)
  /// The title of the document, which is that of its record if the document begins one. The last one before
  /// the first entry holds.
  case title(String)
  /// The following entries are requested with the URL of the document as `Referer`, by this policy, if it states one.
  case referring(policy: String?)
  case entries([ManifestEntry])
  /// `count` entries are unusable; the sentences give the reasons for the first of them.
  case problems([String], count: Int)
  /// Another document of the source, to be resolved against the URL of the document being read.
  case document(String, ManifestLink)
  /// The list continues at this URL (RM8).
  case nextPage(String)
  /// The document has more entries than the limits permit, for this reason; those within the limits were sent.
  case excess(String)
  /// The document ends before it is complete, for this reason; what precedes was sent.
  case truncation(String)
  /// The document, which has been read to its end, has this format.
  case format(ContentFormat)
  /// The document, which has been read to its end, is a text that was read in this way.
  case layout(RecordedLayout)
  /// The document, which has been read to its end, is a web page in which no images were found.
  case imagelessPage
}

/// Carries messages from a blocking thread to a task. The channel holds only a few batches, so that a list
/// of a million entries is never in memory as a whole.
final class ImportChannel: Sendable {
  let messages: AsyncStream<ImportMessage>
  private let continuation: AsyncStream<ImportMessage>.Continuation
  /// The number of messages that may still be queued. Created with 0, because the process traps if a
  /// semaphore is deallocated with a value below its initial one.
  private let freeSlots = DispatchSemaphore(value: 0)
  private let isCancelled = Atomic<Bool>(false)

  /// The number of messages that may be queued.
  static let depth = 4

  init() {
    (messages, continuation) = AsyncStream.makeStream(of: ImportMessage.self)
    for _ in 0..<Self.depth { freeSlots.signal() }
  }

  /// Sends a message; blocks while the channel is full. Only for the reading thread.
  /// - Throws: `CancellationError` after `cancel`.
  func send(_ message: ImportMessage) throws {
    freeSlots.wait()
    do {
      try check()
    } catch {
      // The slot is returned, so that later calls throw as well instead of blocking.
      freeSlots.signal()
      throw error
    }
    continuation.yield(message)
  }

  /// Throws if the import was cancelled; called while much is read without sending a message.
  func check() throws {
    if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
  }

  func endMessages() { continuation.finish() }

  /// Frees the capacity of a message that the task has processed.
  func releaseSlot() { freeSlots.signal() }

  /// Ends the import: from now on `send` throws on the reading thread.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    freeSlots.signal()
  }
}
