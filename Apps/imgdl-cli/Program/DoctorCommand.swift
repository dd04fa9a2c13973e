import CommandLine
import ImgdlLibrary
import Models
import ProgramSupport

/// `doctor`: what this machine has for imgdl, and what it lacks.
enum DoctorCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let report = await Doctor.examine(context.loaded)
    let console = context.console.unread(nil)
    if context.invocation.flag("json") {
      console.print(JSONOutput.line(report))
      return report.findings.isEmpty ? .done : .someFailed
    }
    var libraries = Table([("LIBRARY", .left), ("VERSION", .left), ("FOR", .left)])
    for library in report.libraries {
      libraries.add([library.name, library.version ?? "missing", library.use])
    }
    var ports = Table([
      ("PORT", .left), ("CHOSEN", .left), ("WHY", .left), ("KNOWN", .left),
    ])
    for port in report.ports {
      ports.add([port.port, port.chosen, port.why, port.known.joined(separator: ", ")])
    }
    var helpers = Table([("HELPER", .left), ("WHERE", .left)])
    for helper in report.helpers { helpers.add([helper.name, helper.path ?? "missing"]) }
    for table in [libraries, ports, helpers, belts(report)] {
      table.print(to: console)
      console.print("")
    }
    console.print("Library: \(context.library)")
    if report.findings.isEmpty {
      console.print("Nothing is missing.")
      return .done
    }
    for finding in report.findings {
      console.print("Missing: \(Console.escaped(finding.problem))")
      if let remedy = finding.remedy { console.print("    \(remedy)") }
    }
    return .someFailed
  }
  /// A line for each attempt of a decoder to break out, a column for each kind of decoder.
  private static func belts(_ report: DoctorReport) -> Table {
    var workers: [String] = []
    for belt in report.belts where !workers.contains(belt.worker) { workers.append(belt.worker) }
    var table = Table(
      [("BELT", .left), ("ATTEMPT TO", .left)] + workers.map { ($0.uppercased(), .left) })
    var rows: [(belt: String, attempt: String)] = []
    for belt in report.belts where !rows.contains(where: { $0 == (belt.belt, belt.attempt) }) {
      rows.append((belt.belt, belt.attempt))
    }
    let order = ["privileges", "limits", "landlock", "seccomp"]
    for row in order.flatMap({ name in rows.filter { $0.belt == name } }) {
      let cells = workers.map { worker in
        let state = report.belts.first {
          $0.worker == worker && $0.belt == row.belt && $0.attempt == row.attempt
        }
        return switch state?.outcome {
        case "held": "refused"
        case "missing": "no such belt"
        case "broken": "WORKED"
        default: "-"
        }
      }
      table.add([row.belt, row.attempt] + cells)
    }
    return table
  }
}
