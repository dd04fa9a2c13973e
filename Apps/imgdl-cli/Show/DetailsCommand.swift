import CommandLine
import Models
import Persistence

/// `details RECORD`: size and time of each image (LZ3).
enum DetailsCommand {
  private static let columns: [(String, Table.Alignment)] = [
    ("#", .right), ("NAME", .name), ("BYTES", .right), ("MS", .right), ("FIRST BYTE", .right),
    ("CONNECT", .right), ("PIXELS", .right), ("STATUS", .text),
  ]

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    let isJSON = context.invocation.flag("json")
    let isCSV = context.invocation.flag("csv")
    let console = context.console
    let done: Void? = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      var table = Table(columns)
      if isCSV { console.print("index,file,url,status,bytes,milliseconds,sha256,reason") }
      var rows: [(Resource, [Page])] = []
      try await Resources.each(of: record, in: store) { resource in
        if isJSON {
          console.print(JSONOutput.line(ResourceLine(resource, in: record)))
        } else if isCSV {
          console.print(csv(resource, record, isRaw: context.invocation.flag("raw")))
        } else {
          rows.append((resource, []))
        }
      }
      guard !isJSON, !isCSV else { return }
      for (resource, _) in rows {
        let pages = resource.pageCount > 0 ? try await store.pages(of: resource.id) : []
        table.add(row(resource, pages))
      }
      console.print("Image Details: \(Console.escaped(record.title))")
      table.print(to: console)
    }
    guard done != nil else {
      throw context.noLibrary
    }
    return .done
  }

  private static func row(_ resource: Resource, _ pages: [Page]) -> [String] {
    let timings = resource.file?.timings
    let size: String
    switch pages.count {
    case 0: size = ""
    case 1: size = "\(pages[0].width)×\(pages[0].height)"
    default: size = "\(pages.count) pages"
    }
    return [
      "\(resource.index)",
      resource.file.map { String($0.name.split(separator: "/").last ?? "") }
        ?? resource.title ?? resource.url,
      resource.file.map { "\($0.byteCount)" } ?? "",
      milliseconds(timings?.duration), milliseconds(since(timings?.firstByte, timings?.queue)),
      milliseconds(since(timings?.connect, timings?.dns ?? timings?.queue)), size,
      resource.reason ?? StatusText.resource(resource.state, activity: nil),
    ]
  }

  private static func since(_ end: Double?, _ start: Double?) -> Double? {
    end.map { $0 - (start ?? 0) }
  }

  private static func milliseconds(_ value: Double?) -> String {
    guard let value else { return "" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func csv(_ resource: Resource, _ record: Record, isRaw: Bool) -> String {
    let line = ResourceLine(resource, in: record)
    func text(_ text: String?) -> String {
      // Control characters, line ends among them, are made visible: a row is a line.
      CSVText.cell(Console.visible(text ?? ""), isRaw: isRaw)
    }
    return [
      "\(line.index)", text(line.file), text(line.url), line.status,
      line.bytes.map { "\($0)" } ?? "", line.milliseconds.map { "\($0)" } ?? "",
      line.sha256 ?? "", text(line.reason),
    ].joined(separator: ",")
  }
}
