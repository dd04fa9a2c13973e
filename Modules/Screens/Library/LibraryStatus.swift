import Models
import ProgressTree

/// What is known of the library: the last snapshot, who downloads, and how fast its records go.
///
/// Screens read it; it changes only by what the program says of the library.
struct LibraryStatus: Sendable {
  private(set) var facts = LibrarySnapshot()
  private(set) var owner = LibraryOwner.program
  /// Why the engine of the other process is gone; nil means it is not.
  private(set) var lost: String?
  private var rates = RecordRates()

  /// Whether an engine works for the library.
  var isRunning: Bool { lost == nil && owner != .nobody }

  /// Whether there is work that an engine would continue with, if one were started.
  var isContinuable: Bool { lost != nil && facts.counts.settled < facts.counts.total }

  /// Whether downloads that are under way end with this program.
  var endsWithProgram: Bool {
    let isWorking = facts.active > 0 || facts.waiting > 0 || !facts.sources.isEmpty
    return owner == .program && lost == nil && isWorking && !facts.isPaused
  }

  /// Why the first host that something waits for is left alone, and how many others are.
  var hostNote: String? {
    guard let first = facts.hosts.first else { return nil }
    let others = facts.hosts.count - 1
    return others == 0 ? first : first + " (and \(CountText.text(others, "other host")))"
  }

  /// Whether somebody holds back what is left of a record.
  func isPaused(_ record: Record) -> Bool { facts.isPaused || record.isPaused }

  /// Whether the resource is being downloaded, unpacked or rendered.
  func isActive(_ id: ResourceID) -> Bool { facts.activities[id] != nil }

  func bytesPerSecond(of id: RecordID) -> Double { rates.bytesPerSecond(id) }

  /// nil while there is nothing to go by.
  func secondsLeft(of progress: RecordProgress) -> Double? { rates.secondsLeft(progress) }

  /// The state of a resource in words.
  /// - Parameter record: the one that it belongs to.
  func statusText(
    of id: ResourceID, _ state: ResourceState, isCancelled: Bool, in record: Record
  ) -> String {
    StatusText.resource(
      state, activity: facts.activities[id], isPaused: isPaused(record), isLazy: record.isLazy,
      isRunning: isRunning, isCancelled: isCancelled)
  }

  // MARK: - What the program says

  mutating func receive(_ snapshot: LibrarySnapshot, at now: Double) {
    facts = snapshot
    rates.note(snapshot.records, at: now)
  }

  mutating func receive(_ transitions: [ResourceID: Transition]) { facts.apply(transitions) }

  /// An engine works for the library again, or nobody's does.
  mutating func connect(to new: LibraryOwner) {
    owner = new
    lost = nil
  }

  mutating func disconnect(because reason: String) {
    lost = reason
    facts.stop()
  }

  /// Everything was deleted: nothing is known of records until the next snapshot.
  mutating func startOver() {
    rates = RecordRates()
    facts.records = [:]
    facts.counts = ResourceCounts()
    facts.cancelled = 0
  }
}
