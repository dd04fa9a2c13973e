import CommandLine
import Export
import Models
import ProgramSupport

/// The command `export RECORD --format …`: writes the rows of a record for other programs, or its images.
enum ExportCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let format = context.invocation.value("format") ?? ""
    if let rows = ExportFormat(rawValue: format) { return try await writeRows(rows, context) }
    if let images = ImageExportFormat(rawValue: format) {
      return try await ImageExportCommand(context, images).run()
    }
    throw context.invocation.usageError(
      "--format is needed: \(names.joined(separator: ", "))", code: .missingValue)
  }

  static let names =
    ExportFormat.allCases.map(\.rawValue) + ImageExportFormat.allCases.map(\.rawValue)

  private static func writeRows(
    _ format: ExportFormat, _ context: Context
  ) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    let done: Void? = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      let output = context.invocation.value("output") ?? "-"
      try OutputFile.protect(output, context)
      try await OutputFile.write(to: output, context.console) { write in
        try await RecordExport(store: store).export(
          record.id, as: format, isRaw: context.invocation.flag("raw")
        ) { try write($0) }
      }
    }
    guard done != nil else { throw context.noLibrary }
    return .success
  }
}
