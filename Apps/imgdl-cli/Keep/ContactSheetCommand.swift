import CommandLine
import Export
import Composition
import Models
import ProgramSupport
import SystemCalls
import Threading

/// The command `contact-sheet RECORD -o sheet.jpg`: draws thumbnails of a record with their names, on several
/// sheets if one is not sufficient.
enum ContactSheetCommand {
  private static let defaultColumns = 6

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let output = context.invocation.value("output"), output != "-", !output.isEmpty else {
      throw context.invocation.usageError("--output is needed: a file", code: .missingValue)
    }
    if let other = otherFormat(output) {
      throw context.invocation.usageError(
        "a contact sheet is a JPEG; \(output) is the name of a \(other.displayName) file",
        code: .invalidValue)
    }
    try OutputFile.requireFileName(context)
    let path = try FileSystem.absolutePath(output)
    let columns = context.invocation.value("columns").flatMap { Int($0) } ?? defaultColumns
    let side =
      context.invocation.value("side").flatMap { Int($0) }
      ?? context.settings.rendering.thumbnailSide
    let images = RecordImagesCommand(context)
    try await context.refuseFileOfLibrary(path)
    try OutputFile.protect(path, context)
    try OutputFile.requireFolder(of: path)
    return try await images.run(context.invocation.argument("RECORD") ?? "") { record, tools in
      let sheet = ContactSheet(tools)
      let (count, sheets, labels) = try await sheet.draw(record, tile: side, columns: columns) {
        number, of, jpeg in
        if of > 1, try OutputFile.isStream(path) {
          throw ProgramFailure(
            .refused,
            "\(path) is not a regular file, and takes a single sheet; the record has \(of)")
        }
        let output = name(path, number, of)
        if number == 1, of > 1 { try OutputFile.protect(output, context) }
        try OutputFile.write(jpeg, to: output)
      } problem: {
        images.report($0)
      }
      guard sheets > 0 else {
        return images.reportNothing(
          "the record has no images; \(output) was not written")
      }
      if try await !BlockingThread.run("fonts", { LibraryOpener.hasFonts }) {
        context.console.printNote(
          "\(Console.program): warning: this machine has no fonts, so the labels of the sheet are "
            + "empty; imgdl-cli doctor")
      }
      if labels > 0 {
        context.console.printNote(
          "\(Console.program): warning: \(labels == 1 ? "1 label has" : "\(labels) labels have") "
            + "characters that the font of the sheet does not have; a question mark is in their place"
        )
      }
      let place =
        sheets == 1 ? path : "\(name(path, 1, sheets)) to \(name(path, sheets, sheets))"
      context.console.printNote("\(count.text) on \(place)\(count.damageText)")
    }
  }

  /// Returns the format of the file name's extension, or nil if the format is JPEG or unknown.
  private static func otherFormat(_ name: String) -> ResourceFormat? {
    let suffix = name.split(separator: "/").last?.split(separator: ".").dropFirst().last?
      .lowercased()
    return ResourceFormat.allCases.first {
      ($0.fileExtension == suffix || $0.rawValue == suffix) && $0 != .jpeg
    }
  }

  /// Returns the path of a sheet: `sheet.jpg` for the only sheet, otherwise `sheet-2.jpg` for the second, or `sheet-02.jpg`
  /// of ten and more.
  private static func name(_ path: String, _ number: Int, _ of: Int) -> String {
    guard of > 1 else { return path }
    let digits = String(number)
    let number = String(repeating: "0", count: String(of).count - digits.count) + digits
    let folder = FileSystem.parentFolder(of: path)
    let last = String(path.dropFirst(folder.count))
    guard let dot = last.lastIndex(of: "."), dot > last.index(after: last.startIndex) else {
      return "\(path)-\(number)"
    }
    return "\(folder)\(last[..<dot])-\(number)\(last[dot...])"
  }
}
