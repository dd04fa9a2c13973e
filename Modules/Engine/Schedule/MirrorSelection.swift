public import HTTP1
public import Models

/// Decides which URL of a content is requested next: its own URL or one of its mirrors. Pure: random numbers
/// and times are arguments.
///
/// The URLs are tried in the order of their priority. One that fails in a way that may pass is tried again
/// after the others, with the wait of its own server; one that cannot serve the content is not tried again.
public struct MirrorSelection: Sendable, Equatable {
  /// The party that has stated the identity of a mirror.
  public enum IdentitySource: Sendable, Equatable {
    case list
    /// A response of the resource's own server.
    case response
    /// The Metalink description of the content.
    case description
  }

  /// A URL of the content, and what is known of it.
  public struct Candidate: Sendable, Equatable {
    public let url: HTTPURL
    /// Whether `url` is the base URI of an image service, which delivers the content.
    public let isImageService: Bool
    public let host: HostName
    /// The property that the content must have, if a response named the URL; nil if the list did.
    public let identity: DuplicateLinks.Identity?
    /// The source of `identity`, for messages.
    public let identitySource: IdentitySource
    /// Whether the URL may lead to public addresses only, because a public server named it.
    public let isPublicOnly: Bool
    /// The number of failures that count against the retries (`RetryPolicy.failures`).
    fileprivate(set) var failures = 0
    /// The earliest time of the next attempt, in seconds.
    fileprivate(set) var notBefore = 0.0
    /// The cause of the last failure; nil if the URL has not been tried.
    fileprivate(set) var cause: String?
    fileprivate(set) var isExhausted = false

    public init(
      _ url: HTTPURL, isImageService: Bool = false, identity: DuplicateLinks.Identity? = nil,
      statedBy source: IdentitySource = .response, isPublicOnly: Bool = false
    ) {
      self.url = url
      self.isImageService = isImageService
      host = HostName(url.origin.description)
      self.identity = identity
      identitySource = source
      self.isPublicOnly = isPublicOnly
    }

    /// - Returns: nil if the location is not on a server.
    public init?(_ location: ResourceLocation) {
      switch location {
      case .http(let url): self.init(url)
      case .imageService(let url): self.init(url, isImageService: true)
      case .file, .invalid: return nil
      }
    }

    /// The location from which the content is fetched.
    public var location: ResourceLocation { isImageService ? .imageService(url) : .http(url) }
  }

  /// The end of an attempt.
  public struct Failure: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
      /// The server cannot serve the content: another attempt would fail as well.
      case final
      /// The failure may pass, but another server may serve the content at once.
      case passing
      /// The server asks for a wait, after which it will serve the content.
      case waiting
    }

    public var kind: Kind
    /// The cause as a clause for users.
    public var cause: String
    /// The wait that the server requested, in seconds.
    public var retryAfter: Double?
    /// The number of bytes that the attempt added to the resumable part of the file.
    public var gained: Int64
    public var wasIdleTimeout: Bool

    public init(
      _ kind: Kind, cause: String, retryAfter: Double? = nil, gained: Int64 = 0,
      wasIdleTimeout: Bool = false
    ) {
      self.kind = kind
      self.cause = cause
      self.retryAfter = retryAfter
      self.gained = gained
      self.wasIdleTimeout = wasIdleTimeout
    }
  }

  public enum Decision: Sendable, Equatable {
    /// Request ``MirrorSelection/current`` after this number of seconds.
    case attempt(after: Double)
    /// No URL is left.
    case fail
  }

  /// The largest number of URLs: the resource's own and its mirrors.
  public static let limit = 1 + Resource.mirrorLimit

  /// The URLs by priority; the first one is the resource's own. Never empty.
  public private(set) var candidates: [Candidate]
  public private(set) var index = 0

  public init(_ primary: Candidate) { candidates = [primary] }

  /// Creates the selection of a content whose only URL has failed for good.
  /// - Returns: nil if the location is not on a server.
  init?(_ location: ResourceLocation, failedWith cause: String) {
    guard var primary = Candidate(location) else { return nil }
    primary.cause = cause
    primary.isExhausted = true
    self.init(primary)
  }

  public var current: Candidate { candidates[index] }
  public var primary: Candidate { candidates[0] }
  public var isOnMirror: Bool { index > 0 }
  public var hasMirrors: Bool { candidates.count > 1 }

  /// Adds mirrors that are not known yet, as far as the limit permits.
  public mutating func add(_ mirrors: some Sequence<Candidate>) {
    for mirror in mirrors where candidates.count < Self.limit {
      guard !candidates.contains(where: { $0.location == mirror.location }) else { continue }
      candidates.append(mirror)
    }
  }

  /// Adds mirrors after every known URL has failed for good, and chooses the first of them.
  mutating func addAfterFailure(_ mirrors: some Sequence<Candidate>) -> Decision {
    add(mirrors)
    return chooseNext(0)
  }

  /// Records the failure of the current URL, and chooses the URL of the next attempt.
  /// - Parameters:
  ///   - now: The time in seconds.
  ///   - policy: The retries and waits of each URL.
  ///   - chance: A random number, uniform in 0..<1.
  public mutating func handle(
    _ failure: Failure, now: Double, policy: RetryPolicy, chance: Double
  ) -> Decision {
    let failures = RetryPolicy.failures(
      after: candidates[index].failures, gained: failure.gained,
      wasIdleTimeout: failure.wasIdleTimeout)
    candidates[index].cause = failure.cause
    candidates[index].failures = failures
    let decision = policy.decide(
      attempts: failures, isRetryable: failure.kind != .final, retryAfter: failure.retryAfter,
      chance: chance)
    switch decision {
    case .fail: candidates[index].isExhausted = true
    case .retry(let wait):
      candidates[index].notBefore = now + wait
      // A server that broke off a transfer continues it best: only its own validator is certain to fit.
      let continues = failure.gained >= RetryPolicy.minimumProgressBytes
      if failure.kind == .waiting || continues { return .attempt(after: wait) }
    }
    return chooseNext(now)
  }

  /// Chooses the first URL that has not been tried, or else the next one that may be tried again soonest.
  private mutating func chooseNext(_ now: Double) -> Decision {
    if let untried = candidates.firstIndex(where: { $0.cause == nil && !$0.isExhausted }) {
      index = untried
      return .attempt(after: 0)
    }
    let others = (1...candidates.count).map { (index + $0) % candidates.count }
      .filter { !candidates[$0].isExhausted }
    // The first of equal ones is taken, so that the URLs take turns.
    guard let next = others.min(by: { candidates[$0].notBefore < candidates[$1].notBefore })
    else { return .fail }
    index = next
    return .attempt(after: max(0, candidates[next].notBefore - now))
  }

  /// The causes of all failures, for users: `none of 2 URLs: http://a/1.png: HTTP 404 Not Found; http://…`.
  public var summary: String {
    // The URL of a content without mirrors is known from the resource.
    if candidates.count == 1, let cause = primary.cause { return cause }
    let tried = candidates.compactMap { candidate in
      candidate.cause.map { "\(Self.text(candidate.url)): \($0)" }
    }
    return "none of \(tried.count) URLs could be downloaded: " + tried.joined(separator: "; ")
  }

  /// Returns the URL for a sentence, shortened so that a sentence with all URLs stays readable.
  static func text(_ url: HTTPURL) -> String {
    let text = CredentialMask.masked(url.description)
    return text.utf8.count <= 200 ? text : String(text.prefix(199)) + "…"
  }
}
