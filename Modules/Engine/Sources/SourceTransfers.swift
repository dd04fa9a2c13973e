import Models

/// The sources being fetched or read, by the requests that name their partial files. Part of the engine's
/// isolation.
struct SourceTransfers {
  private var requests: Set<RequestKey> = []
  /// The requests with a random name, used when another reading of the same source has reserved the regular
  /// name. No later reading can resume their partial files.
  private var unnamed: Set<RequestKey> = []
  private var downloads: [DownloadRun: Download] = [:]
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Reserves the partial file of a request for one reading.
  /// - Returns: The request itself, or the result of `otherwise` if another reading holds it, because two
  ///   readings cannot write to one file.
  mutating func reserve(
    _ request: RequestKey, otherwise: @autoclosure () -> RequestKey
  ) -> RequestKey {
    guard !requests.insert(request).inserted else { return request }
    let other = otherwise()
    requests.insert(other)
    unnamed.insert(other)
    return other
  }

  func isUnnamed(_ request: RequestKey) -> Bool { unnamed.contains(request) }

  /// Ends a reading and resumes the callers of `addEndWaiter`.
  mutating func releaseName(_ request: RequestKey) {
    unnamed.remove(request)
    requests.remove(request)
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  mutating func insert(_ download: Download) { downloads[download.run] = download }
  mutating func remove(_ run: DownloadRun) { downloads[run] = nil }
  func isRunning(_ run: DownloadRun) -> Bool { downloads[run] != nil }

  /// Cancels every transfer.
  /// - Returns: The requests of the transfers, whose readings end soon.
  func cancelAll() -> Set<RequestKey> {
    for download in downloads.values { download.cancel() }
    return Set(downloads.keys.map(\.request))
  }

  /// Returns whether at least one of these requests is still reserved.
  func isAnyReserved(of requests: Set<RequestKey>) -> Bool {
    !self.requests.isDisjoint(with: requests)
  }

  /// Resumes the continuation at the next end of a reading.
  mutating func addEndWaiter(_ continuation: CheckedContinuation<Void, Never>) {
    waiters.append(continuation)
  }
}
