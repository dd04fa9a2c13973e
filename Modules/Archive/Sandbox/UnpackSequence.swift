import Archive
import ArchiveMessages
import WorkerProcess

/// A pure state machine that validates the order of a worker's messages.
///
/// The state machine numbers the entries from 0 and without gaps, so that a worker cannot choose the files to
/// which its bytes are written.
struct UnpackSequence {
  enum Step: Equatable {
    /// The visitor decides; the worker waits for an `UnpackDecision`.
    case visit(ArchiveEntry)
    case receive([UInt8])
    case endEntry
    case failEntry(ArchiveError)
    /// The archive has ended; `isSound` tells whether the worker has processed no damaged data.
    case end(isSound: Bool)
    case fail(ArchiveError)
  }

  private enum State: Equatable {
    case betweenEntries
    /// The visitor has not decided yet.
    case deciding
    case reading
    /// The visitor has stopped the walk.
    case stopped
  }

  private var state = State.betweenEntries
  private var entryCount = 0
  private var currentName: String?
  private var isSound = true

  /// - Throws: `.malformed` for a message that is invalid in the current state.
  mutating func handle(_ event: UnpackEvent) throws(WorkerError) -> Step {
    switch (event, state) {
    case (
      .entry(let name, let kind, let isEncrypted, let compressed, let whole, let target),
      .betweenEntries
    ):
      state = .deciding
      currentName = name
      defer { entryCount += 1 }
      return .visit(
        ArchiveEntry(
          index: entryCount, name: name, kind: kind, isEncrypted: isEncrypted,
          compressedSize: compressed, uncompressedSize: whole, linkTarget: target))
    case (.data(let bytes), .reading): return .receive(bytes)
    case (.endEntry, .reading):
      state = .betweenEntries
      return .endEntry
    case (.failEntry(let code, let detail), .reading):
      state = .betweenEntries
      isSound = false
      return .failEntry(ArchiveError(code, detail, entryName: currentName))
    case (.end, .betweenEntries), (.end, .stopped): return .end(isSound: isSound)
    case (.fail(let code, let detail, let name), .betweenEntries),
      (.fail(let code, let detail, let name), .reading):
      return .fail(ArchiveError(code, detail, entryName: name))
    default: throw WorkerError(.malformed, "a message of the worker out of sequence")
    }
  }

  /// Accepts the visitor's decision about the entry of the last step.
  /// - Returns: The decision to send to the worker.
  mutating func decide(_ decision: EntryDecision) -> UnpackDecision {
    switch decision {
    case .skip:
      state = .betweenEntries
      return .skip
    case .read:
      state = .reading
      return .read
    case .stop:
      state = .stopped
      return .stop
    }
  }
}
