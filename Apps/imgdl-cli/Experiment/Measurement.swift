/// The cost and the result of one run.
struct Measurement: Sendable, Equatable, Encodable {
  /// The index of the combination.
  var combination = 0
  /// The number of the repetition, from 1. Warm-up runs, which are not evaluated, have numbers below 1.
  var repetition = 1
  /// The time in seconds from the start of the process to its end.
  var wallSeconds = 0.0
  /// The processor time of the program and its helper programs in user mode, in seconds.
  var userSeconds = 0.0
  var systemSeconds = 0.0
  /// The sum of the peak memory of the program and its simultaneous helper programs in bytes, which is an
  /// upper bound, because the peaks need not have coincided.
  var peakMemory: Int64 = 0
  /// The size of the originals in the library, in bytes.
  var bytes: Int64 = 0
  /// The number of attempts to fetch a source or a resource, retries included.
  var requests = 0
  /// The number of resources that failed.
  var failures = 0
  var exitCode: Int32 = 0

  var isWarmup: Bool { repetition < 1 }
}

/// The measures that are compared, in the order of the table.
enum Measure: String, CaseIterable, Sendable {
  case wall, processor, memory, bytes, requests, failures

  var title: String {
    switch self {
    case .wall: "wall"
    case .processor: "CPU"
    case .memory: "peak RSS"
    case .bytes: "bytes"
    case .requests: "requests"
    case .failures: "failures"
    }
  }

  func value(of run: Measurement) -> Double {
    switch self {
    case .wall: run.wallSeconds
    case .processor: run.userSeconds + run.systemSeconds
    case .memory: Double(run.peakMemory)
    case .bytes: Double(run.bytes)
    case .requests: Double(run.requests)
    case .failures: Double(run.failures)
    }
  }
}

/// The median, the smallest and the largest of several values.
struct MedianRange: Sendable, Equatable {
  let median: Double
  let minimum: Double
  let maximum: Double

  /// Computes the median and range of the values; nil if there are no values.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    self.minimum = least
    self.maximum = most
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
