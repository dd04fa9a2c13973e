import Models

/// All downloads of a server, each in exactly one of three lists: the active ones, the queue of waiting and
/// paused ones, and the results of stopped ones.
struct DownloadQueue: Sendable {
  private var downloads: [GID: Download] = [:]
  private var resources: [ResourceID: GID] = [:]
  /// The active downloads, in the order of their starts.
  private(set) var active: [GID] = []
  /// The waiting and paused downloads, in the order in which they start.
  private(set) var waiting: [GID] = []
  /// The number of downloads in the queue that are not paused.
  private var startableCount = 0
  /// All downloads of the queue before this index are paused.
  private var pausedPrefix = 0
  /// The stopped downloads, the one that has stopped first at the beginning.
  private(set) var stopped: [GID] = []
  /// The number of downloads that have stopped since the start of the server.
  private(set) var stoppedTotal = 0

  /// The maximum size of the session file in bytes.
  private(set) var sessionBytes = 0

  var count: Int { downloads.count }

  subscript(gid: GID) -> Download? { downloads[gid] }

  func contains(_ gid: GID) -> Bool { downloads[gid] != nil }

  /// Returns the download of a resource of the library.
  func download(of resource: ResourceID) -> Download? {
    resources[resource].flatMap { downloads[$0] }
  }

  /// Returns the downloads that have not stopped: the active ones, then the queue.
  var unfinished: [Download] { (active + waiting).compactMap { downloads[$0] } }

  /// Finds a download by its GID or by the beginning of it.
  func find(_ text: String) throws(RPCError) -> Download {
    guard (1...GID.length).contains(text.utf8.count),
      text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { throw RPCError("Invalid GID \(text.prefix(80))") }
    if text.utf8.count == GID.length {
      guard let download = GID(text).flatMap({ downloads[$0] }) else {
        throw RPCError("GID \(text.lowercased()) is not found")
      }
      return download
    }
    let shift = UInt64(4 * (GID.length - text.utf8.count))
    let prefix = UInt64(text, radix: 16)
    let found = downloads.values.filter { $0.gid.rawValue >> shift == prefix }
    guard let first = found.first else { throw RPCError("GID \(text) is not found") }
    guard found.count == 1 else { throw RPCError("GID \(text) is not unique") }
    return first
  }

  /// Adds a download to the queue.
  /// - Parameter position: The index in the queue; nil means the end.
  mutating func add(_ download: Download, at position: Int? = nil) {
    downloads[download.gid] = download
    register(download)
    guard !download.status.isStopped else { return append(stopped: download.gid) }
    sessionBytes += download.sessionBytes
    insert(download.gid, at: min(max(0, position ?? .max), waiting.count))
  }

  /// Returns the first download of the queue that is not paused. The paused downloads before it are passed once, and
  /// not by each call.
  mutating func firstStartable() -> GID? {
    guard startableCount > 0 else { return nil }
    while pausedPrefix < waiting.count {
      let gid = waiting[pausedPrefix]
      if downloads[gid]?.status == .waiting { return gid }
      pausedPrefix += 1
    }
    return nil
  }

  /// Inserts a download into the queue, with the status that it has.
  private mutating func insert(_ gid: GID, at index: Int) {
    waiting.insert(gid, at: index)
    if downloads[gid]?.status == .waiting {
      startableCount += 1
      pausedPrefix = min(pausedPrefix, index)
    } else if index < pausedPrefix {
      pausedPrefix += 1
    }
  }

  /// Removes a download from the queue.
  /// - Parameter status: The status that it has had there.
  private mutating func remove(_ gid: GID, at index: Int, _ status: Download.Status) {
    waiting.remove(at: index)
    if status == .waiting { startableCount -= 1 }
    if index < pausedPrefix { pausedPrefix -= 1 }
  }

