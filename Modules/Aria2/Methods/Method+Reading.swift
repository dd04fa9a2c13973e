import JSON

/// Methods that read the state of downloads.
extension Method {
  static let reading: [Method] = [
    Method("aria2.tellStatus") { machine, parameters throws(RPCError) in
      let (gid, keys) = (try parameters.text(0), try parameters.optionalTexts(1))
      return machine.statusObject(of: try machine.queue.find(gid)).json(keys: keys)
    },
    Method("aria2.tellActive") { machine, parameters throws(RPCError) in
      try machine.statusObjects(of: machine.queue.active, keys: try parameters.optionalTexts(0))
    },
    Method("aria2.tellWaiting") { machine, parameters throws(RPCError) in
      try machine.page(of: machine.queue.waiting, parameters)
    },
    Method("aria2.tellStopped") { machine, parameters throws(RPCError) in
      try machine.page(of: machine.queue.stopped, parameters)
    },
    Method("aria2.getUris") { machine, parameters throws(RPCError) in
      machine.statusObject(of: try machine.queue.find(try parameters.text(0))).uris
    },
    Method("aria2.getFiles") { machine, parameters throws(RPCError) in
      machine.statusObject(of: try machine.queue.find(try parameters.text(0))).files
    },
    Method("aria2.getServers") { machine, parameters throws(RPCError) in
      let download = try machine.queue.find(try parameters.text(0))
      guard download.status == .active else {
        throw RPCError("No active download for GID#\(download.gid)")
      }
      return machine.statusObject(of: download).servers
    },
    Method("aria2.getPeers") { machine, parameters throws(RPCError) in
      _ = try machine.queue.find(try parameters.text(0))
      return .array([])
    },
    Method("aria2.getOption") { machine, parameters throws(RPCError) in
      let download = try machine.queue.find(try parameters.text(0))
      var values = download.options.over(machine.options.all)
      // The folder as a client has to name it for the same record; the actual one can have another name.
      try values.set("dir", to: machine.options.folderPath(of: download.options))
      for name in OptionTable.serverNames { values.remove(name) }
      return values.json
    },
    Method("aria2.getGlobalOption") { machine, _ throws(RPCError) in machine.options.all.json },
    Method("aria2.getGlobalStat") { machine, _ throws(RPCError) in
      let speed = machine.queue.active.reduce(0) { $0 &+ (machine.queue[$1]?.bytesPerSecond ?? 0) }
      return [
        "downloadSpeed": .string("\(speed)"),
        "numActive": .string("\(machine.queue.active.count)"),
        "numStopped": .string("\(machine.queue.stopped.count)"),
        "numStoppedTotal": .string("\(machine.queue.stoppedTotal)"),
        "numWaiting": .string("\(machine.queue.waiting.count)"),
        "uploadSpeed": .string("0"),
      ]
    },
  ]
}

extension Aria2Machine {
  fileprivate func statusObject(of download: Download) -> StatusObject {
    StatusObject(
      download: download, folder: options.folderPath(of: download.options),
      fileName: options.value("out", of: download.options))
  }

  fileprivate func statusObjects(of gids: [GID], keys: [String]?) throws(RPCError) -> JSONValue {
    var objects: [JSONValue] = []
    var size = 0
    for gid in gids {
      guard let download = queue[gid] else { continue }
      let object = statusObject(of: download).json(keys: keys)
      size += object.contentBytes
      let limit = configuration.resultLimit
      guard size <= limit else { throw CallDispatch.tooLong(limit) }
      objects.append(object)
    }
    return .array(objects)
  }

  /// Returns the page of a list that the parameters offset, number and keys select.
  fileprivate func page(of list: [GID], _ parameters: Parameters) throws(RPCError) -> JSONValue {
    let (offset, count) = (try parameters.integer(0), try parameters.integer(1, atLeast: 0))
    let keys = try parameters.optionalTexts(2)
    return try statusObjects(
      of: DownloadQueue.page(list, offset: offset, count: count), keys: keys)
  }
}

extension JSONValue {
  /// The size of the names and values in bytes, without the syntax. O(number of values).
  fileprivate var contentBytes: Int {
    switch self {
    case .null, .bool: 4
    case .number(let text), .string(let text): text.utf8.count
    case .array(let elements): elements.reduce(0) { $0 + $1.contentBytes + 1 }
    case .object(let members):
      members.reduce(0) { $0 + $1.name.utf8.count + $1.value.contentBytes + 1 }
    }
  }
}
