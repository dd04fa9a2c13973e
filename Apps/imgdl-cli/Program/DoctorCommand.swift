import CommandLine
import Composition
import Models
import ProgramSupport

/// The command `doctor`: reports the libraries, adapters and helper programs of this machine, and the missing
/// ones.
enum DoctorCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    var report = await Doctor.examine(context.loaded)
    do {
      report.databaseProblems = try await LibraryOpener.databaseProblems(
        at: context.library, settings: context.settings)
    } catch {
      report.databaseProblems = [ProgramFailure(wrapping: error).message]
    }
    let isSound = report.findings.isEmpty && report.databaseProblems.isEmpty
    let console = context.console.exitingOnBrokenPipe(with: nil)
    if context.invocation.flag("json") {
      console.print(JSONOutput.line(report))
      return isSound ? .success : .someFailed
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
    let layers = layerTable(report)
    let isNarrow = layers.layout(columns: Console.columns(1)).hasOmissions
    for table in [libraries, ports, helpers, isNarrow ? layerOutcomeTable(report) : layers] {
      table.print(to: console)
      console.print("")
    }
    console.printSentence("Library: \(context.library)")
    for problem in report.databaseProblems.prefix(maximumProblems) {
      console.printSentence("    \(Console.escaped(problem))", indent: 4)
    }
    if isSound {
      console.print("Nothing is missing.")
      return .success
    }
    for finding in report.findings {
      console.printSentence("Missing: \(Console.escaped(finding.problem))")
      if let remedy = finding.remedy { console.printSentence("    \(remedy)", indent: 4) }
    }
    return .someFailed
  }

  /// The largest number of problems of the database that are shown.
  private static let maximumProblems = 20

  /// Returns a table with a row for each attempt to break out of the sandbox, and a column for each worker.
  private static func layerTable(_ report: DoctorReport) -> Table {
    let workers = workers(report)
    var table = Table(
      [("LAYER", .left), ("ATTEMPT TO", .text)] + workers.map { ($0.uppercased(), .left) },
      dispensable: ["LAYER"])
    for row in attempts(report) {
      table.add([row.layer, row.attempt] + workers.map { outcome(of: row, by: $0, report) ?? "-" })
    }
    return table
  }

  /// Returns the rows of `layerTable` for a terminal that is too narrow for a column per worker: a row for
  /// each attempt, or for each worker if their outcomes differ.
  private static func layerOutcomeTable(_ report: DoctorReport) -> Table {
    var table = Table(
      [("LAYER", .left), ("ATTEMPT TO", .text), ("OUTCOME", .text)], dispensable: ["LAYER"])
    for row in attempts(report) {
      let cells = workers(report).compactMap { worker in
        outcome(of: row, by: worker, report).map { (worker: worker, outcome: $0) }
      }
      let isShared = Set(cells.map(\.outcome)).count == 1
      for cell in isShared ? Array(cells.prefix(1)) : cells {
        table.add([
          row.layer, row.attempt, isShared ? cell.outcome : "\(cell.outcome) (\(cell.worker))",
        ])
      }
    }
    return table
  }

  private static func workers(_ report: DoctorReport) -> [String] {
    report.layers.reduce(into: []) { workers, layer in
      if !workers.contains(layer.worker) { workers.append(layer.worker) }
    }
  }

  /// Returns each attempt once, sorted by the order in which the layers of the sandbox are applied.
  private static func attempts(_ report: DoctorReport) -> [(layer: String, attempt: String)] {
    var rows: [(layer: String, attempt: String)] = []
    for layer in report.layers where !rows.contains(where: { $0 == (layer.layer, layer.attempt) }) {
      rows.append((layer.layer, layer.attempt))
    }
    let order = ["privileges", "limits", "landlock", "seccomp"]
    return order.flatMap { name in rows.filter { $0.layer == name } }
  }

  /// - Returns: The outcome as text, or nil if the worker does not make the attempt.
  private static func outcome(
    of row: (layer: String, attempt: String), by worker: String, _ report: DoctorReport
  ) -> String? {
    let state = report.layers.first {
      $0.worker == worker && $0.layer == row.layer && $0.attempt == row.attempt
    }
    return switch state?.outcome {
    case "refused": "refused"
    case "missing": "no such layer"
    case "broken": "WORKED"
    default: nil
    }
  }
}
