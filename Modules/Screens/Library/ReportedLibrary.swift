import Models
import ProgressTree

/// The state of the library as far as the program has reported it: the last snapshot, the owner of the
/// downloads, and the transfer rates of the records.
///
/// Screens only read the status; reports of the program change it.
struct ReportedLibrary: Sendable {
  private(set) var snapshot = LibrarySnapshot()
  private(set) var owner = LibraryOwner.program
  /// The reason why the engine of another process has ended; nil while an engine is connected.
  private(set) var engineLossReason: String?
  private var rates = RecordRates()

  /// Whether an engine is working for the library.
  var isRunning: Bool { engineLossReason == nil && owner != .noProcess }

  /// Whether the engine has ended with unfinished work, which a new engine would continue.
  var isContinuable: Bool {
    engineLossReason != nil && snapshot.counts.settled < snapshot.counts.total
  }

  /// Whether quitting this program would end active downloads.
  var endsWithProgram: Bool {
    let isWorking = snapshot.active > 0 || snapshot.waiting > 0 || !snapshot.sources.isEmpty
    return owner == .program && engineLossReason == nil && isWorking && !snapshot.isPaused
  }

  /// A sentence on the first host in backoff, with the number of further ones; nil if no host is in backoff.
  var hostStatusText: String? {
    guard let first = snapshot.hosts.first else { return nil }
    let others = snapshot.hosts.count - 1
    return others == 0 ? first : first + " (and \(CountText.text(others, "other host")))"
  }

  /// Whether the record or the whole library is paused.
  func isPaused(_ record: Record) -> Bool { snapshot.isPaused || record.isPaused }

  /// Whether the resource is being downloaded, unpacked or rendered.
  func isActive(_ id: ResourceID) -> Bool { snapshot.activities[id] != nil }

  /// Returns the dimensions of an image that is being downloaded; nil if they are unknown.
  func dimensions(of id: ResourceID) -> ImageDimensions? {
    isActive(id) ? snapshot.dimensions[id] : nil
  }

  func bytesPerSecond(of id: RecordID) -> Double { rates.bytesPerSecond(id) }

  /// Returns the estimated remaining time in seconds; nil while there is no rate to estimate it from.
  func secondsLeft(of progress: RecordProgress) -> Double? { rates.secondsLeft(progress) }

  /// Returns the state of a resource in words.
  /// - Parameters:
  ///   - isNamed: Whether the user has named the resource (`Resource.isNamed`).
  ///   - record: The record of the resource.
  func statusText(
    of id: ResourceID, _ state: ResourceState, isCancelled: Bool, isNamed: Bool, in record: Record
  ) -> String {
    StatusText.resource(
      state, activity: snapshot.activities[id], isPaused: isPaused(record),
      isOnDemand: record.isLazy && !isNamed, isQueuedByClient: record.isQueuedByClient,
      isRunning: isRunning, isCancelled: isCancelled)
  }

  // MARK: - Program reports

  mutating func receive(_ snapshot: LibrarySnapshot, at now: Double) {
    self.snapshot = snapshot
    rates.update(snapshot.records.values, at: now)
  }

  mutating func receive(_ transitions: [ResourceID: Transition]) { snapshot.apply(transitions) }

  /// Adopts the new owner of the downloads, if any, and clears `engineLossReason`.
  mutating func connect(to new: LibraryOwner) {
    owner = new
    engineLossReason = nil
  }

  mutating func disconnect(because reason: String) {
    engineLossReason = reason
    snapshot.stop()
  }

  /// Clears rates and counts after all records were deleted, until the next snapshot arrives.
  mutating func startOver() {
    rates = RecordRates()
    snapshot.records = [:]
    snapshot.counts = ResourceCounts()
    snapshot.cancelled = 0
  }
}
