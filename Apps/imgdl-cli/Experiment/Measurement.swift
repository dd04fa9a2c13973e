/// What one run cost and brought.
struct Measurement: Sendable, Equatable, Encodable {
  /// Index of the combination.
  var combination = 0
  /// From 1; 0 and below are warm-ups, which do not count.
  var repetition = 1
  /// Seconds from the start of the process to its end.
  var wallSeconds = 0.0
  /// Processor time of the program and its helper programs, in seconds.
  var userSeconds = 0.0
  var systemSeconds = 0.0
  /// Bytes: the peaks of the program and of the helper programs that lived at the same time,
  /// together. An upper bound: they need not have come at once.
  var peakMemory: Int64 = 0
  /// Bytes of the originals in the library.
  var bytes: Int64 = 0
  /// Attempts to fetch something: the source, and each resource as often as it was tried.
  var requests = 0
  /// Resources that failed.
  var failures = 0
  var exitCode: Int32 = 0

  var isWarmup: Bool { repetition < 1 }
}

/// What is compared, in the order of the table.
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

/// The middle of several figures and how far they go.
struct SampleRange: Sendable, Equatable {
  let median: Double
  let least: Double
  let most: Double

  /// nil if there are none.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    self.least = least
    self.most = most
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
