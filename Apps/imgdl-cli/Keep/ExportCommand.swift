import CommandLine
import Export
import Models
import ProgramSupport

/// The command `export RECORD --format …`: writes the rows of a record for other programs, or its images.
enum ExportCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let format = context.invocation.value("format") ?? ""
    if format != ImageExportFormat.dir.rawValue { try OutputFile.requireFileName(context) }
    if let rows = ExportFormat(rawValue: format) { return try await writeRows(rows, context) }
    if let images = ImageExportFormat(rawValue: format) {
      return try await writeImages(images, context)
    }
    throw context.invocation.usageError(
      "--format is needed: \(names.joined(separator: ", "))", code: .missingValue)
  }

  static let names =
    ExportFormat.allCases.map(\.rawValue) + ImageExportFormat.allCases.map(\.rawValue)

  /// Exports the images of each record to a file or folder of its own.
  private static func writeImages(
    _ format: ImageExportFormat, _ context: Context
  ) async throws -> ExitCode {
    let names = context.invocation.arguments(named: "RECORD")
    guard names.count == 1 || !context.invocation.isGiven("output") else {
      throw context.invocation.usageError(
        "--output names one file or folder; leave it out to export the images of several records")
    }
    var codes: [ExitCode] = []
    for name in names where !Task.isCancelled {
      codes.append(try await ImageExportCommand(context, format).run(name))
    }
    return ExitCode.first(of: codes.filter { $0 != .success })
  }

  private static func writeRows(
    _ format: ExportFormat, _ context: Context
  ) async throws -> ExitCode {
    let names = context.invocation.arguments(named: "RECORD")
    let done: Void? = try await context.withStore { store in
      // A name that no record has is reported before anything is written.
      var records: [Record] = []
      for name in names { records.append(try await context.record(name, in: store)) }
      let output = context.invocation.value("output") ?? "-"
      try await context.refuseFileOfLibrary(output)
      try OutputFile.protect(output, context)
      try await Interrupts().during { [records] in
        try await OutputFile.write(to: output, context.console) { write in
          for (index, record) in records.enumerated() {
            try await RecordExport(store: store).export(
              record.id, as: format, isRaw: context.invocation.flag("raw"), hasHeader: index == 0
            ) { try write($0) }
          }
        }
      }
    }
    guard done != nil else { throw context.noLibrary }
    return .success
  }
}
