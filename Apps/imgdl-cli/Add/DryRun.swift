import CommandLine
import Composition
import Glibc
import LibraryAPI
import Manifests
import Models
import ProgramSupport
import Synchronization
import SystemCalls

/// The command `add --dry-run`: reads the sources and lists the resources that would be downloaded. All
/// temporary files are deleted.
enum DryRun {
  static func run(_ context: Context, _ words: [String]) async throws -> ExitCode {
    let interrupts = try Interrupts()
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-dry-run")
    defer { try? FileSystem.removeTree(folder) }
    context.warn()
    let sources = try Sources(context, spoolFolder: folder)
    let preview = try LibraryOpener.preview(folder: folder, settings: context.settings)
    let code = try await interrupts.during { await show(words, preview, sources, context) }
    await preview.close()
    return interrupts.wasInterrupted ? .interrupted : code
  }

  private static func show(
    _ words: [String], _ preview: any SourcePreviewing, _ sources: Sources, _ context: Context
  ) async -> ExitCode {
    let console = context.console
    let isJSON = context.invocation.flag("json")
    var codes: [ExitCode] = []
    for word in words where !Task.isCancelled {
      let name = word == "-" ? StandardInput.name : Console.escaped(word)
      do {
        let counts = Mutex(Counts())
        let result = try await preview.run(try await sources.request(word)) { entry in
          let planned = PlannedEntry(entry)
          counts.withLock {
            $0.add(entry, isJSON ? JSONOutput.line(planned) : planned.line, to: console)
          }
        }
        if let failure = counts.withLock({ $0.failure }) { throw failure }
        let problems = result.problems
        let total = counts.withLock { $0 }
        if let format = result.format, total.areRead {
          console.printNote("\(name): read as \(format.rawValue): \(total.text)")
        }
        for problem in problems.prefix(FailureReport.limit) { console.printError(problem) }
        let unreportedCount = problems.count - FailureReport.limit
        if unreportedCount > 0 {
          // Of a long list, only so many problems are kept.
          let isPart = problems.count >= AddResult.problemLimit
          console.printError(
            "\(name): \(isPart ? "at least " : "")\(unreportedCount) more invalid entries")
        }
        if !problems.isEmpty { codes.append(.someFailed) }
      } catch {
        let failure = ProgramFailure(wrapping: error)
        if ProgramFailure.isWorthTelling(error) { console.printError(failure.message) }
        codes.append(failure.code)
        if failure.code == .disk { break }
      }
    }
    return ExitCode.first(of: codes)
  }
}

/// The number of records and entries of a source.
private struct Counts {
  private var entries = 0
  private var records = 0
  /// Whether standard output took every entry. A note about a list that
  /// its reader has closed early, as `head` does, would be noise.
  private(set) var areRead = true
  /// The error because of which the entries cannot be printed, such as that of a full disk; nil if there is none.
  private(set) var failure: SystemError?

  /// Counts an entry and prints its line. The program does not exit if that fails, because its temporary files have to
  /// be deleted.
  mutating func add(_ entry: PreviewEntry, _ line: String, to console: Console) {
    entries += 1
    if areRead, !console.tryPrint(line) {
      areRead = false
      let error = SystemError.last("write to", path: "standard output")
      if error.errno != EPIPE { failure = error }
    }
    records = max(records, entry.record.number + 1)
  }

  var text: String {
    "\(records) record\(records == 1 ? "" : "s"), \(entries) resource\(entries == 1 ? "" : "s")"
  }
}

/// An entry that would be downloaded.
private struct PlannedEntry: Encodable {
  let record: String
  let url: String
  let name: String?
  let title: String?
  /// The size in bytes.
  let size: Int64?
  /// The expected checksum with the name of its algorithm, such as `sha-256=…`.
  let checksum: String?
  /// Other URLs of the same content; nil if there are none.
  let mirrors: [String]?
  /// The names of the request's fields, whose values may be secret; nil if there are none.
  let headers: [String]?

  init(_ entry: PreviewEntry) {
    record = entry.record.title
    url = entry.url
    name = entry.name
    title = entry.title
    size = entry.byteCount
    checksum = entry.checksum?.description
    mirrors = entry.mirrors.isEmpty ? nil : entry.mirrors
    headers = entry.headers.isEmpty ? nil : entry.headers.fields.map(\.name)
  }

  /// The record, the URL, and what else the source says of the entry, divided by tabs.
  var line: String {
    let properties = [
      name.map { "name=\($0)" }, title.map { "title=\($0)" }, size.map { "size=\($0)" },
      checksum.map { "checksum=\($0)" },
    ]
    let others = (mirrors ?? []).map { "mirror=\($0)" } + (headers ?? []).map { "header=\($0)" }
    return ([record, url] + properties.compactMap(\.self) + others).map(Console.escaped)
      .joined(separator: "\t")
  }
}
