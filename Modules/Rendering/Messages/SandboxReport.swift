/// What a worker found out about one of its sandbox layers by trying to break it, as a line of text: five
/// cells between tabs.
public struct SandboxReport: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case held
    /// What must not work has worked.
    case broken
    /// This kernel does not have the sandbox layer.
    case missing
  }

  /// A decoder's name, or that of the worker for archives.
  public let worker: String
  /// `limits`, `landlock`, …
  public let belt: String
  public let attempt: String
  public let outcome: Outcome
  /// The kernel's words.
  public let detail: String

  public init(
    _ worker: String, belt: String, attempt: String, _ outcome: Outcome, _ detail: String
  ) {
    self.worker = worker
    self.belt = belt
    self.attempt = attempt
    self.outcome = outcome
    self.detail = detail
  }

  public var line: String {
    [worker, belt, attempt, outcome.rawValue, detail].joined(separator: "\t")
  }

  /// nil for a line that is none.
  public init?(line: Substring) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 5, let outcome = Outcome(rawValue: cells[3])
    else { return nil }
    self.init(cells[0], belt: cells[1], attempt: cells[2], outcome, cells[4])
  }

  /// The last line of a report: without it the worker has got away.
  public static let end = "end of report"
}
