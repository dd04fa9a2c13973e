import CommandLine
import Models
import Persistence
import ProgramSupport

/// The command `details RECORD`: lists size and download time of each image of a record (LZ3).
enum DetailsCommand {
  private static let columns: [(String, Table.Alignment)] = [
    ("#", .right), ("NAME", .name), ("BYTES", .right), ("MS", .right), ("FIRST BYTE", .right),
    ("CONNECT", .right), ("PIXELS", .right), ("STATUS", .left),
  ]
  /// The columns that are left out on a narrow terminal. Size and time are kept, because they are the purpose
  /// of the table.
  private static let dispensable = ["CONNECT", "FIRST BYTE", "PIXELS", "STATUS"]

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    let done: Void? = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      if context.invocation.flag("json") || context.invocation.flag("csv") {
        try await showRows(record, store, context)
      } else {
        try await showTable(record, store, context)
      }
    }
    guard done != nil else { throw context.noLibrary }
    return .success
  }

  private static func showRows(
    _ record: Record, _ store: any LibraryReader, _ context: Context
  ) async throws {
    let isJSON = context.invocation.flag("json")
    let isRaw = context.invocation.flag("raw")
    let running = isJSON ? try await RunningState(context, store) : nil
    var output = RowOutput(context.console)
    if !isJSON {
      output.bytes += ResourceLine.csvHeader.utf8
      output.endLine()
    }
    if let running {
      try await Resources.eachWithSize(of: record, in: store) { resource, size in
        running.line(resource, in: record, size: size).append(to: &output.bytes)
        output.endLine()
      }
    } else {
      try await Resources.each(of: record, in: store) { resource in
        ResourceLine(resource, in: record).appendCSV(isRaw: isRaw, to: &output.bytes)
        output.endLine()
      }
    }
    output.flush()
  }

  private static func showTable(
    _ record: Record, _ store: any LibraryReader, _ context: Context
  ) async throws {
    let running = try await RunningState(context, store)
    let console = context.console
    console.printSentence("Image Details: \(Console.escaped(record.title))")
    var table = StreamedTable(columns, dispensable: dispensable, to: console)
    var mirrors = MirrorReport()
    var failures = FailureReport()
    try await Resources.eachWithSize(of: record, in: store) { resource, size in
      table.add(row(resource, size, running.text(resource, in: record)))
      mirrors.add(resource)
      if let reason = resource.reason { failures.add("\(resource.index): \(reason)") }
    }
    table.finish()
    mirrors.print(to: console, rest: "imgdl-cli details --json shows all mirrors")
    failures.print(to: console, rest: "imgdl-cli details --json shows all reasons")
  }

  private static func row(_ resource: Resource, _ page: PageSize?, _ status: String) -> [String] {
    let timings = resource.file?.timings
    let size =
      resource.pageCount > 1
      ? "\(resource.pageCount) pages" : page.map { "\($0.width)×\($0.height)" } ?? ""
    return [
      "\(resource.index)",
      resource.shownName,
      resource.file.map { "\($0.byteCount)" } ?? "",
      milliseconds(timings?.duration),
      milliseconds(elapsed(from: timings?.firstByte, to: timings?.queue)),
      milliseconds(elapsed(from: timings?.connect, to: timings?.dns ?? timings?.queue)), size,
      status,
    ]
  }

  private static func elapsed(from end: Double?, to start: Double?) -> Double? {
    end.map { $0 - (start ?? 0) }
  }

  private static func milliseconds(_ value: Double?) -> String {
    guard let value else { return "" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
