import Models

extension Aria2Machine {
  /// Adds downloads, which wait or are paused at first: all of them or, after an error, none.
  /// - Parameters:
  ///   - position: The index of the first one in the queue; nil means the end.
  ///   - resource: The resource of an earlier run, in which the download was started.
  mutating func add(
    _ additions: [Addition], at position: Int?, resource: ResourceID? = nil
  ) throws(RPCError) -> [GID] {
    guard queue.count + additions.count <= Self.downloadLimit else {
      throw RPCError("The server has at most \(Self.downloadLimit) downloads.")
    }
    var gids: Set<GID> = []
    for case let gid? in additions.map(\.gid)
    where queue.contains(gid) || !gids.insert(gid).inserted {
      throw RPCError("GID \(gid) is already used.")
    }
    let known = queue
    let downloads = additions.map { addition in
      let gid = addition.gid ?? allocator.next { known.contains($0) || gids.contains($0) }
      gids.insert(gid)
      return addition.download(gid, resource: resource)
    }
    try checkSession(adding: downloads.reduce(0) { $0 + $1.sessionBytes })
    for (index, (download, addition)) in zip(downloads, additions).enumerated() {
      queue.add(download, at: position.map { $0 &+ index })
      recordChange()
      guard addition.isSupported else {
        // The client learns of the failure from the list of downloads, as of any other failed download.
        stop(download.gid, .error, .unknown, RPCError.noBitTorrent.message)
        continue
      }
      reportIgnored(download.options)
      // If there is room, no other download waits for it.
      if download.status == .waiting, hasRoom { start(download.gid) }
    }
    return downloads.map(\.gid)
  }
}
