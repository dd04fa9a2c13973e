public import Models

/// The effects of commands of other programs, such as `cancel` and `retry`, on the downloads of clients.
extension Aria2Machine {
  /// The resources of the downloads whose results are kept.
  public var stoppedResources: [ResourceID] { queue.stopped.compactMap { queue[$0]?.resource } }

  /// Removes the downloads of a cancelled record that have not ended, also those that a client has paused.
  mutating func removeDownloads(ofRecord title: String) {
    // The waiting ones first, so that none of them takes the place of an active one.
    for gid in queue.waiting + queue.active {
      guard let download = queue[gid], (try? options.folder(of: download.options))?.title == title
      else { continue }
      if let resource = download.resource { enqueue(.discard(gid, resource)) }
      stop(gid, .removed, startsOthers: false)
    }
    startWaiting()
  }

  /// Continues stopped downloads whose resources the library downloads again, as if clients had added them.
  mutating func continueDownloads(of resources: [ResourceID]) {
    for resource in resources {
      guard let download = queue.download(of: resource), download.status.isStopped else { continue }
      queue.reopen(download.gid)
      recordChange()
    }
    startWaiting()
  }
}
