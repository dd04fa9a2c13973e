public struct HostBudget: Sendable {
  public private(set) var limit: Int
  public private(set) var waitsUntil: Double?
  public private(set) var reason: String?
  init(maximum: Int) { limit = maximum }
  var isUntouched: Bool { waitsUntil == nil }
  mutating func setMaximum(_ new: Int) { limit = new }
  func mayStart(at now: Double, active: Int) -> Bool { (waitsUntil ?? 0) <= now && active < limit }
  func nextStart(at now: Double, active: Int) -> Double? { waitsUntil.flatMap { $0 > now ? $0 : nil } }
  mutating func started(at now: Double) {}
  mutating func succeeded(startedAt: Double, at: Double) { waitsUntil = nil; reason = nil }
  mutating func pushedBack(startedAt: Double, at now: Double, retryAfter: Double?, reason: String) {
    waitsUntil = now + (retryAfter ?? 0); self.reason = reason
  }
  mutating func refused(at: Double, reason: String) {}
}
