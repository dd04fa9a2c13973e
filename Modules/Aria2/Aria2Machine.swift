import Models

/// The state of an aria2 server: downloads, options, and the answers to calls. A pure state machine: calls and
/// events of the library come in, and the actions that the performer takes with `takeActions` come out.
///
/// The machine decides when each download starts; the library only performs transfers that were started.
public struct Aria2Machine: Sendable {
  /// The values with which a server is created.
  public struct Configuration: Sendable {
    /// The absolute path of the library, below which all folders of downloads are.
    public let root: String
    /// A random number, from which GIDs are derived.
    public let seed: UInt64
    /// A random identifier of 40 hexadecimal digits, new for each start of the server.
    public let sessionID: String
    /// The version of this program.
    public let version: String
    /// The maximum size of the session file in bytes.
    var sessionLimit = InputFile.sizeLimit
    /// The proxies of the library for http and https; empty texts for none.
    public var proxies = (http: "", https: "")
    /// Whether downloads start only after the library has begun (`Aria2Machine.Event.began`).
    public var awaitsLibrary = false

    public init(root: String, seed: UInt64, sessionID: String, version: String) {
      self.root = root
      self.seed = seed
      self.sessionID = sessionID
      self.version = version
    }
  }

  let configuration: Configuration
  /// The options of the server, which are the standard values of downloads.
  var options = OptionValues()
  /// Whether downloads may start.
  private var hasBegun: Bool
  var queue = DownloadQueue()
  var allocator: GIDAllocator
  private var actions: [Aria2Action] = []
  private var reportedOptions: Set<String> = []
  /// Incremented by every change that the session file must contain.
  public private(set) var changeCount: UInt64 = 0

  /// The maximum number of downloads, results included.
  static let downloadLimit = 100_000

  /// - Parameter options: The names and values of the options that the server is started with, in order.
  public init(
    _ configuration: Configuration, options: [(name: String, value: String)] = []
  ) throws(RPCError) {
    self.configuration = configuration
    hasBegun = !configuration.awaitsLibrary
    allocator = GIDAllocator(seed: configuration.seed)
    for (name, value) in options { try self.options.set(name, to: value) }
    if let dir = self.options["dir"] { _ = try DownloadFolder(dir, below: configuration.root) }
    try checkProxies(self.options)
    reportIgnored(self.options)
    if self.options["max-concurrent-downloads"] != nil {
      enqueue(.setConcurrency(concurrency))
    }
    if overallLimit > 0 { enqueue(.setOverallLimit(bytesPerSecond: overallLimit)) }
  }

  /// Returns the actions since the last call, in the order in which they are to be performed.
  public mutating func takeActions() -> [Aria2Action] {
    defer { actions = [] }
    return actions
  }

  /// The number of active downloads.
  public var activeCount: Int { queue.active.count }

  /// The number of downloads that have not stopped, which the session file contains.
  public var unfinishedCount: Int { queue.active.count + queue.waiting.count }

  mutating func enqueue(_ action: Aria2Action) { actions.append(action) }

  mutating func recordChange() { changeCount &+= 1 }

