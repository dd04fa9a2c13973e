import CommandLine
import ImgdlLibrary
import Models

/// `config`: every setting, its value, and the layer that decided it.
enum ConfigCommand {
  private struct Line: Encodable {
    let key: String
    let value: String
    let origin: String
    let summary: String
  }

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    var keys = SettingsSchema.keys
    if let name = context.invocation.argument("KEY") {
      keys = keys.filter { $0.name == name || $0.name.hasPrefix("\(name).") }
      guard !keys.isEmpty else {
        var scratch = context.settings
        try SettingsSchema.set(name, to: .text(""), in: &scratch)
        return .usage
      }
    }
    var table = Table([("KEY", .left), ("VALUE", .left), ("ORIGIN", .left), ("MEANING", .left)])
    for key in keys {
      let value = key.value(in: context.settings).description
      let origin = context.loaded.origin(of: key.name).description
      if context.invocation.flag("json") {
        context.console.print(
          JSONOutput.line(
            Line(key: key.name, value: value, origin: origin, summary: key.summary)))
      } else {
        table.add([key.name, value, origin, key.summary])
      }
    }
    if !context.invocation.flag("json") {
      for line in table.lines { context.console.print(line) }
    }
    return .done
  }
}
