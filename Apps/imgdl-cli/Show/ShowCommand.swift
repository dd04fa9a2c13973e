import CommandLine
import Models
import Persistence

/// `show RECORD`: its resources.
enum ShowCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    let limit = context.invocation.integer("limit") ?? .max
    let isJSON = context.invocation.flag("json")
    let done: Void? = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      var table = Table([
        ("#", .right), ("NAME", .name), ("STATUS", .left), ("SIZE", .right), ("PAGES", .right),
      ])
      var reasons: [String] = []
      try await Resources.each(of: record, in: store, limit: limit) { resource in
        if isJSON {
          context.console.print(JSONOutput.line(ResourceLine(resource, in: record)))
          return
        }
        table.add(row(resource))
        if let reason = resource.reason { reasons.append("\(resource.index): \(reason)") }
      }
      guard !isJSON else { return }
      let running = RunningState(
        await context.runningStatus(), isPaused: try await store.libraryState().isPaused)
      context.console.print("\(Console.escaped(record.title)): \(running.text(record))")
      table.print(to: context.console)
      for line in reasons + running.hostLines { context.console.print(Console.escaped(line)) }
    }
    guard done != nil else {
      throw context.noLibrary
    }
    return .done
  }

  private static func row(_ resource: Resource) -> [String] {
    [
      "\(resource.index)",
      resource.file.map { String($0.name.split(separator: "/").last ?? "") }
        ?? resource.title ?? resource.url,
      StatusText.resource(resource.state, activity: nil),
      resource.file.map { ByteText.short($0.byteCount) } ?? "",
      resource.pageCount > 0 ? "\(resource.pageCount)" : "",
    ]
  }
}

/// Goes through the resources of a record a page at a time.
enum Resources {
  static func each(
    of record: Record, in store: any LibraryStore, limit: Int = .max,
    _ body: (Resource) throws -> Void
  ) async throws {
    var offset = 0
    while offset < limit,
      case let page = try await store.resources(
        of: record.id, offset: offset, limit: min(1_000, limit - offset)), !page.isEmpty
    {
      offset += page.count
      for resource in page { try body(resource) }
    }
  }
}
