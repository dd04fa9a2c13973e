import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import Synchronization
import SystemCalls
import WorkerProcess

/// The command `demo`: serves the built-in sample from `imgdl-origin` and adds its URL like `add`.
enum DemoCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let sample = try SampleCollection.folder()
    let origin = try DemoOrigin(serving: sample)
    defer { origin.stop() }
    let url = try HTTPURL("\(origin.url)\(list)")
    context.console.printNote("Serving a sample at \(origin.url)")
    context.console.printNote("$ imgdl-cli add \(url)")
    let added = Mutex<(records: [RecordID], failureCount: Int)>(([], 0))
    let code = try await CommandRun.run(
      context, reporting: { summary in added.withLock { $0.failureCount = summary.counts.failed } }
    ) { job in
      let outcome = try await job.addSample(url)
      added.withLock { $0.records = outcome.records }
      return outcome
    }
    let (records, failureCount) = added.withLock { $0 }
    try await printHints(context, records)
    return code == .someFailed && failureCount == missingFileCount ? .success : code
  }

  private static let list = "demo.zip"

  /// Whether a record comes from the demo of this machine, whose server does not run any more.
  static func isSource(of record: Record, in store: any LibraryReader) async -> Bool {
    guard let source = try? await store.source(record.source),
      let url = try? HTTPURL(source.draft.location)
    else { return false }
    return url.host == "127.0.0.1" && url.path == "/\(list)"
  }

  /// The number of the sample's URLs that lead to no file, to show what a failure looks like.
  private static let missingFileCount = 1

  /// Shows the smallest record, which has an archive, a document and the missing file, and says what to try next.
  /// All output of the command fits a terminal of 80 columns and 24 lines.
  private static func printHints(_ context: Context, _ records: [RecordID]) async throws {
    let rows = try await context.withStore { try await Self.rows(Set(records), $0) } ?? []
    guard let mixed = rows.min(by: { $0.record.counts.total < $1.record.counts.total }),
      let largest = rows.max(by: { $0.record.counts.total < $1.record.counts.total })
    else { return }
    context.console.printNote("\n$ \(context.hint("details \(mixed.number)"))")
    let details = try CommandDescription.root.parse(
      ["details", "\(mixed.number)", "--library", context.library])
    _ = try await DetailsCommand.run(try Context(details))
    let commands = [
      (context.hint("web"), "look at it in a browser; imgdl-tui in the terminal"),
      (context.hint("view \(largest.number)"), "the slices, one after the other"),
      (context.hint("show \(mixed.number) --failed"), "what failed, and why: one file is missing"),
      (context.hint("add URL"), "a page, a list, an archive or an image of yours"),
      ("imgdl-cli --help", "all commands"),
    ]
    let width = commands.map { $0.0.count }.max() ?? 0
    context.console.printNote("\nWhat to try next:")
    for (command, purpose) in commands {
      let gap = String(repeating: " ", count: width - command.count + 2)
      context.console.printNote("  \(command)\(gap)\(purpose)")
    }
  }

  /// Returns the records with their numbers in `list`.
  private static func rows(
    _ records: Set<RecordID>, _ store: any LibraryReader
  ) async throws -> [(number: Int, record: Record)] {
    var rows: [(number: Int, record: Record)] = []
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      for (place, record) in page.enumerated() where records.contains(record.id) {
        rows.append((offset + place + 1, record))
      }
      offset += page.count
    }
    return rows
  }
}

extension CommandRun {
  /// Adds the sample. Its URL has another port in each run, so a run never continues an earlier one.
  func addSample(_ url: HTTPURL) async throws -> AddOutcome {
    var outcome = AddOutcome()
    var request = SourceRequest(location: .url(url), again: true)
    request.options = options
    outcome.record(try await library.service.add(request))
    return outcome
  }
}

/// Finds the sample: in an installation, or in the checkout from which the program was built.
enum SampleCollection {
  static func folder() throws -> String {
    var candidates: [String] = []
    var folder = Machine.executablePath.map { FileSystem.parentFolder(of: $0) } ?? "/"
    candidates.append(FileSystem.parentFolder(of: folder) + "/share/imgdl/sample")
    while folder != "/" {
      folder = FileSystem.parentFolder(of: folder)
      candidates.append(folder + "/Apps/imgdl-cli/Sample")
    }
    guard let found = candidates.first(where: { FileSystem.exists($0 + "/collection.zip") }) else {
      throw ProgramFailure(
        .source, "the sample collection is missing (looked for it in \(candidates[0]))")
    }
    return found
  }
}

/// An `imgdl-origin` that runs as a child process.
struct DemoOrigin {
  let url: String
  private let process: ChildProcess
  /// The writing end of the child's standard input. The child exits when this end is closed, which happens at
  /// the latest when this program ends.
  private let input: OwnedDescriptor

  init(serving folder: String) throws {
    let input = try Channels.pipe()
    let output = try Channels.pipe()
    process = try ChildProcess(
      ProcessLaunch(
        path: try HelperLocator().path(of: "imgdl-origin"),
        arguments: ["--port", "0", "--exit-with-stdin", folder],
        streams: [.existing(input.reading), .existing(output.writing), .inherited(2)]))
    self.input = input.writing
    input.reading.close()
    output.writing.close()
    url = try Self.line(from: output.reading)
    guard url.hasPrefix("http") else {
      throw ProgramFailure(.internalError, "imgdl-origin did not start")
    }
  }

  /// Reads the first line of the output, or all output if the process ends before a line break.
  private static func line(from output: OwnedDescriptor) throws -> String {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while !line.contains(0x0a) {
      let count = try buffer.withUnsafeMutableBytes { try output.read(into: $0) }
      guard count > 0 else { break }
      line += buffer[..<count]
    }
    return String(decoding: line.prefix { $0 != 0x0a }, as: UTF8.self)
  }

  func stop() {
    input.close()
    // A process that does not exit in time is killed when its handle is released.
    _ = process.wait(before: .after(seconds: 2))
  }
}
