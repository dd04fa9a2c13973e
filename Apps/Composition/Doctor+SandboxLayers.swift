import Models
import RenderMessages
import Threading
import WorkerProcess

extension DoctorReport {
  /// The result of one attempt of a worker to break out of one layer of its sandbox.
  public struct LayerState: Sendable, Equatable, Encodable {
    /// The name of a decoder, or `archives` for the archive worker.
    public let worker: String
    public let layer: String
    public let attempt: String
    /// `refused`, `broken` (the attempt succeeded), or `missing` if this kernel lacks the layer.
    public let outcome: String
    /// The kernel's error message for the attempt.
    public let detail: String
  }
}

extension Doctor {
  /// Makes each kind of worker attempt to break out of its sandbox, and adds the results to the report.
  static func probeLayers(
    _ path: String, _ workers: [String], _ report: inout DoctorReport
  ) async {
    for worker in workers {
      do {
        let output = try await BlockingThread.run("doctor") {
          try ProgramOutput.read(from: path, WorkerArguments.breakOut(worker: worker).list)
        }
        add(output, worker, to: &report)
      } catch {
        report.findings.append(DoctorReport.Finding(problem: "\(error)", remedy: nil))
      }
    }
    for problem in unique(report.layers.compactMap(problem))
    where !report.findings.contains(where: { $0.problem == problem }) {
      report.findings.append(DoctorReport.Finding(problem: problem, remedy: nil))
    }
  }

  private static func add(
    _ output: String, _ worker: String, to report: inout DoctorReport
  ) {
    let lines = output.split(separator: "\n")
    report.layers += lines.compactMap { SandboxReport(line: $0) }.map {
      DoctorReport.LayerState(
        worker: $0.worker, layer: $0.layer, attempt: $0.attempt,
        outcome: $0.outcome.rawValue, detail: $0.detail)
    }
    guard lines.last.map(String.init) == SandboxReport.end else {
      let attempt = report.layers.last { $0.worker == worker }?.attempt ?? "to start"
      let finding =
        "the \(worker) worker's report ends after \"\(attempt)\": the worker escaped the sandbox or crashed"
      report.findings.append(DoctorReport.Finding(problem: finding, remedy: nil))
      return
    }
  }

  private static func problem(_ layer: DoctorReport.LayerState) -> String? {
    switch SandboxReport.Outcome(rawValue: layer.outcome) {
    case .refused: nil
    case .missing:
      "decoders run without the sandbox layer \(layer.layer): \(layer.detail); the other layers are applied"
    case .broken, nil:
      "a decoder (\(layer.worker)) is not prevented from this by the sandbox layer \(layer.layer): "
        + "\(layer.attempt) (\(layer.detail))"
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
