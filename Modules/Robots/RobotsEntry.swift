/// An answer in a cache (RFC 9309 §2.4). Times are seconds of any clock that never jumps.
public struct RobotsEntry: Sendable, Equatable {
  public let answer: RobotsAnswer
  /// The time from which the file must be requested again.
  public let expires: Double

  /// The longest time for which an answer is used, in seconds.
  public static let maximumLifetime = 86_400.0
  /// The shortest time for which rules are used, in seconds, so that a site whose file must not be cached is
  /// not asked before every request.
  public static let minimumLifetime = 300.0
  /// The time in seconds after which an unreachable file is requested again.
  public static let unreachableLifetime = 300.0

  /// - Parameters:
  ///   - now: The time at which the answer was received.
  ///   - lifetime: The time in seconds for which the response may be used without revalidation (RFC 9111);
  ///     nil if it states none.
  ///   - earlier: The entry that the answer replaces. While the file is unreachable, the earlier rules remain
  ///     in force.
  public init(
    _ answer: RobotsAnswer, at now: Double, lifetime: Double?, replacing earlier: RobotsEntry?
  ) {
    guard case .unreachable = answer else {
      self.answer = answer
      let wanted = lifetime ?? Self.maximumLifetime
      expires = now + min(max(wanted, Self.minimumLifetime), Self.maximumLifetime)
      return
    }
    if let earlier, case .rules = earlier.answer {
      self.answer = earlier.answer
    } else {
      self.answer = answer
    }
    expires = now + Self.unreachableLifetime
  }

  public func isUsable(at now: Double) -> Bool { now < expires }
}
