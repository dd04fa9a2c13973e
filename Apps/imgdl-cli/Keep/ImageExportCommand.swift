import Archive
import CommandLine
import Export
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import Synchronization
import SystemCalls

/// The command `export RECORD --format dir|cbz|zip|tar`: writes the images of a record in reading order,
/// including the pages of documents and archives.
struct ImageExportCommand {
  private let context: Context
  private let format: ImageExportFormat

  init(_ context: Context, _ format: ImageExportFormat) {
    self.context = context
    self.format = format
  }

  /// - Parameter name: The record as the user names it.
  func run(_ name: String) async throws -> ExitCode {
    if context.invocation.value("output") == "-" {
      throw context.invocation.usageError(
        "images can be exported to a folder or a file, not to standard output", code: .invalidValue)
    }
    let images = RecordImagesCommand(context)
    return try await images.run(name) { record, tools in
      let export = ImageExport(tools)
      let output = try FileSystem.absolutePath(
        context.invocation.value("output") ?? defaultName(record))
      try await context.refuseFileOfLibrary(output)
      try OutputFile.protect(output, context)
      let count = try await write(output) { put in
        try await export.export(record, put: put) { images.report($0) }
      }
      context.console.printNote("\(count.text) to \(output)\(count.damageText)")
    }
  }

  private func defaultName(_ record: Record) -> String {
    format == .dir ? record.folder + "-images" : "\(record.folder).\(format.rawValue)"
  }

  private typealias Put = @Sendable (_ name: String, _ path: String) throws -> Void

  private func write(_ output: String, _ body: (@escaping Put) async throws -> ExportedImageCount)
    async throws -> ExportedImageCount
  {
    guard let kind = format.archive else {
      let folder = try ExportFolder(output)
      let count = try await body { name, path in try folder.put(name, path) }
      try folder.finish()
      return count
    }
    return try await OutputFile.make(output, isStream: kind == .tar) { path in
      let writer = OneThreadWriter(try LibraryOpener.archiveWriter(kind, to: path))
      let count = try await body { name, path in try writer.add(name, path) }
      try writer.finish()
      return count
    }
  }
}

/// Passes files to an archive writer that is not thread-safe.
///
/// `@unchecked Sendable`: calls never overlap. The export passes an image only after the previous one has
/// been written, and `finish` is called after the export has returned.
private final class OneThreadWriter: @unchecked Sendable {
  private let writer: any ArchiveWriter

  init(_ writer: any ArchiveWriter) { self.writer = writer }

  func add(_ name: String, _ path: String) throws { try writer.add(name, contentsOf: path) }
  func finish() throws { try writer.finish() }
}
