import Glibc
import RenderMessages
public import Rendering
import SystemCalls

/// Applies the layers of a worker's sandbox one after the other, and attempts operations that each layer must
/// refuse. Prints a line for each attempt, for `doctor`.
public enum BreakOut {
  /// - Parameters:
  ///   - worker: The name of the worker in the printed lines.
  ///   - libraries: The libraries that the worker opens before it is confined; kept until the report is
  ///     complete.
  public static func report(
    _ worker: String, _ profile: SandboxProfile, with libraries: Any? = nil
  ) {
    // Without this call, the attempt to exceed the file size limit would end the process.
    signal(SIGXFSZ, SIG_IGN)
    withExtendedLifetime((libraries, BreakOutAttempt.Preparation())) { _, preparation in
      for layer in SandboxLayer.allCases {
        do throws(LayerProblem) {
          try layer.apply(profile)
        } catch {
          printReport(
            SandboxReport(worker, layer: layer.rawValue, attempt: "apply", .missing, error.detail))
          continue
        }
        for attempt in BreakOutAttempt.all(layer, profile, preparation) {
          perform(attempt, layer, worker)
        }
      }
    }
    write(line: SandboxReport.end)
  }

  private static func perform(_ attempt: BreakOutAttempt, _ layer: SandboxLayer, _ worker: String) {
    let error = attempt.run()
    let outcome: SandboxReport.Outcome = attempt.expected.contains(error) ? .refused : .broken
    let detail = error == 0 ? "it worked" : String(cString: strerror(error))
    printReport(
      SandboxReport(worker, layer: layer.rawValue, attempt: attempt.name, outcome, detail))
  }

  private static func printReport(_ report: SandboxReport) { write(line: report.line) }

  /// Writes a line unbuffered, because an attempt that succeeds may end the process.
  private static func write(line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
  }
}
