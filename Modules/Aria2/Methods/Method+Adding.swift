import Models

/// Methods that add downloads.
extension Method {
  static let adding: [Method] = [
    Method("aria2.addUri") { machine, parameters throws(RPCError) in
      let uris = try parameters.texts(0)
      let options = try machine.downloadOptions(try parameters.members(1))
      let position = try parameters.optionalInteger(2)
      return .text(try machine.add(uris, options, at: position).description)
    },
    Method("aria2.addTorrent") { _, _ throws(RPCError) in throw .noBitTorrent },
    Method("aria2.addMetalink") { machine, parameters throws(RPCError) in
      guard let bytes = Base64.decode(try parameters.text(0)) else {
        throw RPCError("The parameter at 0 is not base64.")
      }
      let files = try Metalink.files(in: bytes)
      let common = try machine.downloadOptions(try parameters.members(1))
      var position = try parameters.optionalInteger(2)
      var gids: [JSON] = []
      for file in files {
        var options = common
        if options["out"] == nil { try options.set("out", to: file.name) }
        if let digest = file.sha256, options["checksum"] == nil {
          try options.set("checksum", to: "sha-256=\(digest)")
        }
        gids.append(.text(try machine.add(file.uris, options, at: position).description))
        position = position.map { $0 &+ 1 }
        options = common
      }
      return .list(gids)
    },
  ]
}

extension RPCError {
  static let noBitTorrent = RPCError("BitTorrent is not supported")
}

extension Aria2Machine {
  /// Checks the options of a new download.
  func downloadOptions(_ members: [JSON.Member]) throws(RPCError) -> OptionValues {
    var values = OptionValues()
    try values.set(members)
    return values
  }

  /// Adds a download, which waits or is paused at first.
  /// - Parameters:
  ///   - uris: URIs of the same file, which are tried one after another.
  ///   - position: The index in the queue; nil means the end.
  @discardableResult
  mutating func add(
    _ uris: [String], _ values: OptionValues, at position: Int?, resource: ResourceID? = nil
  ) throws(RPCError) -> GID {
    guard !uris.isEmpty else { throw RPCError("URI is not provided.") }
    guard queue.count < Self.downloadLimit else {
      throw RPCError("The server has \(Self.downloadLimit) downloads already.")
    }
    if let position, position < 0 { throw RPCError("Position must be greater than or equal to 0.") }
    let usable = uris.filter(Self.isSupported)
    var values = values
    let gid = try newGID(values["gid"])
    values.remove("gid")
    let effective = values.over(options)
    _ = try DownloadFolder(effective["dir"] ?? "", below: configuration.root)
    _ = try RequestFields(effective, uri: usable.first ?? "")
    guard !usable.isEmpty else {
      guard uris.contains(where: Self.isBitTorrent) else { throw RPCError("No URI to download.") }
      // The client learns of the failure from the list of downloads, as of any other failed download.
      queue.add(Download(gid, uris: uris, options: values, status: .waiting), at: position)
      stop(gid, .error, .unknown, RPCError.noBitTorrent.message)
      return gid
    }
    let isPaused = effective.isTrue("pause")
    values.remove("pause")
    reportIgnored(values.names)
    var download = Download(
      gid, uris: usable, options: values, status: isPaused ? .paused : .waiting)
    if let resource {
      download.resource = resource
      download.usedURI = download.waitingURIs.removeFirst()
    }
    queue.add(download, at: position)
    recordChange()
    // If there is room, no other download waits for it.
    if !isPaused, queue.active.count < concurrency { start(gid) }
    return gid
  }

  private mutating func newGID(_ chosen: String?) throws(RPCError) -> GID {
    if let chosen, let gid = GID(chosen) {
      guard !queue.contains(gid) else { throw RPCError("GID \(gid) is already used.") }
      return gid
    }
    let queue = queue
    return allocator.next { queue.contains($0) }
  }

  static func isSupported(_ uri: String) -> Bool { (try? HTTPURL(uri)) != nil }

  private static func isBitTorrent(_ uri: String) -> Bool {
    HTTPFields.isSame(uri.prefix(8), "magnet:?")
  }
}
