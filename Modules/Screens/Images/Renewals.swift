import Models

/// The images that the engine has evicted from its cache. The engine makes them again if their range is
/// reported as visible; until they are available they are requested at intervals.
struct Renewals: Sendable {
  enum Step: Sendable, Equatable {
    /// The visible range is to be reported to the engine again.
    case reportRange
    case wait
    /// The image has been requested too often without success.
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

  /// Ends the attempts for an image that is available or has another problem.
  mutating func endAttempts(for key: ImageKey) {
    guard tries.removeValue(forKey: key) != nil else { return }
    reported.remove(key.resource)
    abandoned.remove(key)
  }

  /// Returns whether the next attempt is due.
  mutating func advance(to now: Double) -> Bool {
    guard let due = wake, now >= due else { return false }
    wake = nil
    return true
  }
}
