public import Models

/// The Metalink description of a content, as a response of the resource's own server has named it (RFC 6249 §3).
/// The type is a class, because few jobs have one and a struct would reserve its space in all of them.
public final class ContentDescription: Sendable, Equatable {
  public enum Phase: Sendable, Equatable {
    /// The description is requested if every URL of the content fails.
    case named
    /// The next attempt of the job requests the description instead of the content.
    /// - Parameter failures: The failed requests for it that count against the retries (`RetryPolicy.failures`).
    case due(failures: Int)
    /// The requests for the description have ended, and it is not requested again.
    case used
  }

  public let url: HTTPURL
  public let phase: Phase
  /// The SHA-256 that the same response states of the content; nil if it states none.
  public let digest: Digest?
  /// Whether the URL may lead to public addresses only, because a public server named it.
  public let isPublicOnly: Bool
  /// Whether the URL is of the origin that has the request fields of the list's entry, so that it receives them
  /// as well.
  public let receivesFields: Bool

  public init(
    _ url: HTTPURL, phase: Phase = .named, digest: Digest?, isPublicOnly: Bool,
    receivesFields: Bool
  ) {
    self.url = url
    self.phase = phase
    self.digest = digest
    self.isPublicOnly = isPublicOnly
    self.receivesFields = receivesFields
  }

  var host: HostName { HostName(url.origin.description) }

  func with(_ phase: Phase) -> ContentDescription {
    ContentDescription(
      url, phase: phase, digest: digest, isPublicOnly: isPublicOnly,
      receivesFields: receivesFields)
  }

  public static func == (a: ContentDescription, b: ContentDescription) -> Bool {
    a.url == b.url && a.phase == b.phase && a.digest == b.digest
      && a.isPublicOnly == b.isPublicOnly && a.receivesFields == b.receivesFields
  }
}

extension Job {
  /// The description that the job requests instead of the content; nil if it requests the content.
  var dueDescription: ContentDescription? {
    if case .due? = contentDescription?.phase { contentDescription } else { nil }
  }

  /// Whether a description is known that has not been requested.
  var hasUnusedDescription: Bool { contentDescription?.phase == .named }

  /// The only URL of a content whose description is known and has not been requested; nil otherwise.
  var describedSelection: MirrorSelection? {
    guard hasUnusedDescription else { return nil }
    return MirrorSelection.Candidate(location).map { MirrorSelection($0) }
  }

  /// Makes the description the next request of the job, with the budget of its host.
  /// - Parameter selection: The URLs of the content, which have all failed.
  /// - Returns: false if there is no description, or if it was requested before.
  mutating func requestDescription(after selection: MirrorSelection) -> Bool {
    guard let contentDescription, contentDescription.phase == .named else { return false }
    self.contentDescription = contentDescription.with(.due(failures: 0))
    mirrors = selection
    host = contentDescription.host
    return true
  }

  /// Records a failure of the request for the description, and decides whether it is repeated.
  /// - Parameters:
  ///   - retryAfter: The wait requested by the server, in seconds.
  ///   - chance: A random number, uniform in 0..<1.
  mutating func retryDescription(
    isRetryable: Bool, wasIdleTimeout: Bool, retryAfter: Double?, policy: RetryPolicy,
    chance: Double
  ) -> RetryPolicy.Decision {
    guard let contentDescription, case .due(let before) = contentDescription.phase else {
      return .fail
    }
    let failures = RetryPolicy.failures(after: before, gained: 0, wasIdleTimeout: wasIdleTimeout)
    self.contentDescription = contentDescription.with(.due(failures: failures))
    return policy.decide(
      attempts: failures, isRetryable: isRetryable, retryAfter: retryAfter, chance: chance)
  }

  /// Records that the requests for the description have ended, and that it is not to be requested again.
  mutating func endDescription() { contentDescription = contentDescription?.with(.used) }
}
