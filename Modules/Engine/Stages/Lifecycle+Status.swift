import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

extension Lifecycle {
  func status() -> LibraryStatus {
    let scheduler = transfers.scheduler
    return LibraryStatus(
      isPaused: stages.verbs.libraryState.isPaused, concurrency: scheduler.limit,
      perHost: scheduler.hostLimit, active: scheduler.activeCount, waiting: scheduler.waitingCount,
      hosts: scheduler.hostStatus(at: ports.clock.now()), progress: ports.progress.snapshot(),
      isIdle: isIdle, sources: stages.sources.beingAdded, seq: announcer.seq,
      turns: stages.engine.turns.status,
      failure: failure.flatMap { $0.code == .interrupted ? nil : $0 },
      rateLimit: stages.verbs.rateLimit)
  }
}

extension TurnDurations {
  fileprivate var status: TurnStatus {
    TurnStatus(
      count: count, median: milliseconds(exceededBy: 0.5),
      percentile99: milliseconds(exceededBy: 0.01), longest: longest)
  }
}
