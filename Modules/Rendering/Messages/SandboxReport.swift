/// The result of a worker's attempt to break one of its sandbox layers, as a line of five cells separated by
/// tabs.
public struct SandboxReport: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case refused
    /// The forbidden operation has succeeded.
    case broken
    /// This kernel does not have the sandbox layer.
    case missing
  }

  /// The name of a decoder, or of the archive worker.
  public let worker: String
  /// The name of the sandbox layer: `limits`, `landlock`, …
  public let layer: String
  public let attempt: String
  public let outcome: Outcome
  /// The kernel's error message.
  public let detail: String

  public init(
    _ worker: String, layer: String, attempt: String, _ outcome: Outcome, _ detail: String
  ) {
    self.worker = worker
    self.layer = layer
    self.attempt = attempt
    self.outcome = outcome
    self.detail = detail
  }

  public var line: String {
    [worker, layer, attempt, outcome.rawValue, detail].joined(separator: "\t")
  }

  /// Parses a line; nil if it is not a report.
  public init?(line: Substring) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 5, let outcome = Outcome(rawValue: cells[3])
    else { return nil }
    self.init(cells[0], layer: cells[1], attempt: cells[2], outcome, cells[4])
  }

  /// The last line of a report. If it is missing, the worker ended before all attempts were made.
  public static let end = "end of report"
}
