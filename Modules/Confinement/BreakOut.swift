import Glibc
import RenderMessages
public import Rendering
import SystemCalls

/// Puts a worker's sandbox layers on one after the other and tries each: what must fail, fails with the error
/// of that sandbox layer. A line for each attempt; for `doctor`.
public enum BreakOut {
  /// - Parameters:
  ///   - worker: its name, for the lines.
  ///   - libraries: what the worker has opened before, kept until the end.
  public static func report(
    _ worker: String, _ profile: SandboxProfile, with libraries: Any? = nil
  ) {
    // The attempt to write more than is allowed would end us.
    signal(SIGXFSZ, SIG_IGN)
    withExtendedLifetime((libraries, Escape.Preparation())) { _, preparation in
      for belt in SandboxLayer.allCases {
        do throws(LayerProblem) {
          try belt.fasten(profile)
        } catch {
          printReport(
            SandboxReport(worker, belt: belt.rawValue, attempt: "fasten", .missing, error.detail))
          continue
        }
        for escape in Escape.all(belt, profile, preparation) {
          attempt(escape, belt, worker)
        }
      }
    }
    write(line: SandboxReport.end)
  }

  private static func attempt(_ escape: Escape, _ belt: SandboxLayer, _ worker: String) {
    let error = escape.run()
    let outcome: SandboxReport.Outcome = escape.expected.contains(error) ? .held : .broken
    let detail = error == 0 ? "it worked" : String(cString: strerror(error))
    printReport(SandboxReport(worker, belt: belt.rawValue, attempt: escape.name, outcome, detail))
  }

  private static func printReport(_ report: SandboxReport) { write(line: report.line) }

  /// Unbuffered: an attempt that works may end this program.
  private static func write(line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
  }
}
