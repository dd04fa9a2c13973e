import Synchronization

/// The faults that can be injected into a response, named as in `--fault`.
public enum Fault: String, Sendable, CaseIterable {
  /// The connection is reset (RST) in the middle of the body.
  case reset
  /// The connection is closed (FIN) in the middle of the body.
  case truncate
  /// The server stops sending in the middle of the body and keeps the connection open.
  case stall
  case tooManyRequests = "429"
  case unavailable = "503"
  case notFound = "404"
  /// 206 for a range that begins one byte after the requested one.
  case wrongRange = "wrong-range"
  /// 200 with the whole file, although a range was requested.
  case ignoreRange = "ignore-range"
  /// An entity tag that the file never had before; ranges are served as if If-Range matched.
  case etagFlip = "etag-flip"
  /// The connection is closed (FIN) in the middle of the header section.
  case halfHeader = "half-header"
  /// The header section is sent byte by byte.
  case slowHeader = "slow-header"
  /// Chunks with invalid sizes.
  case badChunk = "bad-chunk"
  /// Transfer-Encoding together with Content-Length.
  case bothLengths = "te-cl"
  /// A web page with status 200 instead of the file.
  case html
  /// A correct response with `Connection: close`.
  case close
}

/// Chooses the fault of each request pseudorandomly, and reproducibly for a seed.
final class FaultPlan: Sendable {
  /// The pseudorandom choices for one request.
  struct Fate: Sendable {
    var fault: Fault?
    /// The position of the fault in the response: at least 0, less than 1.
    var fraction: Double
    /// A number that differs for each request of this target.
    var salt: UInt64
    /// The share of the random delay to wait: at least 0, less than 1.
    var delay: Double
  }

  private let rates: [FaultRate]
  private let seed: UInt64
  /// The number of requests for each target. Choices depend on it, and not on the order of targets.
  private let attempts = Mutex<[String: UInt64]>([:])

  init(_ rates: [FaultRate], seed: UInt64) throws(OriginError) {
    let total = rates.reduce(0) { $0 + $1.percent }
    guard rates.allSatisfy({ $0.percent >= 0 }), total <= 100 else {
      throw OriginError(.argument, "the percentages of all faults together are not within 0 to 100")
    }
    self.rates = rates
    self.seed = seed
  }

  func fate(of target: String) -> Fate {
    let attempt = rates.isEmpty ? 0 : countAttempt(target)
    var random = SeededGenerator(seed: seed, target, attempt)
    var roll = random.fraction() * 100
    let fraction = random.fraction()
    let delay = random.fraction()
    let fault = rates.first { rate in
      roll -= rate.percent
      return roll < 0
    }
    return Fate(fault: fault?.fault, fraction: fraction, salt: random.next(), delay: delay)
  }

  private func countAttempt(_ target: String) -> UInt64 {
    attempts.withLock { attempts in
      attempts[target, default: 0] += 1
      return attempts[target, default: 0]
    }
  }
}

/// Numbers that depend on a seed and a request alone (FNV-1a into SplitMix64).
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64, _ text: String, _ number: UInt64) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    state = hash &+ (seed &* 0x9e37_79b9_7f4a_7c15) &+ (number &* 0xd1b5_4a32_d192_ed03)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
