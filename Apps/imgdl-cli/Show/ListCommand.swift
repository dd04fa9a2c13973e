import CommandLine
import Models
import Persistence

/// `list`: the records of the library.
enum ListCommand {
  private struct Line: Encodable {
    let number: Int
    let title: String
    let folder: String
    let status: String
    let total: Int
    let finished: Int
    let failed: Int
    let bytes: Int64
  }

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let isJSON = context.invocation.flag("json")
    var table = Table([
      ("#", .right), ("TITLE", .text), ("STATUS", .left), ("DONE", .right), ("SIZE", .right),
    ])
    let count = try await context.withStore { store in
      let running = RunningState(
        await context.runningStatus(), isPaused: try await store.libraryState().isPaused)
      var number = 0
      while case let page = try await store.records(offset: number, limit: 500), !page.isEmpty {
        for record in page {
          number += 1
          let line = line(number, record, running)
          if isJSON {
            context.console.print(JSONOutput.line(line))
          } else {
            table.add([
              "\(number)", record.title, line.status, "\(record.counts.settled)/\(line.total)",
              ByteText.short(line.bytes),
            ])
          }
        }
      }
      return number
    }
    if isJSON { return .done }
    guard let count, count > 0 else {
      context.console.note(
        "The library \(context.library) is empty. Add something: imgdl-cli add SOURCE")
      return .done
    }
    table.print(to: context.console)
    return .done
  }

  private static func line(_ number: Int, _ record: Record, _ running: RunningState) -> Line {
    let counts = record.counts
    return Line(
      number: number, title: record.title, folder: record.folder,
      status: running.text(record),
      total: counts.total, finished: counts.finished, failed: counts.failed, bytes: counts.bytes)
  }
}
