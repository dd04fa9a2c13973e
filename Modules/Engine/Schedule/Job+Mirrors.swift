import HTTP1
import Models
import Persistence

extension Job {
  /// Whether the job requests a mirror instead of the resource's own URL.
  var isOnMirror: Bool { mirrors?.isOnMirror ?? false }

  /// The URLs of the content with the state of each: that of earlier attempts, or a new one if a subscriber
  /// has mirrors; nil if the content has no other URL.
  var mirrorSelection: MirrorSelection? {
    if let mirrors { return mirrors }
    guard subscribers.contains(where: { !$0.resource.mirrors.isEmpty }),
      let primary = MirrorSelection.Candidate(location)
    else { return nil }
    var selection = MirrorSelection(primary)
    selection.add(
      subscribers.lazy.flatMap(\.resource.mirrors)
        .compactMap { MirrorSelection.Candidate(ResourceLocation($0)) })
    return selection.hasMirrors ? selection : nil
  }

  /// Makes the current URL of the selection the one that the job requests, with the budget of its host.
  mutating func follow(_ selection: MirrorSelection) {
    mirrors = selection
    host = selection.current.host
    location = selection.current.location
  }

  /// Returns to the resource's own URL, and forgets what became of the mirrors.
  mutating func forgetMirrors() {
    contentDescription = nil
    guard let mirrors else { return }
    (host, location) = (mirrors.primary.host, mirrors.primary.location)
    self.mirrors = nil
  }

  /// The location that names the file: the resource's own, whichever URL has delivered it.
  var namingLocation: ResourceLocation { mirrors?.primary.location ?? location }

  /// Moves to the next URL, or to the description of the content, because the host of the current one is
  /// unreachable.
  /// - Returns: Whether there is one; if not, the selection contains all causes.
  mutating func leaveUnreachableHost(_ reason: String, now: Double) -> Bool {
    guard dueDescription == nil else {
      endDescription()
      return false
    }
    guard var selection = mirrorSelection else {
      guard let selection = MirrorSelection(location, failedWith: reason) else { return false }
      return leaveForDescription(after: selection)
    }
    let decision = selection.handle(
      MirrorSelection.Failure(.final, cause: reason), now: now,
      policy: RetryPolicy(retries: 0, delay: 0, ceiling: 0), chance: 0)
    guard case .attempt(let wait) = decision else {
      mirrors = selection
      return leaveForDescription(after: selection)
    }
    follow(selection)
    notBefore = now + wait
    return true
  }

  /// Requests the description of the content, unless its host is the unreachable one.
  private mutating func leaveForDescription(after selection: MirrorSelection) -> Bool {
    guard let contentDescription, contentDescription.host != host else { return false }
    return requestDescription(after: selection)
  }

  /// The checksum of the content that the lists of all subscribers state; nil if one states none or another.
  var storedChecksum: Checksum? {
    guard let checksum = subscribers.first?.resource.expectedChecksum,
      subscribers.allSatisfy({ $0.resource.expectedChecksum == checksum })
    else { return nil }
    return checksum
  }

  /// The request fields of the list's entry. Another server receives none of them, as after a redirect,
  /// because they may be credentials.
  var requestFields: HTTPFields {
    if let mirrors, mirrors.current.url.origin != mirrors.primary.url.origin { return HTTPFields() }
    return subscribers.first?.resource.fields ?? HTTPFields()
  }

  /// Whether the list or the own server of the resource has named the URL that the job requests.
  func isAccepted(by resource: Resource) -> Bool {
    guard let current = mirrors?.current, isOnMirror, current.identity == nil else { return true }
    return resource.mirrors.contains { ResourceLocation($0) == current.location }
  }
}
