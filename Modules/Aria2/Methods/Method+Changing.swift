/// Methods that change downloads, the queue and options.
extension Method {
  static let changing: [Method] = [
    Method("aria2.changePosition") { machine, parameters throws(RPCError) in
      let download = try machine.queue.find(try parameters.text(0))
      let offset = try parameters.integer(1)
      let how = try parameters.text(2)
      let index = machine.queue.move(download.gid) { current, last in
        switch how {
        case "POS_CUR": clampedSum(current, offset)
        case "POS_END": clampedSum(last, offset)
        default: offset
        }
      }
      guard ["POS_SET", "POS_CUR", "POS_END"].contains(how) else {
        throw RPCError("Illegal argument.")
      }
      guard let index else {
        throw RPCError("GID#\(download.gid) not found in the waiting queue.")
      }
      machine.recordChange()
      return .integer(index)
    },
    Method("aria2.changeUri") { machine, parameters throws(RPCError) in
      let download = try machine.queue.find(try parameters.text(0))
      guard try parameters.integer(1) == 1 else { throw RPCError("fileIndex is out of range") }
      let (removed, added) = (try parameters.texts(2), try parameters.texts(3))
      let position = try parameters.optionalInteger(4)
      guard !download.status.isStopped else {
        throw RPCError("Cannot remove URIs from GID#\(download.gid)")
      }
      let counts = machine.changeURIs(of: download, removing: removed, adding: added, at: position)
      return .list([.integer(counts.removed), .integer(counts.added)])
    },
    Method("aria2.changeOption") { machine, parameters throws(RPCError) in
      let download = try machine.queue.find(try parameters.text(0))
      guard !download.status.isStopped else {
        throw RPCError("Cannot change option for GID#\(download.gid)")
      }
      try machine.changeOptions(of: download, try parameters.members(1))
      return .ok
    },
    Method("aria2.changeGlobalOption") { machine, parameters throws(RPCError) in
      try machine.changeGlobalOptions(try parameters.members(0))
      return .ok
    },
  ]

  private static func clampedSum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : sum
  }
}

extension Aria2Machine {
  fileprivate mutating func changeURIs(
    of download: Download, removing: [String], adding: [String], at position: Int?
  ) -> (removed: Int, added: Int) {
    let wasActive = download.status == .active
    var download = download
    var removedCount = 0
    for uri in removing {
      if let index = download.waitingURIs.firstIndex(of: uri) {
        download.waitingURIs.remove(at: index)
        removedCount += 1
      } else if download.usedURI == uri {
        download.usedURI = nil
        removedCount += 1
      }
    }
    let new = adding.filter(Self.isSupported)
    let place = min(max(0, position ?? .max), download.waitingURIs.count)
    download.waitingURIs.insert(contentsOf: new, at: place)
    let changed = download
    let losesURI = changed.usedURI == nil && queue[changed.gid]?.usedURI != nil
    // The partial file belongs to the URI that was removed.
    if losesURI { enqueue(.discard(changed.gid, changed.resource)) }
    queue.change(changed.gid) { download in
      download.waitingURIs = changed.waitingURIs
      download.usedURI = changed.usedURI
      if losesURI { download.resource = nil }
    }
    recordChange()
    if losesURI, wasActive { beginTransfer(changed.gid) }
    return (removedCount, new.count)
  }

  fileprivate mutating func changeOptions(
    of download: Download, _ members: [JSON.Member]
  ) throws(RPCError) {
    var values = download.options
    try values.set(members)
    for name in ["gid", "pause"] { values.remove(name) }
    let effective = values.over(options)
    _ = try DownloadFolder(effective["dir"] ?? "", below: configuration.root)
    _ = try RequestFields(effective, uri: download.usedURI ?? "")
    reportIgnored(members.map(\.name))
    let before = rateLimit(of: download)
    let changed = values
    queue.change(download.gid) { $0.options = changed }
    recordChange()
    guard download.status == .active, let now = queue[download.gid].map(rateLimit), now != before
    else { return }
    enqueue(.limitRate(download.gid, bytesPerSecond: now))
  }

  fileprivate mutating func changeGlobalOptions(_ members: [JSON.Member]) throws(RPCError) {
    var values = options
    try values.set(members)
    for name in ["gid", "pause", "out", "checksum"] { values.remove(name) }
    if let dir = values["dir"] { _ = try DownloadFolder(dir, below: configuration.root) }
    _ = try RequestFields(values, uri: "")
    let (oldConcurrency, oldLimit) = (concurrency, overallLimit)
    let oldRate = options.integer("max-download-limit") ?? 0
    options = values
    reportIgnored(members.map(\.name))
    if concurrency != oldConcurrency { enqueue(.setConcurrency(concurrency)) }
    if overallLimit != oldLimit { enqueue(.setOverallLimit(bytesPerSecond: overallLimit)) }
    let rate = options.integer("max-download-limit") ?? 0
    if rate != oldRate {
      for gid in queue.active where queue[gid]?.options["max-download-limit"] == nil {
        enqueue(.limitRate(gid, bytesPerSecond: rate))
      }
    }
    startWaiting()
  }
}
