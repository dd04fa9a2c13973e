import CommandLine
import Models
import Persistence
import ProgramSupport

/// The command `list`: lists the records of the library.
enum ListCommand {
  private struct Line: Encodable {
    let number: Int
    let title: String
    let folder: String
    let status: String
    let total: Int
    let finished: Int
    let failed: Int
    let cancelled: Int
    let bytes: Int64
  }

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let isJSON = context.invocation.flag("json")
    var table = Table(
      [
        ("#", .right), ("TITLE", .text), ("STATUS", .left), ("DONE", .right), ("SIZE", .right),
      ], dispensable: ["SIZE", "DONE"])
    let count = try await context.withStore { store in
      let running = try await RunningState(context, store)
      var number = 0
      var isStopped = false
      while case let page = try await store.records(offset: number, limit: 500), !page.isEmpty {
        for record in page {
          number += 1
          let cancelled = try await store.cancelledCount(of: record)
          let line = line(number, record, cancelled, running)
          isStopped = isStopped || line.status == StatusText.stopped
          if isJSON {
            context.console.print(JSONOutput.line(line))
          } else {
            table.add([
              "\(number)", record.title, line.status,
              StatusText.done(record.counts, cancelled: cancelled),
              ByteText.short(line.bytes),
            ])
          }
        }
      }
      return (number, isStopped, running)
    }
    if isJSON { return .success }
    guard let (number, isStopped, running) = count, number > 0 else {
      let text =
        count == nil
        ? "There is no library at \(context.library) yet"
        : "The library \(context.library) is empty"
      context.console.printNote("\(text). Add something: \(context.hint("add SOURCE"))")
      return .success
    }
    table.print(to: context.console)
    running.printContinuation(isStopped ? StatusText.stopped : "", to: context.console)
    return .success
  }

  private static func line(
    _ number: Int, _ record: Record, _ cancelled: Int, _ running: RunningState
  ) -> Line {
    let counts = record.counts
    return Line(
      number: number, title: record.title, folder: record.folder,
      status: running.text(record, cancelled: cancelled),
      total: counts.total, finished: counts.finished, failed: counts.failed - cancelled,
      cancelled: cancelled, bytes: counts.bytes)
  }
}
