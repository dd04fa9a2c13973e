import LibraryAPI
import Models
import ProgressTree
import Screens

extension LibrarySnapshot {
  /// The facts of a status that the screens show.
  /// - Parameters:
  ///   - counts: The numbers of resources in the whole library.
  ///   - watched: The records whose progress is shown.
  init(_ status: LibraryStatus, _ counts: ResourceCounts, watched: Set<RecordID>) {
    self.init()
    isPaused = status.isPaused
    concurrency = status.concurrency
    active = status.active
    waiting = status.waiting
    // A host that answers again, or that has no requests left, is not reported.
    hosts = status.hosts.compactMap { host in
      guard let reason = host.reason, let wait = host.secondsToWait, !status.isPaused else {
        return nil
      }
      return "\(host.host): \(reason); continues in \(Int(wait.rounded(.up))) s"
    }
    sources = status.sources.map { source in
      source.entries == 0
        ? "Reading \(source.location) …"
        : "Reading \(source.location): \(CountText.text(source.entries, "entry", "entries"))"
    }
    self.counts = counts
    for record in status.progress.records where watched.contains(record.id) {
      records[record.id] = record
    }
    for active in status.progress.active {
      activities[active.id] = active.activity
      dimensions[active.id] = active.dimensions
    }
    progress = status.progress
    progress.records = []
    progress.active = []
    seq = status.seq
  }
}
