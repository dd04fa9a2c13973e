import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls
import WorkerProcess

/// The command `demo`: serves the built-in sample from `imgdl-origin` and adds its URL like `add`.
enum DemoCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let sample = try SampleCollection.folder()
    let origin = try DemoOrigin(serving: sample)
    defer { origin.stop() }
    let url = try HTTPURL("\(origin.url)collection.zip")
    context.console.printNote("Serving \(sample) at \(origin.url)")
    context.console.printNote("$ imgdl-cli add \(url)")
    let code = try await CommandRun.run(context) { job in try await job.addSample(url) }
    try await printHint(context)
    return code
  }

  private static func printHint(_ context: Context) async throws {
    let count = try await context.withStore { try await $0.recordCount() } ?? 0
    guard count > 0 else { return }
    context.console.printNote("\n$ imgdl-cli details \(count)")
    let details = try CommandDescription.root.parse(
      ["details", "\(count)", "--library", context.library])
    _ = try await DetailsCommand.run(try Context(details))
    context.console.printNote("\nThe library is in \(context.library)")
    context.console.printNote("Next: imgdl-cli list; imgdl-cli add SOURCE; imgdl-cli --help")
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
