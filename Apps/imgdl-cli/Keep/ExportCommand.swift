import CommandLine
import Engine
import Models

/// `export RECORD --format csv|jsonl`: its rows, for other programs.
enum ExportCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let format = context.invocation.value("format").flatMap({ ExportFormat(rawValue: $0) })
    else {
      throw context.invocation.usageError(
        "--format is needed: csv or jsonl", code: .missingValue)
    }
    let name = context.invocation.argument("RECORD") ?? ""
    let done: Void? = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      let output = context.invocation.value("output") ?? "-"
      try await OutputFile.write(to: output, context.console) { write in
        try await RecordExport(store: store).run(record.id, as: format) { try write($0) }
      }
    }
    guard done != nil else { throw context.noLibrary }
    return .done
  }
}
