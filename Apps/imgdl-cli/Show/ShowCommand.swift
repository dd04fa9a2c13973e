import CommandLine
import Models
import Persistence
import ProgramSupport

/// The command `show RECORD`: lists the resources of a record.
enum ShowCommand {
  /// The resources to list.
  private struct Choice {
    private let isFailedOnly: Bool
    private var rest: Int

    init(_ invocation: Invocation) {
      isFailedOnly = invocation.flag("failed")
      rest = invocation.integer("limit") ?? .max
    }

    /// The number of resources to read. Among how many of them the failed ones are is not known before.
    var readLimit: Int { isFailedOnly ? .max : rest }

    /// - Returns: Whether the next resource of the record is to be listed.
    mutating func take(_ resource: Resource) -> Bool {
      guard rest > 0, !isFailedOnly || (resource.state == .failed && !resource.isCancelled) else {
        return false
      }
      rest -= 1
      return true
    }
  }

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    let choice = Choice(context.invocation)
    let done: Void? = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      if context.invocation.flag("json") {
        try await showJSON(record, store, choice, context)
      } else {
        try await showTable(record, store, choice, context)
      }
    }
    guard done != nil else { throw context.noLibrary }
    return .success
  }

  private static func showJSON(
    _ record: Record, _ store: any LibraryReader, _ choice: Choice, _ context: Context
  ) async throws {
    let running = try await RunningState(context, store)
    var output = RowOutput(context.console)
    var choice = choice
    try await Resources.eachWithSize(of: record, in: store, limit: choice.readLimit) {
      resource, size in
      guard choice.take(resource) else { return }
      running.line(resource, in: record, size: size).append(to: &output.bytes)
      output.endLine()
    }
    output.flush()
  }

  private static func showTable(
    _ record: Record, _ store: any LibraryReader, _ choice: Choice, _ context: Context
  ) async throws {
    let console = context.console
    let running = try await RunningState(context, store)
    let text = try await running.text(record, in: store)
    console.printSentence("\(Console.escaped(record.title)): \(text)")
    var table = StreamedTable(
      [("#", .right), ("NAME", .name), ("STATUS", .left), ("SIZE", .right), ("PAGES", .right)],
      dispensable: ["PAGES", "SIZE"], to: console)
    var mirrors = MirrorReport()
    var failures = FailureReport()
    var choice = choice
    try await Resources.each(of: record, in: store, limit: choice.readLimit) { resource in
      guard choice.take(resource) else { return }
      table.add(row(resource, in: record, running))
      mirrors.add(resource)
      if let reason = resource.reason { failures.add("\(resource.index): \(reason)") }
    }
    table.finish()
    mirrors.print(to: console, rest: "imgdl-cli show --json shows all mirrors")
    failures.print(to: console, rest: "imgdl-cli show --json shows all reasons")
    for line in running.hostLines { console.printSentence(Console.escaped(line)) }
    running.printContinuation(text, to: console)
  }

  private static func row(
    _ resource: Resource, in record: Record, _ running: RunningState
  ) -> [String] {
    [
      "\(resource.index)",
      resource.shownName,
      running.text(resource, in: record),
      // The dimensions of an image are known before its file is complete.
      running.dimensions(of: resource)?.text
        ?? resource.file.map { ByteText.short($0.byteCount) } ?? "",
      resource.pageCount > 0 ? "\(resource.pageCount)" : "",
    ]
  }
}
