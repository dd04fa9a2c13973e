import CommandLine
import Composition
import Models
import ProgramSupport

/// The command `doctor`: reports the libraries, adapters and helper programs of this machine, and those that
/// are missing.
enum DoctorCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let report = await Doctor.examine(context.loaded)
    let console = context.console.unread(nil)
    if context.invocation.flag("json") {
      console.print(JSONOutput.line(report))
      return report.findings.isEmpty ? .done : .someFailed
    }
    var libraries = Table([("LIBRARY", .left), ("VERSION", .left), ("FOR", .text)])
    for library in report.libraries {
      libraries.add([library.name, library.version ?? "missing", library.use])
    }
    var ports = Table(
      [("PORT", .left), ("CHOSEN", .left), ("WHY", .text), ("KNOWN", .text)], dispensable: ["WHY"])
    for port in report.ports {
      ports.add([port.port, port.chosen, port.why, port.known.joined(separator: ", ")])
    }
    var helpers = Table([("HELPER", .left), ("WHERE", .name)])
    for helper in report.helpers { helpers.add([helper.name, helper.path ?? "missing"]) }
    let layers = belts(report)
    let isNarrow = layers.layout(columns: Console.columns(1)).hasOmissions
    for table in [libraries, ports, helpers, isNarrow ? beltOutcomes(report) : layers] {
      table.print(to: console)
      console.print("")
    }
    console.printSentence("Library: \(context.library)")
    if report.findings.isEmpty {
      console.print("Nothing is missing.")
      return .done
    }
    for finding in report.findings {
      console.printSentence("Missing: \(Console.escaped(finding.problem))")
      if let remedy = finding.remedy { console.printSentence("    \(remedy)", indent: 4) }
    }
    return .someFailed
  }

  /// Returns a table with a row for each attempt to break out of the sandbox, and a column for each worker.
  private static func belts(_ report: DoctorReport) -> Table {
    let workers = workers(report)
    var table = Table(
      [("BELT", .left), ("ATTEMPT TO", .text)] + workers.map { ($0.uppercased(), .left) },
      dispensable: ["BELT"])
    for row in attempts(report) {
      table.add([row.belt, row.attempt] + workers.map { outcome(of: row, by: $0, report) ?? "-" })
    }
    return table
  }

  /// Returns a table with the same contents for a terminal that is too narrow for a column per worker: a row
  /// for each attempt, or for each worker if their outcomes differ.
  private static func beltOutcomes(_ report: DoctorReport) -> Table {
    var table = Table(
      [("BELT", .left), ("ATTEMPT TO", .text), ("OUTCOME", .text)], dispensable: ["BELT"])
    for row in attempts(report) {
      let cells = workers(report).compactMap { worker in
        outcome(of: row, by: worker, report).map { (worker: worker, outcome: $0) }
      }
      let isShared = Set(cells.map(\.outcome)).count == 1
      for cell in isShared ? Array(cells.prefix(1)) : cells {
        table.add([
          row.belt, row.attempt, isShared ? cell.outcome : "\(cell.outcome) (\(cell.worker))",
        ])
      }
    }
    return table
  }

  private static func workers(_ report: DoctorReport) -> [String] {
    report.belts.reduce(into: []) { workers, belt in
      if !workers.contains(belt.worker) { workers.append(belt.worker) }
    }
  }

  /// Returns each attempt once, in the order in which the layers of the sandbox are applied.
  private static func attempts(_ report: DoctorReport) -> [(belt: String, attempt: String)] {
    var rows: [(belt: String, attempt: String)] = []
    for belt in report.belts where !rows.contains(where: { $0 == (belt.belt, belt.attempt) }) {
      rows.append((belt.belt, belt.attempt))
    }
    let order = ["privileges", "limits", "landlock", "seccomp"]
    return order.flatMap { name in rows.filter { $0.belt == name } }
  }

  /// - Returns: The outcome as text, or nil if the worker does not make the attempt.
  private static func outcome(
    of row: (belt: String, attempt: String), by worker: String, _ report: DoctorReport
  ) -> String? {
    let state = report.belts.first {
      $0.worker == worker && $0.belt == row.belt && $0.attempt == row.attempt
    }
    return switch state?.outcome {
    case "held": "refused"
    case "missing": "no such layer"
    case "broken": "WORKED"
    default: nil
    }
  }
}
