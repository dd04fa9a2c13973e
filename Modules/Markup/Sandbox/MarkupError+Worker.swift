import Glibc
import Markup
import WorkerProcess

extension MarkupError {
  /// The error of a document whose worker has failed: the limit that ended the worker, if it was one.
  /// - Parameter seconds: The setting `limits.markupSeconds`.
  init(_ error: WorkerError, seconds: Double) {
    switch (error.code, error.exit) {
    case (.timedOut, _):
      self.init(
        .limit, "\(Self.tooSlow("\(WorkTime.waitWords) ", seconds)); the worker was stopped")
    case (.processorTime, _):
      self.init(.limit, "\(Self.tooSlow("", seconds)): its worker used up its processor time")
    case (.died, .code(WorkerService.memoryExitCode)):
      self = .outOfMemory
    case (.died, .signal) where error.description.contains(Self.failedAllocation):
      self = .outOfMemory
    case (.died, .signal(SIGKILL)):
      self.init(
        .limit,
        "the document was not read: its worker was killed (SIGKILL), as the kernel does when the machine or "
          + "the control group has no memory left")
    default:
      self.init(.worker, "the document was not read: its worker failed (\(error.description))")
    }
  }

  /// The words with which the Swift runtime ends a process without memory. The signal varies, because the runtime
  /// may not have memory for the message either.
  private static let failedAllocation = "Fatal error: failed to allocate"

  private static func tooSlow(_ words: String, _ seconds: Double) -> String {
    "the document was not read within \(words)limits.markupSeconds (\(seconds) s)"
  }
}
