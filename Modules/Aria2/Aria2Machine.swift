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
    /// The maximum size of the results of a message in bytes.
    var resultLimit = CallDispatch.sizeLimit
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
  var options: ServerOptions
  /// Whether downloads may start.
  private var hasBegun: Bool
  var queue = DownloadQueue()
  var allocator: GIDAllocator
  private var actions: [Aria2Action] = []
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
    self.options = try ServerOptions(
      options, root: configuration.root, proxies: configuration.proxies)
    reportIgnored(self.options.values)
    if self.options.values["max-concurrent-downloads"] != nil {
      enqueue(.setConcurrency(self.options.concurrency))
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
    for name in options.takeIgnored(of: values) { enqueue(.reportIgnoredOption(name)) }
  }

  /// The rate limit of all transfers together in bytes per second; 0 means none.
  public var overallLimit: Int { options.overallLimit }

  // MARK: - Starting and stopping

  /// Whether another download may be active.
  var hasRoom: Bool { hasBegun && queue.active.count < options.concurrency }

  /// Begins to start downloads, with the limit of the library unless an option sets another one.
  mutating func begin(_ limit: Int?) {
    hasBegun = true
    if let limit, options.values["max-concurrent-downloads"] == nil {
      options.adoptConcurrency(limit)
    }
    startWaiting()
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
      guard let download = queue[gid], let order = try TransferOrder(download, options) else {
        throw RPCError("No URI to download.")
      }
      enqueue(.start(order))
    } catch {
      stop(gid, .error, .unknown, error.message)
    }
    recordChange()
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
    queue.limitResults(to: options.resultLimit)
    recordChange()
    if startsOthers { startWaiting() }
  }
}
