import Engine
import Models
import Testing

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy(retries: 3, delay: 1, ceiling: 60)

  private func wait(
    _ attempts: Int, after: Double? = nil, chance: Double = 1, _ policy: RetryPolicy? = nil
  ) -> Double? {
    let decision = (policy ?? self.policy).decide(
      attempts: attempts, isRetryable: true, retryAfter: after, chance: chance)
    guard case .retry(let seconds) = decision else { return nil }
    return seconds
  }

  @Test("The longest wait doubles with each attempt")
  func doubling() {
    #expect((1...3).map { wait($0) } == [1, 2, 4])
  }

  @Test("The wait is drawn from all of it, down to nothing")
  func jitter() {
    #expect(wait(3, chance: 0) == 0)
    #expect(wait(3, chance: 0.5) == 2)
  }

  @Test("The retries are limited")
  func givesUp() { #expect(wait(4) == nil) }

  @Test("A permanent failure is not retried")
  func permanent() {
    let decision = policy.decide(attempts: 1, isRetryable: false, retryAfter: 1, chance: 0.5)
    #expect(decision == .fail)
  }

  @Test("The server's Retry-After is the minimum wait")
  func retryAfter() {
    #expect(wait(1, after: 10) == 10)
    #expect(wait(3, after: 1) == 4)
  }

  @Test("No wait is longer than the ceiling", arguments: [1e12, .infinity, 61])
  func ceiling(seconds: Double) { #expect(wait(1, after: seconds) == 60) }

  @Test("A great many attempts do not overflow")
  func manyAttempts() {
    let patient = RetryPolicy(retries: .max, delay: 1e300, ceiling: 60)
    #expect(wait(.max - 1, patient) == 60)
  }

  @Test("An attempt with progress restarts the count, one with a few bytes does not")
  func progress() {
    let least = RetryPolicy.minimumProgressBytes
    #expect(RetryPolicy.failures(after: 3, gained: 0, wasIdleTimeout: false) == 4)
    #expect(RetryPolicy.failures(after: 3, gained: least - 1, wasIdleTimeout: false) == 4)
    #expect(RetryPolicy.failures(after: 3, gained: least, wasIdleTimeout: false) == 1)
  }

  @Test("Silence is retried, and from the second time on it counts twice")
  func silence() {
    var failures = 0
    var attempts = 0
    repeat {
      attempts += 1
      failures = RetryPolicy.failures(after: failures, gained: 0, wasIdleTimeout: true)
    } while failures <= 4
    #expect(attempts == 3)
  }

  @Test("Without retries the first failure is the last")
  func none() { #expect(wait(1, RetryPolicy(retries: 0, delay: 1, ceiling: 1)) == nil) }
}
