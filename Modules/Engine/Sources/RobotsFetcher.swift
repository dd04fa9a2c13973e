import LibraryAPI
import Models
import Robots
import SystemCalls
import Transport

/// Requests robots.txt files through the engine's transport, with the retries of every download.
struct RobotsFetcher: Sendable {
  struct Result: Sendable {
    let answer: RobotsAnswer
    /// The time in seconds for which the response is fresh; nil if it does not say so.
    var lifetime: Double?
  }

  /// The credentials of the user that a request carries.
  enum Credentials: Sendable, Hashable {
    /// The credentials of the host, and the request fields of the settings, which the user intends for the source.
    case all
    /// Only the credentials that the settings assign to the host, because the source is on another host.
    case host
    /// The credentials that a redirect to another origin leaves to its target.
    case redirected
  }

  let downloadContext: Download.Context
  let clock: any MonotonicClock
  /// The terms of the source's requests; nil for those of the settings.
  var terms: RequestTerms?

  private var defaults: RequestDefaults { terms?.defaults ?? downloadContext.defaults }

  /// The longest time of one attempt in seconds, because a page waits for it.
  private static let attemptSeconds = 60.0

  /// Requests the file of an origin.
  /// - Returns: nil if the task or the transport was cancelled.
  @concurrent
  func fetch(
    _ origin: HTTPURL.Origin, _ addresses: AddressPolicy, _ credentials: Credentials = .all
  ) async -> Result? {
    let policy = defaults.retries
    var attempts = 0
    while !Task.isCancelled {
      let failure: DownloadFailure
      switch await attempt(request(origin, addresses, credentials)) {
      case .answer(let result): return result
      case .failed(.cancelled): return nil
      case .failed(let cause): failure = cause
      }
      attempts += 1
      switch policy.decide(
        attempts: attempts, isRetryable: failure.isRepeatable,
        retryAfter: failure.retryAfter, chance: downloadContext.random.fraction())
      {
      case .fail: return Result(answer: .unreachable(failure.reason))
      case .retry(let after):
        do {
          try await clock.sleep(until: clock.now() + after)
        } catch {
          return nil
        }
      }
    }
    return nil
  }

  private enum Outcome {
    case answer(Result)
    case failed(DownloadFailure)
  }

  private func request(
    _ origin: HTTPURL.Origin, _ addresses: AddressPolicy, _ credentials: Credentials
  ) -> TransportRequest {
    var request = TransportRequest(
      url: HTTPURL(origin: origin, target: "/robots.txt"),
      fields: defaults.user.robotsFields(credentials), limits: defaults.limits,
      addresses: addresses)
    request.credentials = terms?.credentials
    request.isNamedByResponse = credentials == .redirected
    request.hasLeftOrigin = credentials == .redirected
    request.limits.maxRedirects = RobotsAnswer.maximumRedirects
    let total = request.limits.totalTimeout
    request.limits.totalTimeout =
      total > 0 ? min(total, Self.attemptSeconds) : Self.attemptSeconds
    return request
  }

  private func attempt(_ request: TransportRequest) async -> Outcome {
    let sink = RobotsSink()
    let began = downloadContext.wallClock.unixSeconds()
    let response: TransportResponse
    do throws(TransportError) {
      response = try await downloadContext.transport.perform(request, into: sink)
    } catch {
      // The sink ends the transfer of a file that is longer than the part of it that counts.
      if let head = sink.head, sink.isFull { return .answer(rules(in: sink, head, began)) }
      if let problem = sink.problem { return .answer(Result(answer: .unreachable(problem))) }
      return [.tooManyRedirects, .badRedirect].contains(error.code)
        ? .answer(Result(answer: .unavailable)) : .failed(DownloadFailure(error))
    }
    let head = response.head
    switch RobotsAnswer(status: head.status) {
    case .unreachable?:
      return .failed(.refused(head))
    case let answer?: return .answer(Result(answer: answer))
    case nil:
      if let problem = sink.endDecoding() {
        return .answer(Result(answer: .unreachable(problem)))
      }
      return .answer(rules(in: sink, head, began))
    }
  }

  private func rules(in sink: RobotsSink, _ head: ResponseHead, _ began: Int64) -> Result {
    let network = downloadContext.settings.network
    let token = ProductToken(
      userAgent: defaults.user.all["User-Agent"] ?? network.userAgent)
    let now = downloadContext.wallClock.unixSeconds()
    let fresh = Freshness.freshUntil(
      head.fields, status: head.status, requestedAt: began, receivedAt: now)
    return Result(
      answer: .rules(RobotsRules(parsing: sink.bytes, for: token)),
      lifetime: fresh.map { Double($0 - now) })
  }
}

extension DownloadFailure {
  /// Whether the same request may succeed soon. A server that does not answer in time is asked once, because a
  /// document may name thousands of such servers.
  fileprivate var isRepeatable: Bool { isRetryable && !isUnreachable && !isTimeout }
}
