/// A source of random numbers, for unique names and for jitter. Tests use a seeded source to be reproducible.
public protocol RandomSource: Sendable {
  /// Returns 64 independent, uniformly distributed bits.
  func next() -> UInt64
}

extension RandomSource {
  /// Returns a uniformly distributed number in 0..<1, in steps of 2^-53.
  public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// The system's cryptographically secure random numbers.
public struct SystemRandomSource: RandomSource {
  public init() {}

  public func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}
