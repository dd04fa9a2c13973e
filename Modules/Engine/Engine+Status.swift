public import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

extension Engine {
  public func status() -> LibraryStatus {
    LibraryStatus(
      isPaused: libraryState.isPaused, concurrency: scheduler.limit, perHost: scheduler.hostLimit,
      active: scheduler.activeCount, waiting: scheduler.waitingCount,
      hosts: scheduler.hostStatus(at: ports.clock.now()), progress: snapshot(),
      isIdle: isIdle,
      sources: sourceTransfers.beingAdded,
      seq: announcer.seq, turns: executor.turns.status)
  }
}

extension Engine: LocalEngine {}

extension TurnDurations {
  fileprivate var status: TurnStatus {
    TurnStatus(
      count: count, median: milliseconds(exceededBy: 0.5),
      percentile99: milliseconds(exceededBy: 0.01), longest: longest)
  }
}
