import CommandLine
import Export
import Models
import ProgramSupport
import SystemCalls

/// `contact-sheet RECORD -o sheet.jpg`: small pictures of it with their names, on one sheet, or on as
/// many as it needs.
enum ContactSheetCommand {
  private static let usualColumns = 6

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let output = context.invocation.value("output"), output != "-", !output.isEmpty else {
      throw context.invocation.usageError("--output is needed: a file", code: .missingValue)
    }
    let path = Context.absolute(output)
    let columns = context.invocation.value("columns").flatMap { Int($0) } ?? usualColumns
    let side =
      context.invocation.value("side").flatMap { Int($0) }
      ?? context.settings.rendering.thumbnailSide
    let pictures = RecordPicturesCommand(context)
    try OutputFile.protect(path, context)
    return try await pictures.run { record, tools in
      let sheet = ContactSheet(tools)
      let count = try await sheet.run(record, tile: side, columns: columns) { number, of, jpeg in
        let output = name(path, number, of)
        if number == 1, of > 1 { try OutputFile.protect(output, context) }
        try FileSystem.replace(
          output, with: jpeg.span.bytes, mode: 0o644, syncing: false)
      } problem: {
        pictures.note($0)
      }
      context.console.note("\(count.text) on \(path)\(count.damageText)")
    }
  }

  /// `sheet.jpg`, or `sheet-2.jpg` for one of several.
  private static func name(_ path: String, _ number: Int, _ of: Int) -> String {
    guard of > 1 else { return path }
    let folder = FileSystem.parentFolder(of: path)
    let last = String(path.dropFirst(folder.count))
    guard let dot = last.lastIndex(of: "."), dot > last.index(after: last.startIndex) else {
      return "\(path)-\(number)"
    }
    return "\(folder)\(last[..<dot])-\(number)\(last[dot...])"
  }
}
