import LibraryAPI
import Models
import Robots
import SystemCalls
import Transport

/// Decides by the robots.txt files of the sites (RFC 9309) which URLs may be requested. Asked for URLs that a
/// document names, never for URLs that the user gives.
///
/// The file of an origin is requested once, for all callers that need it at the same time, and then cached.
actor RobotsPolicy {
  enum Verdict: Sendable, Equatable {
    case allowed
    /// The text is a sentence for users that names the site and the document.
    case disallowed(String)
  }

  /// A file with the policy under which it was requested: a file from a private address must not decide for
  /// a page that could not have reached it.
  private struct Site: Hashable {
    let origin: HTTPURL.Origin
    let addresses: AddressPolicy
    var credentials = RobotsFetcher.Credentials.all
  }

  private typealias Waiter = CheckedContinuation<RobotsAnswer, any Error>

  /// A request in progress, with the callers that wait for its end.
  private struct Fetch {
    let number: UInt64
    let task: Task<Void, Never>
    var waiters: [UInt64: Waiter] = [:]
  }

  private static let maximumCachedSites = 1_000

  private let fetcher: RobotsFetcher
  private let clock: any MonotonicClock
  private let maximumCachedBytes: Int
  /// Whether the files decide anything; if not, none is requested.
  nonisolated let isObeyed: Bool
  private let privateAddresses: Settings.PrivateAddresses
  private var entries: [Site: RobotsEntry] = [:]
  private var fetches: [Site: Fetch] = [:]
  private var lastNumber: UInt64 = 0
  /// The times at which the sites that want a time between requests may be requested again.
  private var turns: [Site: Double] = [:]

  /// - Parameters:
  ///   - terms: The terms of a source's requests; nil for those of the settings.
  ///   - maximumCachedBytes: The largest number of bytes of all cached rules together.
  init(
    _ downloadContext: Download.Context, clock: any MonotonicClock, terms: RequestTerms? = nil,
    maximumCachedBytes: Int = 8 << 20
  ) {
    self.maximumCachedBytes = maximumCachedBytes
    fetcher = RobotsFetcher(downloadContext: downloadContext, clock: clock, terms: terms)
    self.clock = clock
    isObeyed = downloadContext.settings.network.obeyRobots
    privateAddresses = downloadContext.defaults.privateAddresses
  }

  /// Returns whether a URL may be requested; always, if `network.obeyRobots` is off.
  /// - Parameters:
  ///   - origin: The party that named the URL, which decides about the addresses from which its robots.txt may come.
  ///   - credentials: The credentials with which the robots.txt is requested.
  /// - Throws: `CancellationError` if the caller's task or the transport was cancelled.
  func verdict(
    for url: HTTPURL, namedBy origin: RequestOrigin, _ credentials: RobotsFetcher.Credentials = .all
  ) async throws -> Verdict {
    guard isObeyed else { return .allowed }
    switch try await answer(for: site(of: url, origin, credentials)) {
    case .unavailable: return .allowed
    case .rules(let rules):
      return rules.allows(url)
        ? .allowed : .disallowed("the robots.txt of \(url.origin) disallows \(url.target)")
    case .unreachable(let reason):
      return .disallowed(
        "\(url): the robots.txt of \(url.origin) cannot be read, so nothing of it may be fetched: "
          + reason)
    }
  }

  func isAllowed(_ url: HTTPURL, namedBy origin: RequestOrigin) async throws -> Bool {
    try await verdict(for: url, namedBy: origin) == .allowed
  }

  /// Returns the time in seconds that the site of a URL wants between two requests, at most
  /// `RobotsRules.maximumCrawlDelay`; nil if it states none.
  func crawlDelay(
    for url: HTTPURL, namedBy origin: RequestOrigin, _ credentials: RobotsFetcher.Credentials = .all
  ) async throws -> Double? {
    guard isObeyed,
      case .rules(let rules) = try await answer(for: site(of: url, origin, credentials))
    else { return nil }
    return rules.crawlDelay
  }

  /// Returns the verdict about a URL; if it is allowed, after the time that its site wants between requests.
  /// - Parameter whenWaiting: Called with the remaining time in seconds before a wait.
  /// - Throws: `CancellationError` if the caller's task or the transport was cancelled.
  func admit(
    _ url: HTTPURL, namedBy origin: RequestOrigin, _ credentials: RobotsFetcher.Credentials = .all,
    whenWaiting: @Sendable (_ seconds: Double) -> Void = { _ in }
  ) async throws -> Verdict {
    let verdict = try await verdict(for: url, namedBy: origin, credentials)
    guard verdict == .allowed,
      let delay = try await crawlDelay(for: url, namedBy: origin, credentials)
    else { return verdict }
    // All requests to a site have the same time between them.
    let site = site(of: url, origin)
    let now = clock.now()
    let turn = max(now, turns[site] ?? now)
    turns = turns.filter { $0.value > now }
    turns[site] = turn + delay
    if turn > now { whenWaiting(turn - now) }
    try await clock.sleep(until: turn)
    return verdict
  }

  private func site(
    of url: HTTPURL, _ origin: RequestOrigin, _ credentials: RobotsFetcher.Credentials = .all
  ) -> Site {
    Site(
      origin: url.origin, addresses: AddressPolicy(origin, privateAddresses),
      credentials: credentials)
  }

  // MARK: - Requests

  private func answer(for site: Site) async throws -> RobotsAnswer {
    if let entry = entries[site], entry.isUsable(at: clock.now()) { return entry.answer }
    lastNumber += 1
    let number = lastNumber
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(number, for: site, $0) }
    } onCancel: {
      Task { await cancelWaiter(number, of: site) }
    }
  }

  private func wait(_ number: UInt64, for site: Site, _ waiter: Waiter) {
    if fetches[site] == nil {
      let task = Task {
        let result = await fetcher.fetch(
          site.origin, site.addresses, site.credentials)
        complete(number, for: site, result)
      }
      fetches[site] = Fetch(number: number, task: task)
    }
    fetches[site]?.waiters[number] = waiter
  }

  private func cancelWaiter(_ number: UInt64, of site: Site) {
    guard let waiter = fetches[site]?.waiters.removeValue(forKey: number) else { return }
    waiter.resume(throwing: CancellationError())
    guard let fetch = fetches[site], fetch.waiters.isEmpty else { return }
    fetches[site] = nil
    fetch.task.cancel()
  }

  private func complete(_ number: UInt64, for site: Site, _ result: RobotsFetcher.Result?) {
    // A cancelled fetch may end after another one for the same site has begun.
    guard let fetch = fetches[site], fetch.number == number else { return }
    fetches[site] = nil
    guard let result else {
      for waiter in fetch.waiters.values { waiter.resume(throwing: CancellationError()) }
      return
    }
    let entry = RobotsEntry(
      result.answer, at: clock.now(), lifetime: result.lifetime, replacing: entries[site])
    entries[site] = entry
    evict(keeping: site)
    for waiter in fetch.waiters.values { waiter.resume(returning: entry.answer) }
  }

  // MARK: - Cache

  /// Removes the entries that expire first until the cache is within its limits.
  private func evict(keeping site: Site) {
    var bytes = entries.values.reduce(0) { $0 + $1.answer.byteCount }
    guard entries.count > Self.maximumCachedSites || bytes > maximumCachedBytes else { return }
    for (other, entry) in entries.sorted(by: { $0.value.expires < $1.value.expires })
    where other != site {
      guard entries.count > Self.maximumCachedSites || bytes > maximumCachedBytes else {
        return
      }
      bytes -= entry.answer.byteCount
      entries[other] = nil
    }
  }
}

extension RobotsAnswer {
  fileprivate var byteCount: Int { if case .rules(let rules) = self { rules.byteCount } else { 0 } }
}
