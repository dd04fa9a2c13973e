import CommandLine
import Export
import Composition
import Models
import ProgramSupport
import Rendering
import Synchronization
import SystemCalls

/// The common part of the commands that read the images of a record: opens the store, the renderer and the
/// scratch file, and collects problems.
final class RecordImagesCommand: Sendable {
  private let context: Context
  private struct Problems {
    var report = FailureReport()
    /// Whether an image is damaged or missing; images left out by a limit or without a password do not count.
    var hasFailures = false
  }

  private let problems = Mutex(Problems())

  init(_ context: Context) { self.context = context }

  /// Reports a problem. The exit code becomes 1, or 8 if all problems are due to a limit or a missing
  /// password.
  func report(_ problem: ImageProblem) {
    let isTold = problems.withLock {
      if problem.cause == .failure { $0.hasFailures = true }
      return $0.report.add(problem.text)
    }
    if isTold { context.console.printError(problem.text) }
  }

  /// Reports that the command had no result. The exit code becomes 1 unless a problem was reported before,
  /// which then determines the exit code.
  func reportNothing(_ text: String) {
    problems.withLock {
      if $0.report.count == 0 { $0.hasFailures = true }
      $0.report.add(text)
    }
    context.console.printError(text)
  }

  /// Runs the command, and deletes the scratch file afterwards.
  /// - Parameters:
  ///   - name: The record as the user names it.
  ///   - body: Called with the record and the tools to render its images. An interrupt cancels its task, so that it
  ///     removes what it has written under temporary names.
  func run(
    _ name: String, _ body: @escaping @Sendable (Record, ImageExportTools) async throws -> Void
  ) async throws -> ExitCode {
    let unlocking = try await PasswordOption.unlock(name, context)
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-images")
    let scratch = folder + "/scratch"
    defer {
      try? FileSystem.remove(scratch)
      try? FileSystem.removeFolder(folder)
    }
    let archives = ArchiveImages(
      folder: folder, try LibraryOpener.openArchiveReader(context.settings))
    let renderer = try await LibraryOpener.openRenderer(context.settings)
    do {
      let done: Void? = try await context.withStore { store in
        let record = try await context.record(name, in: store)
        let listing = RecordImages(store: store, layout: context.layout)
        var choice = unlocking
        try await choice.prompt(for: record, listing, renderer)
        let tools = ImageExportTools(
          listing, renderer, archives, context.settings, scratch: scratch,
          password: choice.password)
        try await Interrupts().during { try await body(record, tools) }
      }
      await archives.discard()
      await renderer.shutdown()
      guard done != nil else { throw context.noLibrary }
    } catch {
      await archives.discard()
      await renderer.shutdown()
      throw error
    }
    let problems = problems.withLock { $0 }
    if let rest = problems.report.moreText(detailsIn: "imgdl-cli show lists the others") {
      context.console.printError(rest)
    }
    if problems.report.count == 0 { return .success }
    return problems.hasFailures ? .someFailed : .refused
  }
}

extension ExportedImageCount {
  var text: String { "\(total) \(total == 1 ? "image" : "images")" }

  /// The number of damaged images as the last part of a sentence; empty if no image is damaged.
  var damageText: String { damaged == 0 ? "" : ", \(damaged) of them damaged" }
}
