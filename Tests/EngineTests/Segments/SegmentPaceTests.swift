import Testing

@testable import Engine

/// The rate from which on a file gets further connections.
@Suite(.timeLimit(.minutes(60))) struct SegmentPaceTests {
  /// A response that began at 100 s for a file of which 1 MB existed.
  private static func isSlow(
    after seconds: Double, megabytes: Int64, limit: Double = 2
  ) -> Bool {
    SegmentPace(start: 1_000_000, startedAt: 100_000_000_000, seconds: limit).isSlow(
      1_000_000 * megabytes, of: 101_000_000, at: 100_000_000_000 + UInt64(seconds * 1e9))
  }

  @Test("The time for the rest of the file at the rate so far decides")
  func rates() {
    // 10 MB in 0.1 s: the other 90 MB take 0.9 s.
    #expect(!Self.isSlow(after: 0.1, megabytes: 11))
    // 10 MB in 0.2 s: the other 90 MB take 1.8 s.
    #expect(!Self.isSlow(after: 0.2, megabytes: 11))
    // 10 MB in 0.25 s: the other 90 MB take 2.25 s.
    #expect(Self.isSlow(after: 0.25, megabytes: 11))
    #expect(!Self.isSlow(after: 0.25, megabytes: 11, limit: 2.5))
  }

  @Test("A response without bytes is slow as soon as its rate counts")
  func noBytes() {
    #expect(!Self.isSlow(after: 0.04, megabytes: 1))
    #expect(Self.isSlow(after: 0.06, megabytes: 1))
  }

  @Test("The end of a slow file is not worth further connections")
  func end() {
    // 99 MB in 99 s: the last MB takes 1 s.
    #expect(!Self.isSlow(after: 99, megabytes: 100))
    #expect(Self.isSlow(after: 99, megabytes: 97))
  }

  @Test("Without a time, further connections are always worth it")
  func always() {
    #expect(Self.isSlow(after: 0, megabytes: 1, limit: 0))
    #expect(Self.isSlow(after: 0.1, megabytes: 101, limit: 0))
  }
}
