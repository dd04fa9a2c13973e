import JSON

/// Methods that pause, resume and remove downloads.
extension Method {
  static let controlling: [Method] =
    [
      Method("aria2.unpause") { machine, parameters throws(RPCError) in
        let download = try machine.queue.find(try parameters.text(0))
        guard download.status == .paused else {
          throw RPCError("GID#\(download.gid) cannot be unpaused now")
        }
        machine.resume(download.gid)
        machine.startWaiting()
        return .string(download.gid.description)
      },
      Method("aria2.unpauseAll") { machine, _ throws(RPCError) in
        for gid in machine.queue.waiting where machine.queue[gid]?.status == .paused {
          machine.resume(gid)
        }
        machine.startWaiting()
        return .ok
      },
      Method("aria2.removeDownloadResult") { machine, parameters throws(RPCError) in
        let download = try machine.queue.find(try parameters.text(0))
        guard download.status.isStopped else {
          throw RPCError("Could not remove download result of GID#\(download.gid)")
        }
        machine.queue.removeResult(download.gid)
        return .ok
      },
      Method("aria2.purgeDownloadResult") { machine, _ throws(RPCError) in
        machine.queue.removeAllResults()
        return .ok
      },
    ]
    // The library stops transfers at once, so the forced methods are the same as the others.
    + ["pause", "forcePause"].flatMap { pausing($0) }
    + ["remove", "forceRemove"].map { removing($0) }

  private static func pausing(_ name: String) -> [Method] {
    [
      Method("aria2.\(name)") { machine, parameters throws(RPCError) in
        let download = try machine.queue.find(try parameters.text(0))
        guard download.status == .active || download.status == .waiting else {
          throw RPCError("GID#\(download.gid) cannot be paused now")
        }
        machine.pause(download.gid)
        machine.startWaiting()
        return .string(download.gid.description)
      },
      Method("aria2.\(name)All") { machine, _ throws(RPCError) in
        // The active downloads move to the front of the queue, and keep their order there.
        for gid in machine.queue.active.reversed() + machine.queue.waiting
        where machine.queue[gid]?.status != .paused {
          machine.pause(gid)
        }
        return .ok
      },
    ]
  }

  private static func removing(_ name: String) -> Method {
    Method("aria2.\(name)") { machine, parameters throws(RPCError) in
      let download = try machine.queue.find(try parameters.text(0))
      guard !download.status.isStopped else {
        throw RPCError("Active Download not found for GID#\(download.gid)")
      }
      if let resource = download.resource { machine.enqueue(.discard(download.gid, resource)) }
      machine.stop(download.gid, .removed)
      return .string(download.gid.description)
    }
  }
}

extension JSONValue {
  static var ok: JSONValue { .string("OK") }
}

extension Aria2Machine {
  mutating func pause(_ gid: GID) {
    if queue[gid]?.status == .active { enqueue(.stop(gid)) }
    queue.change(gid) { $0.endTransfer() }
    queue.setStatus(.paused, of: gid)
    enqueue(.notify(Aria2Notification(kind: .pause, gid: gid)))
    recordChange()
  }

  fileprivate mutating func resume(_ gid: GID) {
    queue.setStatus(.waiting, of: gid)
    recordChange()
  }
}
