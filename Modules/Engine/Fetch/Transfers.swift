import LibraryAPI
import Models

/// The running transfers of resources, and the callers that wait for their ends. Part of the engine's
/// isolation.
struct Transfers {
  /// A running transfer.
  struct Running {
    /// The first subscriber at the start; the progress of the transfer is attributed to it.
    let leader: ResourceID
    /// The time of the start, in seconds on the engine's clock.
    let startedAt: Double
    let download: Download
    /// Whether the store has a row for the partial file, or is about to.
    fileprivate(set) var hasPartialFileRow = false
    /// The callers that wait for the end of the transfer.
    fileprivate(set) var waiters: [CheckedContinuation<Void, Never>] = []

    init(leader: ResourceID, startedAt: Double, download: Download) {
      self.leader = leader
      self.startedAt = startedAt
      self.download = download
    }

    var number: UInt64 { download.run.number }
  }

  private var running = KeyTable<RequestKey, Running>()
  private var lastNumber: UInt64 = 0
  /// The time, in seconds on the engine's clock, at which the turn that handles the ends of several
  /// transfers began; nil outside of such a turn. The turn uses this time as the current one, and decides
  /// about the next starts after all ends.
  private(set) var completionTime: Double?

  var isEmpty: Bool { running.isEmpty }
  var count: Int { running.count }
  var first: (request: RequestKey, number: UInt64)? {
    running.first.map { ($0.key, $0.value.number) }
  }

  subscript(request: RequestKey) -> Running? { running[request] }

  /// The requests of all transfers, with the first subscriber of each.
  var leaders: [(request: RequestKey, leader: ResourceID)] {
    running.map { ($0.key, $0.value.leader) }
  }

  /// Returns a number that no other transfer of the engine has.
  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func insert(_ transfer: Running, for request: RequestKey) {
    running.updateValue(transfer, forKey: request)
  }

  /// Removes a transfer that has ended.
  mutating func remove(_ request: RequestKey) -> Running? { running.removeValue(forKey: request) }

  /// Records that the store is about to get a row for the partial file of the run.
  /// - Returns: false if the run has ended.
  mutating func registerRow(_ run: DownloadRun) -> Bool {
    guard running[run.request]?.number == run.number else { return false }
    running.change(run.request) { $0.hasPartialFileRow = true }
    return true
  }

  /// Resumes the continuation when the transfer with this number has ended; at once if it is not running.
  mutating func addWaiter(
    for request: RequestKey, _ number: UInt64, _ continuation: CheckedContinuation<Void, Never>
  ) {
    guard running[request]?.number == number else { return continuation.resume() }
    running.change(request) { $0.waiters.append(continuation) }
  }

  func cancelAll() {
    for transfer in running.values { transfer.download.cancel() }
  }

  /// Cancels the transfers whose requests satisfy the predicate.
  /// - Returns: The requests and numbers of the cancelled transfers.
  func cancel(
    where isUnwanted: (RequestKey) -> Bool
  ) -> [(request: RequestKey, number: UInt64)] {
    let ending = running.filter { isUnwanted($0.key) }
    for (_, transfer) in ending { transfer.download.cancel() }
    return ending.map { ($0.key, $0.value.number) }
  }

  // MARK: - Several ends at once

  mutating func beginCompletions(at now: Double) { completionTime = now }

  mutating func endCompletions() { completionTime = nil }
}