  /// Takes note of the new status of a download that stays in the queue.
  private mutating func noteStatus(_ status: Download.Status, of gid: GID) {
    guard status == .waiting else { return startableCount -= 1 }
    startableCount += 1
    if let index = waiting[..<pausedPrefix].firstIndex(of: gid) { pausedPrefix = index }
  }

  mutating func change(_ gid: GID, _ body: (inout Download) -> Void) {
    guard var download = downloads[gid] else { return }
    let (old, oldBytes) = (download.resource, download.sessionBytes)
    body(&download)
    if !download.status.isStopped { sessionBytes += download.sessionBytes - oldBytes }
    if let old, old != download.resource { resources[old] = nil }
    downloads[gid] = download
    register(download)
  }

  private mutating func register(_ download: Download) {
    if let resource = download.resource { resources[resource] = download.gid }
  }

  /// Moves a download to the list of its new status.
  mutating func setStatus(_ status: Download.Status, of gid: GID) {
    guard let download = downloads[gid] else { return }
    let old = download.status
    if status.isStopped, !old.isStopped { sessionBytes -= download.sessionBytes }
    downloads[gid]?.status = status
    let wasQueued = old == .waiting || old == .paused
    let isQueued = status == .waiting || status == .paused
    if wasQueued && isQueued {
      if old != status { noteStatus(status, of: gid) }
      return
    }
    if old == .active { active.removeAll { $0 == gid } }
    if wasQueued, let index = waiting.firstIndex(of: gid) { remove(gid, at: index, old) }
    if status == .active { active.append(gid) }
    // A download that was active continues before all others.
    if isQueued { insert(gid, at: 0) }
    if status.isStopped, !old.isStopped { append(stopped: gid) }
  }

  /// Moves a stopped download to the end of the queue.
  mutating func reopen(_ gid: GID) {
    guard let place = stopped.firstIndex(of: gid) else { return }
    stopped.remove(at: place)
    downloads[gid]?.reopen()
    sessionBytes += downloads[gid]?.sessionBytes ?? 0
    insert(gid, at: waiting.count)
  }

  private mutating func append(stopped gid: GID) {
    stopped.append(gid)
    stoppedTotal += 1
  }

  /// Moves a download within the queue.
  /// - Returns: The new index; nil if the download is not in the queue.
  mutating func move(_ gid: GID, to index: (_ current: Int, _ last: Int) -> Int) -> Int? {
    guard let status = downloads[gid]?.status, let current = waiting.firstIndex(of: gid) else {
      return nil
    }
    let last = waiting.count - 1
    let new = min(max(0, index(current, last)), last)
    remove(gid, at: current, status)
    insert(gid, at: new)
    return new
  }

  /// Removes the result of a stopped download.
  mutating func removeResult(_ gid: GID) {
    stopped.removeAll { $0 == gid }
    forget(gid)
  }

  mutating func removeAllResults() {
    for gid in stopped { forget(gid) }
    stopped = []
  }

  /// Removes the oldest results beyond a number.
  mutating func limitResults(to count: Int) {
    guard stopped.count > max(0, count) else { return }
    for gid in stopped.prefix(stopped.count - max(0, count)) { forget(gid) }
    stopped.removeFirst(stopped.count - max(0, count))
  }

  private mutating func forget(_ gid: GID) {
    guard let download = downloads.removeValue(forKey: gid) else { return }
    if let resource = download.resource { resources[resource] = nil }
  }

  /// Returns a page of a list, as aria2 defines it: a negative offset counts from the end, and the page is
  /// then in reverse order.
  static func page(_ list: [GID], offset: Int, count: Int) -> [GID] {
    guard count > 0 else { return [] }
    if offset >= 0 { return Array(list.dropFirst(offset).prefix(count)) }
    let (last, overflow) = list.count.addingReportingOverflow(offset)
    guard !overflow, last >= 0 else { return [] }
    return list.prefix(last + 1).suffix(count).reversed()
  }
}
