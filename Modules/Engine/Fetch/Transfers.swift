import LibraryAPI
import Models

/// The transfers of resources that are at work, and who waits for their ends. Part of the engine's
/// isolation.
struct Transfers {
  /// A transfer at work.
  struct Running {
    /// For whom it began: the one whom the progress shows.
    let leader: ResourceID
    /// In seconds on the engine's clock.
    let startedAt: Double
    let download: Download
    /// Whether the store knows of its partial file.
    fileprivate(set) var isRemembered = false
    /// Who waits until it has ended.
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
  /// Since when several ends of transfers are being dealt with, in seconds on the engine's clock: what may
  /// start is decided behind them, and meanwhile time stands still. nil means none are.
  private(set) var takingEndsSince: Double?

  var isEmpty: Bool { running.isEmpty }
  var count: Int { running.count }
  var first: (request: RequestKey, number: UInt64)? {
    running.first.map { ($0.key, $0.value.number) }
  }

  subscript(request: RequestKey) -> Running? { running[request] }

  /// For whom each of them began.
  var leaders: [(request: RequestKey, leader: ResourceID)] {
    running.map { ($0.key, $0.value.leader) }
  }

  /// - Returns: the number of the next transfer; no other has it.
  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func begin(_ transfer: Running, for request: RequestKey) {
    running.updateValue(transfer, forKey: request)
  }

  /// Removes a transfer that has ended.
  mutating func end(_ request: RequestKey) -> Running? { running.removeValue(forKey: request) }

  /// The store is about to know of the partial file of that run.
  /// - Returns: false if the run has ended.
  mutating func remember(_ run: DownloadRun) -> Bool {
    guard running[run.request]?.number == run.number else { return false }
    running.change(run.request) { $0.isRemembered = true }
    return true
  }

  /// Resumes when the transfer of that number has ended.
  mutating func wait(
    for request: RequestKey, _ number: UInt64, _ continuation: CheckedContinuation<Void, Never>
  ) {
    guard running[request]?.number == number else { return continuation.resume() }
    running.change(request) { $0.waiters.append(continuation) }
  }

  func cancelAll() {
    for transfer in running.values { transfer.download.cancel() }
  }

  /// Cancels those whose requests are among the ones that are requested.
  /// - Returns: their requests and numbers.
  func cancel(
    where isUnwanted: (RequestKey) -> Bool
  ) -> [(request: RequestKey, number: UInt64)] {
    let ending = running.filter { isUnwanted($0.key) }
    for (_, transfer) in ending { transfer.download.cancel() }
    return ending.map { ($0.key, $0.value.number) }
  }

  // MARK: - Several ends at once

  mutating func beginTakingEnds(at now: Double) { takingEndsSince = now }

  mutating func finishTakingEnds() { takingEndsSince = nil }
}