  /// Reports options without an effect, each of them once.
  mutating func reportIgnored(_ values: OptionValues) {
    for name in values.names {
      if let definition = OptionTable.definition(name), definition.effect == .honoured { continue }
      if name == "save-session", sessionCopyName != nil { continue }
      let name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(80)))
      guard reportedOptions.count < 1_000, reportedOptions.insert(name).inserted else { continue }
      enqueue(.reportIgnoredOption(name))
    }
  }

  // MARK: - Options of the server

  /// The value of an option of the server, or aria2's standard value.
  func globalValue(_ name: String) -> String? {
    options[name] ?? OptionTable.definition(name)?.standard
  }

  var concurrency: Int { globalValue("max-concurrent-downloads").flatMap { Int($0) } ?? 5 }

  /// The rate limit of all transfers together in bytes per second; 0 means none.
  public var overallLimit: Int {
    globalValue("max-overall-download-limit").flatMap { Int($0) } ?? 0
  }

  /// All options of the server with their values, the absolute folder included.
  var globalOptions: OptionValues {
    var values = options.over(OptionTable.standardValues)
    values.remove("pause")
    try? values.set("dir", to: folderPath(of: options))
    return values
  }

  /// Returns the absolute path of the folder that options name.
  func folderPath(of options: OptionValues) -> String {
    let folder = try? DownloadFolder(options["dir"] ?? "", below: configuration.root)
    return configuration.root + "/" + (folder?.title ?? DownloadFolder.standardTitle)
  }

  // MARK: - Starting and stopping

  /// Whether another download may be active.
  var hasRoom: Bool { hasBegun && queue.active.count < concurrency }

  /// Begins to start downloads, with the limit of the library unless an option sets another one.
  mutating func begin(_ limit: Int?) {
    hasBegun = true
    if let limit, options["max-concurrent-downloads"] == nil { adoptConcurrency(limit) }
    startWaiting()
  }

  /// Takes over the limit of the library, which other clients change as well.
  mutating func adoptConcurrency(_ limit: Int) {
    guard limit > 0, limit != concurrency else { return }
    // A limit beyond the range of the option is stated as the end of the range.
    try? options.set("max-concurrent-downloads", to: "\(min(limit, 1_024))")
  }

  /// Starts waiting downloads as long as the limit allows it.
  mutating func startWaiting() {
    while hasRoom, let gid = queue.firstStartable() { start(gid) }
  }

  mutating func start(_ gid: GID) {
    queue.setStatus(.active, of: gid)
    enqueue(.notify(Aria2Notification(kind: .start, gid: gid)))
    beginTransfer(gid)
  }

  /// Starts the transfer of an active download: the URI that was used last, or the next one.
  mutating func beginTransfer(_ gid: GID) {
    queue.change(gid) { download in
      if download.usedURI == nil, !download.waitingURIs.isEmpty {
        download.usedURI = download.waitingURIs.removeFirst()
      }
    }
    do throws(RPCError) {
      guard let download = queue[gid], let order = try order(for: download) else {
        throw RPCError("No URI to download.")
      }
      enqueue(.start(order))
    } catch {
      stop(gid, .error, .unknown, error.message)
    }
    recordChange()
  }

  /// Returns the order for the transfer of a download; nil if it has not been started.
  func order(for download: Download) throws(RPCError) -> TransferOrder? {
    guard let uri = download.usedURI else { return nil }
    let values = download.options.over(options)
    let folder = try DownloadFolder(values["dir"] ?? "", below: configuration.root)
    return TransferOrder(
      gid: download.gid, revision: download.revision, uri: DownloadURI(uri)?.text ?? uri,
      resource: download.resource,
      record: folder.title, fileName: values["out"],
      fields: try RequestFields(values, uri: uri).fields,
      checksum: values["checksum"].flatMap { Checksum($0) },
      byteCount: download.expectedBytes,
      bytesPerSecond: rateLimit(of: download), connections: connectionLimit(of: download))
  }

  /// Gives up the resource of a download, because its transfer becomes another one.
  mutating func renewTransfer(of gid: GID) {
    if let resource = queue[gid]?.resource { enqueue(.discard(gid, resource)) }
    queue.change(gid) { $0.renewTransfer() }
  }

  /// Checks that the session file has room for a change.
  func checkSession(adding bytes: Int) throws(RPCError) {
    guard bytes <= 0 || queue.sessionBytes + bytes <= configuration.sessionLimit else {
      throw RPCError(
        "The unfinished downloads are longer than \(configuration.sessionLimit) bytes.")
    }
  }

  func rateLimit(of download: Download) -> Int {
    download.options.over(options).integer("max-download-limit") ?? 0
  }

  /// Returns the maximum number of connections of a download: all of them are to one server. If neither
  /// option was set, the library's setting is effective; if one was, the other has its standard value.
  func connectionLimit(of download: Download) -> Int? {
    let names = ["split", "max-connection-per-server"]
    let values = download.options.over(options)
    guard names.contains(where: { values[$0] != nil }) else { return nil }
    return names.compactMap { values.integer($0) ?? OptionTable.standardValues.integer($0) }.min()
  }

  /// Ends a download, and starts others in its place.
  mutating func stop(
    _ gid: GID, _ status: Download.Status, _ code: ErrorCode? = nil, _ message: String? = nil,
    startsOthers: Bool = true
  ) {
    queue.change(gid) { download in
      download.errorCode = code
      download.errorMessage = message
      download.endTransfer()
    }
    queue.setStatus(status, of: gid)
    let kind: Aria2Notification.Kind =
      status == .complete ? .complete : status == .error ? .error : .stop
    enqueue(.notify(Aria2Notification(kind: kind, gid: gid)))
    queue.limitResults(
      to: globalValue("max-download-result").flatMap { Int($0) } ?? 1_000)
    recordChange()
    if startsOthers { startWaiting() }
  }
}
