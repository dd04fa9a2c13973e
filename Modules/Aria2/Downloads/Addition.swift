import Models

extension RPCError {
  static let noBitTorrent = RPCError("BitTorrent is not supported")
  static let tooManyURIs = RPCError("A download has at most \(Download.uriLimit) URIs.")
}

/// A new download whose URIs and options have been checked.
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

  /// - Parameters:
  ///   - uris: URIs of the same file, which are tried one after another.
  ///   - server: The options of the server, which are effective unless `options` contains others.
  ///   - byteCount: The size that the file must have in bytes; nil if it is not known.
  init(
    _ uris: [String], _ options: OptionValues, _ server: ServerOptions, byteCount: Int64? = nil
  ) throws(RPCError) {
    guard !uris.isEmpty else { throw RPCError("URI is not provided.") }
    guard uris.count <= Download.uriLimit else { throw .tooManyURIs }
    let usable = DownloadURI.usable(uris)
    guard !usable.isEmpty || uris.contains(where: Self.isBitTorrent) else {
      throw RPCError("No URI to download.")
    }
    self.options = try server.checked(options, uri: usable.first ?? "")
    self.uris = usable.isEmpty ? uris : usable
    self.byteCount = byteCount
    isSupported = !usable.isEmpty
    gid = options["gid"].flatMap { GID($0) }
    isPaused = server.value("pause", of: options) == "true"
  }

  private static func isBitTorrent(_ uri: String) -> Bool {
    HTTPFields.isSame(uri.prefix(8), "magnet:?")
  }

  /// Returns the download, which waits or is paused at first.
  /// - Parameter resource: The resource of an earlier run, in which the download was started.
  func download(_ gid: GID, resource: ResourceID?) -> Download {
    var download = Download(
      gid, uris: uris, options: options, status: isPaused && isSupported ? .paused : .waiting,
      expectedBytes: byteCount)
    if let resource, isSupported {
      download.resource = resource
      download.usedURI = download.waitingURIs.removeFirst()
    }
    return download
  }
}
