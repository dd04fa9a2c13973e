import Models

/// Pictures that were evicted from the engine's cache. The engine makes them again for whoever looks
/// at them; until they are there they are requested now and then.
struct Renewals: Sendable {
  enum Step: Sendable, Equatable {
    /// The engine is to be told again what is looked at.
    case look
    case wait
    /// They do not come back.
    case giveUp
  }

  private var tries: [PictureKey: Int] = [:]
  private var asked: Set<ResourceID> = []
  /// Those that did not come back.
  private(set) var givenUp: Set<PictureKey> = []
  /// When they are requested the next time.
  private(set) var wake: Double?

  /// Seconds.
  static let interval = 0.5
  private static let limit = 120

  mutating func evicted(_ key: PictureKey, at now: Double) -> Step {
    tries[key, default: 0] += 1
    guard tries[key, default: 0] < Self.limit else {
      givenUp.insert(key)
      return .giveUp
    }
    wake = wake ?? now + Self.interval
    return asked.insert(key.resource).inserted ? .look : .wait
  }

  /// It is there, or it has another problem.
  mutating func settled(_ key: PictureKey) {
    guard tries.removeValue(forKey: key) != nil else { return }
    asked.remove(key.resource)
    givenUp.remove(key)
  }

  /// - Returns: whether it is time to ask again.
  mutating func settle(at now: Double) -> Bool {
    guard let due = wake, now >= due else { return false }
    wake = nil
    return true
  }
}
