import Models

extension RPCError {
  static let noBitTorrent = RPCError("BitTorrent is not supported")
}

extension Aria2Machine {
  /// A download whose URIs and options have been checked.
  struct Addition: Sendable {
    let uris: [String]
    /// Whether the library can download the URIs; otherwise the download has failed from the start.
    let isSupported: Bool
    /// The options without `gid` and `pause`.
    let options: OptionValues
    /// The GID that the client has chosen.
    let gid: GID?
    let isPaused: Bool
    /// The size of the file in bytes, if it is known before the download.
    let byteCount: Int64?
  }

  static let tooManyURIs = RPCError("A download has at most \(Download.uriLimit) URIs.")

  /// Checks the URIs and options of a new download.
  /// - Parameters:
  ///   - uris: URIs of the same file, which are tried one after another.
  ///   - byteCount: The size that the file must have in bytes; nil if it is not known.
  func addition(
    _ uris: [String], _ options: OptionValues, byteCount: Int64? = nil
  ) throws(RPCError) -> Addition {
    guard !uris.isEmpty else { throw RPCError("URI is not provided.") }
    guard uris.count <= Download.uriLimit else { throw Self.tooManyURIs }
    let usable = uris.filter(Self.isSupported).map(Self.trimmed)
    guard !usable.isEmpty || uris.contains(where: Self.isBitTorrent) else {
      throw RPCError("No URI to download.")
    }
    var options = options
    let gid = options["gid"].flatMap { GID($0) }
    let isPaused = options.over(self.options).isTrue("pause")
    for name in ["gid", "pause"] { options.remove(name) }
    try makeFolderRelative(&options)
    try checkProxies(options)
    _ = try RequestFields(options.over(self.options), uri: usable.first ?? "")
    return Addition(
      uris: usable.isEmpty ? uris : usable, isSupported: !usable.isEmpty, options: options,
      gid: gid, isPaused: isPaused, byteCount: byteCount)
  }

  /// Checks the folder of a download, and names it relative to the library, which may be moved.
  func makeFolderRelative(_ options: inout OptionValues) throws(RPCError) {
    guard let dir = options["dir"] else { return }
    try options.set("dir", to: try DownloadFolder(dir, below: configuration.root).title)
  }

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
      return Download(
        gid, uris: addition.uris, options: addition.options,
        status: addition.isPaused && addition.isSupported ? .paused : .waiting,
        expectedBytes: addition.byteCount)
    }
    try checkSession(adding: downloads.reduce(0) { $0 + $1.sessionBytes })
    for (index, (download, addition)) in zip(downloads, additions).enumerated() {
      var download = download
      if let resource, addition.isSupported {
        download.resource = resource
        download.usedURI = download.waitingURIs.removeFirst()
      }
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

  static func isSupported(_ uri: String) -> Bool { DownloadURI(uri) != nil }

  /// Removes the blanks around a URI, which would have a meaning in the session file.
  static func trimmed(_ uri: String) -> String {
    let bytes = uri.utf8.drop { $0 == 0x20 }
    let count = bytes.reversed().prefix { $0 == 0x20 }.count
    return String(decoding: bytes.dropLast(count), as: UTF8.self)
  }

  private static func isBitTorrent(_ uri: String) -> Bool {
    HTTPFields.isSame(uri.prefix(8), "magnet:?")
  }
}
