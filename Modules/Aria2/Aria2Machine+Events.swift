public import Models

/// Events of the library and of the performer.
extension Aria2Machine {
  public enum Event: Sendable, Equatable {
    /// The library has begun with this limit of concurrent transfers; nil if that cannot be read.
    case began(concurrency: Int?)
    /// The library has another limit of concurrent transfers.
    case concurrencyChanged(Int)
    /// The library has created the resource of a started download, in a record with this absolute folder.
    case resourceAdded(GID, ResourceID, folder: String)
    /// The library refuses a download as such.
    case startFailed(GID, reason: String)
    /// A resource is complete; nil if the library does not know its file any more.
    case finished(ResourceID, path: String?, byteCount: Int64)
    case failed(ResourceID, reason: String)
    /// The resources have been removed from the library.
    case removed([ResourceID])
    /// A user has cancelled the record with this title.
    case recordCancelled(title: String)
    /// A user has queued the resources again, which the library downloads.
    case requeued([ResourceID])
    /// The progress of all resources that are being received.
    case progressed([ResourceID: Aria2Progress])
  }

  /// - Parameter now: The time in seconds of a monotonic clock.
  public mutating func handle(_ event: Event, now: Double) {
    switch event {
    case .began(let limit): begin(limit)
    case .concurrencyChanged(let limit):
      options.adoptConcurrency(limit)
      startWaiting()
    case .resourceAdded(let gid, let resource, let folder):
      queue.change(gid) { download in
        download.resource = resource
        download.folder = folder
      }
      recordChange()
    case .startFailed(let gid, let reason):
      guard queue[gid]?.status == .active else { return }
      failTransfer(gid, reason)
    case .finished(let resource, let path, let count):
      // A download that was paused just before it completed is complete as well, and so is one that has failed
      // and whose resource a user has downloaded again.
      guard let download = queue.download(of: resource),
        !download.status.isStopped || download.status == .error
      else { return }
      complete(download.gid, path, count)
    case .failed(let resource, let reason):
      guard let download = queue.download(of: resource), !download.status.isStopped else { return }
      if reason == Resource.cancelledReason {
        // The machine has forgotten the resources that it has discarded itself.
        stop(download.gid, .removed)
      } else if download.status == .active {
        failTransfer(download.gid, reason)
      }
    case .removed(let resources):
      for resource in resources {
        guard let download = queue.download(of: resource), !download.status.isStopped else {
          continue
        }
        stop(download.gid, .error, .removed, "The library has removed the download.")
      }
    case .recordCancelled(let title): removeDownloads(ofRecord: title)
    case .requeued(let resources): continueDownloads(of: resources)
    case .progressed(let progress):
      for gid in queue.active {
        guard let resource = queue[gid]?.resource else { continue }
        queue.change(gid) { download in
          // A download that waits for its server or for another attempt has no connection.
          download.connections = progress[resource]?.connections ?? 0
          guard let progress = progress[resource] else { return }
          download.update(received: progress.received, expected: progress.expected, now: now)
        }
      }
    }
  }

  /// The resources of active downloads.
  public var activeResources: [ResourceID] { queue.active.compactMap { queue[$0]?.resource } }

  /// The resources of downloads that have not stopped.
  public var unfinishedResources: [ResourceID] { queue.unfinished.compactMap(\.resource) }

  /// Returns the GID of the download of a resource.
  public func gid(of resource: ResourceID) -> GID? { queue.download(of: resource)?.gid }

  /// Returns the resource of a download.
  public func resource(of gid: GID) -> ResourceID? { queue[gid]?.resource }

  /// Returns whether an order is still to be performed: the download is active, and its transfer is the same.
  public func isCurrent(_ order: TransferOrder) -> Bool {
    queue[order.gid]?.status == .active && needsResource(of: order)
  }

  /// Returns whether the resource that the library has created for an order is that of the download. The
  /// download may be paused meanwhile.
  public func needsResource(of order: TransferOrder) -> Bool {
    queue[order.gid].map { !$0.status.isStopped && $0.revision == order.revision } ?? false
  }

  /// The orders of active downloads for which the library has not created a resource yet.
  public var missingResources: [TransferOrder] {
    queue.active.compactMap { gid in
      guard let download = queue[gid], download.resource == nil else { return nil }
      return try? TransferOrder(download, options)
    }
  }

  /// The limits of the active downloads, by resource.
  public var activeLimits: [ResourceID: TransferLimits] {
    var limits: [ResourceID: TransferLimits] = [:]
    for gid in queue.active {
      guard let download = queue[gid], let resource = download.resource else { continue }
      limits[resource] = TransferLimits(download.options, options)
    }
    return limits
  }

  private mutating func complete(_ gid: GID, _ path: String?, _ count: Int64) {
    queue.change(gid) { download in
      download.path = path
      if let slash = path?.lastIndex(of: "/") {
        download.folder = path.map { String($0[..<slash]) }
      }
      download.totalBytes = count
      download.completedBytes = count
    }
    stop(gid, .complete)
  }

  /// Tries the next URI of a download, or ends it.
  private mutating func failTransfer(_ gid: GID, _ reason: String) {
    guard let download = queue[gid] else { return }
    guard !download.waitingURIs.isEmpty else {
      return stop(gid, .error, ErrorCode(reason: reason), reason)
    }
    queue.change(gid) { download in
      download.usedURI = nil
      download.renewTransfer()
    }
    beginTransfer(gid)
  }
}
