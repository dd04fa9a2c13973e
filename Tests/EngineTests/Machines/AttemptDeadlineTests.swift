import Models
import Testing
import Transport

@testable import Engine

/// The time limit that all requests of an attempt share.
@Suite struct AttemptDeadlineTests {
  private static let second: UInt64 = 1_000_000_000

  private func limits(_ total: Double) -> TransferLimits {
    var limits = TransferLimits()
    limits.totalTimeout = total
    return limits
  }

  @Test(
    "Each request gets the rest of the time, in whole milliseconds",
    arguments: [
      (0, 30, true), (1, 30, true), (second, 29, true), (second + 1, 29, true),
      (second + 2_000_000, 28.998, true), (30 * second - 1, 0.001, true),
      (30 * second, 0.001, false), (90 * second, 0.001, false),
    ] as [(UInt64, Double, Bool)])
  func rest(_ elapsed: UInt64, _ expected: Double, _ hasTime: Bool) throws {
    let deadline = AttemptDeadline(limits(30), from: 5)
    var request = TransportRequest(
      url: try HTTPURL("http://h/"), limits: limits(30), addresses: .any)
    #expect(deadline.limit(&request, at: 5 + elapsed) == hasTime)
    #expect(request.limits.totalTimeout == expected)
  }

  @Test("Without a limit the request is unchanged")
  func unlimited() throws {
    var request = TransportRequest(url: try HTTPURL("http://h/"), addresses: .any)
    #expect(AttemptDeadline(limits(0), from: 5).limit(&request, at: .max))
    #expect(request.limits == TransferLimits())
  }

  @Test("The failure is retryable and names the setting")
  func failure() {
    let failure = AttemptDeadline(limits(30), from: 0).failure
    #expect(failure.isRetryable)
    #expect(failure.reason.contains("not finished in 30.0 s (network.totalTimeout)"))
  }
}
