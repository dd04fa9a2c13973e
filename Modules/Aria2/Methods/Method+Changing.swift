import JSON

/// Methods that change downloads, the queue and options.
extension Method {
  static let changing: [Method] = [
    Method("aria2.changePosition") { machine, parameters throws(RPCError) in
      // As in aria2, the parameters are checked before the download is looked up.
      let gid = try parameters.text(0)
      let (offset, how) = (try parameters.integer(1), try parameters.text(2))
      let download = try machine.queue.find(gid)
      guard ["POS_SET", "POS_CUR", "POS_END"].contains(how) else {
        throw RPCError("Illegal argument.")
      }
      let index = machine.queue.move(download.gid) { current, last in
        switch how {
        case "POS_CUR": clampedSum(current, offset)
        case "POS_END": clampedSum(last, offset)
        default: offset
        }
      }
      guard let index else {
        throw RPCError("GID#\(download.gid) not found in the waiting queue.")
      }
      machine.recordChange()
      return .integer(index)
    },
    Method("aria2.changeUri") { machine, parameters throws(RPCError) in
      let (gid, index) = (try parameters.text(0), try parameters.integer(1, atLeast: 1))
      let (removed, added) = (try parameters.texts(2), try parameters.texts(3))
      _ = try parameters.optionalInteger(4)
      let download = try machine.queue.find(gid)
      let position = try parameters.optionalPosition(4)
      guard !download.status.isStopped else {
        throw RPCError("Cannot remove URIs from GID#\(download.gid)")
      }
      guard index == 1 else { throw RPCError("fileIndex is out of range") }
      let counts = try machine.changeURIs(
        of: download, removing: removed, adding: added, at: position)
      return .array([.integer(counts.removed), .integer(counts.added)])
    },
    Method("aria2.changeOption") { machine, parameters throws(RPCError) in
      let (gid, members) = (try parameters.text(0), try parameters.requiredMembers(1))
      let download = try machine.queue.find(gid)
      guard !download.status.isStopped else {
        throw RPCError("Cannot change option for GID#\(download.gid)")
      }
      try machine.changeOptions(of: download, members)
      return .ok
    },
    Method("aria2.changeGlobalOption") { machine, parameters throws(RPCError) in
      try machine.changeGlobalOptions(try parameters.requiredMembers(0))
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
  ) throws(RPCError) -> (removed: Int, added: Int) {
    var changed = download
    // Each URI of the list removes one URI of the download.
    var counts: [String: Int] = [:]
    for uri in removing { counts[DownloadURI.trimmed(uri), default: 0] += 1 }
    let takes = { (uri: String) in
      guard let count = counts[uri], count > 0 else { return false }
      counts[uri] = count - 1
      return true
    }
    changed.waitingURIs = download.waitingURIs.filter { !takes($0) }
    if let uri = download.usedURI, takes(uri) { changed.usedURI = nil }
    let removedCount = download.uris.count - changed.uris.count
    let new = DownloadURI.usable(adding)
    let place = min(max(0, position ?? .max), changed.waitingURIs.count)
    changed.waitingURIs.insert(contentsOf: new, at: place)
    guard changed.uris.count <= Download.uriLimit else { throw .tooManyURIs }
    try checkSession(adding: changed.sessionBytes - download.sessionBytes)
    // The partial file belongs to the URI that was removed.
    let losesURI = changed.usedURI == nil && download.usedURI != nil
    if losesURI { renewTransfer(of: changed.gid) }
    let (waiting, used) = (changed.waitingURIs, changed.usedURI)
    queue.change(changed.gid) { download in
      download.waitingURIs = waiting
      download.usedURI = used
    }
    recordChange()
    if losesURI, download.status == .active { beginTransfer(changed.gid) }
    return (removedCount, new.count)
  }

  fileprivate mutating func changeOptions(
    of download: Download, _ members: [JSONValue.Member]
  ) throws(RPCError) {
    var values = download.options
    try values.set(members)
    values = try options.checked(values, uri: download.usedURI ?? "")
    var changed = download
    changed.options = values
    try checkSession(adding: changed.sessionBytes - download.sessionBytes)
    let (before, after) = (
      try? TransferOrder(download, options), try TransferOrder(changed, options)
    )
    reportIgnored(values)
    queue.change(download.gid) { $0.options = values }
    recordChange()
    if let after, before.map({ !$0.hasSameResource(as: after) }) ?? true {
      // The library cannot change a resource, so another one takes its place.
      renewTransfer(of: download.gid)
      if download.status == .active {
        // As in aria2, clients learn that the download has begun again.
        enqueue(.notify(Aria2Notification(kind: .start, gid: download.gid)))
        beginTransfer(download.gid)
      }
    } else if download.status == .active, let after,
      after.limits.bytesPerSecond != before?.limits.bytesPerSecond
    {
      enqueue(.limitRate(download.gid, bytesPerSecond: after.limits.bytesPerSecond))
    }
  }

  fileprivate mutating func changeGlobalOptions(_ members: [JSONValue.Member]) throws(RPCError) {
    let old = options
    try options.change(members)
    reportIgnored(options.values)
    if options.concurrency != old.concurrency { enqueue(.setConcurrency(options.concurrency)) }
    if overallLimit != old.overallLimit { enqueue(.setOverallLimit(bytesPerSecond: overallLimit)) }
    let rate = options.rateLimit(of: options.values)
    if rate != old.rateLimit(of: old.values) {
      for gid in queue.active where queue[gid]?.options["max-download-limit"] == nil {
        enqueue(.limitRate(gid, bytesPerSecond: rate))
      }
    }
    startWaiting()
  }
}
