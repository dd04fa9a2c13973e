public import Models
import Synchronization
public import Transport

/// A transport without a network: what each URL answers is written down beforehand.
///
/// It keeps the port's promises (one sink call at a time, none after the return, cancelling ends a
/// transfer) and understands `Range` with `If-Range` and conditional requests, as a good server does.
public final class FakeTransport: Transport {
  /// A request as it arrived.
  public struct Request: Sendable, Equatable {
    public let url: String
    public let fields: HTTPFields
    /// Where it may lead.
    public let addresses: AddressPolicy
    public let acceptEncoding: String
    /// The rate limit of the transfer; 0 means none.
    public let bytesPerSecond: Int
    /// The minimum speed of the transfer in bytes per second; 0 means none.
    public let lowSpeed: Int
    /// The time limit in seconds; 0 means none.
    public let totalTimeout: Double
    /// Whether a response has named the URL.
    public let isNamedByResponse: Bool

    public var range: String? { fields["Range"] }
    public var ifRange: String? { fields["If-Range"] }
    public var ifNoneMatch: String? { fields["If-None-Match"] }
    public var ifModifiedSince: String? { fields["If-Modified-Since"] }
    /// Whether the request is unconditional and for the whole file.
    public var isPlain: Bool { range == nil && ifNoneMatch == nil && ifModifiedSince == nil }
  }

  public struct Activity: Sendable, Equatable {
    public var active = 0
    public var peak = 0
    /// By origin.
    public var hosts: [String: Int] = [:]
    public var hostPeaks: [String: Int] = [:]
    public var ended = 0
  }

  private struct State {
    var answers: [String: [FakeAnswer]] = [:]
    var rules: [String: @Sendable (Request) -> FakeAnswer] = [:]
    var counts: [String: Int] = [:]
    var requests: [Request] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let fallback: @Sendable (String, Int) -> FakeAnswer
  /// How many transfers are at work.
  public let activity = Watched(Activity())
  /// The limits of the rate of all transfers together that were set, in order.
  public let rateLimits = Watched<[Int]>([])

  /// - Parameter fallback: answers what nothing was written down for; gets the URL and how often it
  ///   was asked for before.
  public init(
    fallback: @escaping @Sendable (String, Int) -> FakeAnswer = { _, _ in FakeAnswer(status: 404) }
  ) {
    self.fallback = fallback
  }

  public func setRateLimit(bytesPerSecond: Int) {
    rateLimits.update { $0.append(bytesPerSecond) }
  }

  /// The first request for the URL gets the first answer, and so on; the last one stays.
  public func serve(_ url: String, _ answers: FakeAnswer...) {
    state.withLock {
      $0.answers[url] = answers
      $0.counts[url] = 0
    }
  }

  /// Each request for the URL gets the answer that `rule` returns for it.
  public func serve(_ url: String, by rule: @escaping @Sendable (Request) -> FakeAnswer) {
    state.withLock { $0.rules[url] = rule }
  }

  public var requests: [Request] { state.withLock { $0.requests } }

  public func requests(for url: String) -> [Request] { requests.filter { $0.url == url } }

  public func forgetRequests() { state.withLock { $0.requests = [] } }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    let answer = try answer(to: request)
    let host = request.url.origin.description
    activity.update { activity in
      activity.active += 1
      activity.peak = max(activity.peak, activity.active)
      let count = activity.hosts[host, default: 0] + 1
      activity.hosts[host] = count
      activity.hostPeaks[host] = max(count, activity.hostPeaks[host] ?? 0)
    }
    defer {
      activity.update { activity in
        activity.active -= 1
        activity.ended += 1
        activity.hosts[host, default: 1] -= 1
      }
    }
    return try await FakeExchange(request: request, answer: answer, sink: sink).run()
  }

  public func shutdown() async { state.withLock { $0.isClosed = true } }

  private func answer(to request: TransportRequest) throws(TransportError) -> FakeAnswer {
    note(request)
    return try takeAnswer(to: request)
  }

  /// The request has arrived.
  func note(_ request: TransportRequest) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.requests.append(Request(request))
    }
  }

  /// Takes what was written down for a request that has arrived.
  func takeAnswer(to request: TransportRequest) throws(TransportError) -> FakeAnswer {
    let url = request.url.description
    let answer: FakeAnswer? = state.withLock { state in
      guard !state.isClosed else { return nil }
      let count = state.counts[url, default: 0]
      state.counts[url] = count + 1
      if let rule = state.rules[url] { return rule(Request(request)) }
      guard let answers = state.answers[url], !answers.isEmpty else { return fallback(url, count) }
      return answers[min(count, answers.count - 1)]
    }
    guard let answer else {
      throw TransportError(.cancelled, url: request.url, detail: "the transport was shut down")
    }
    return answer
  }
}

extension FakeTransport.Request {
  fileprivate init(_ request: TransportRequest) {
    self.init(
      url: request.url.description, fields: request.fields, addresses: request.addresses,
      acceptEncoding: request.acceptEncoding, bytesPerSecond: request.limits.bytesPerSecond,
      lowSpeed: request.limits.lowSpeed, totalTimeout: request.limits.totalTimeout,
      isNamedByResponse: request.isNamedByResponse)
  }
}
