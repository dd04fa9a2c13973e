import CommandLine
import Engine
import ImgdlLibrary
import Models
import Rendering
import Terminal

/// `view RECORD[:N]`: one picture of a record, or a grid of them, on the terminal.
enum ViewCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let target = try await target(context)
    guard !target.pictures.isEmpty else {
      throw CommandFailure(.someFailed, "\(target.record.title) has no picture yet")
    }
    if let number = target.number, !(1...target.pictures.count).contains(number) {
      throw context.invocation.usageError(
        "\(target.record.title) has \(target.pictures.count) pictures, no number \(number)",
        code: .invalidValue)
    }
    let renderer = try Library.openRenderer(context.settings)
    do throws(TerminalError) {
      var options = TerminalOptions(environment: SettingsLoader.processEnvironment)
      options.mouse = false
      let session = try await TerminalSession.open(options)
      let start = target.number.map { $0 - 1 }
      await Viewing(target.pictures, renderer, title: target.record.title, from: start)
        .run(session)
      await session.close()
      await renderer.shutdown()
    } catch {
      await renderer.shutdown()
      throw CommandFailure(.usage, "view needs a terminal: \(error.description)")
    }
    return .done
  }

  private struct Target: Sendable {
    let record: Record
    let pictures: [RecordPicture]
    let number: Int?
  }

  /// `RECORD` as a whole, or what stands before the last colon if a number stands behind it.
  private static func target(_ context: Context) async throws -> Target {
    let text = context.invocation.argument("RECORD") ?? ""
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? parts.last.flatMap { Int($0) } : nil
    let name = number == nil ? text : parts.dropLast().joined(separator: ":")
    let found = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      var pictures: [RecordPicture] = []
      try await RecordPictures(store: store, layout: context.layout).run(record) {
        pictures.append($0)
      } problem: { _ in
      }
      return Target(record: record, pictures: pictures, number: number)
    }
    guard let found else { throw context.noLibrary }
    return found
  }
}
