import Models

/// The images that the engine has evicted from its cache. The engine makes an image again if its range is
/// reported as visible; until then, the image is requested at intervals.
struct Renewals: Sendable {
  enum Step: Sendable, Equatable {
    /// Report the visible range to the engine again.
    case reportRange
    case wait
    /// Stop requesting the image, after too many requests without success.
    case abandon
  }

  private var tries: [ImageKey: Int] = [:]
  private var reported: Set<ResourceID> = []
  /// The images that are no longer requested, because they were requested too often without success.
  private(set) var abandoned: Set<ImageKey> = []
  /// The time of the next attempt; nil if none is due.
  private(set) var wake: Double?

  /// The interval between attempts in seconds.
  static let interval = 0.5
  private static let limit = 120

  mutating func evicted(_ key: ImageKey, at now: Double) -> Step {
    tries[key, default: 0] += 1
    guard tries[key, default: 0] < Self.limit else {
      abandoned.insert(key)
      return .abandon
    }
    wake = wake ?? now + Self.interval
    return reported.insert(key.resource).inserted ? .reportRange : .wait
  }

  /// Ends the attempts for an image that is available, or that cannot be shown for another reason.
  mutating func endAttempts(for key: ImageKey) {
    guard tries.removeValue(forKey: key) != nil else { return }
    reported.remove(key.resource)
    abandoned.remove(key)
  }

  /// Returns whether the next attempt is due, and clears `wake` in that case.
  mutating func advance(to now: Double) -> Bool {
    guard let due = wake, now >= due else { return false }
    wake = nil
    return true
  }
}
