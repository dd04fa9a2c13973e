import CommandLine
import Composition
import Models
import ProgramSupport

/// The command `config`: lists the settings with their values and the origin of each value.
enum ConfigCommand {
  private struct Line: Encodable {
    let key: String
    let value: JSONSetting
    let origin: String
    let summary: String
  }

  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    if context.invocation.flag("path") {
      context.console.print(path(context))
      return .success
    }
    if let name = context.invocation.argument("KEY"),
      let value = context.invocation.argument("VALUE")
    {
      return try set(name, to: value, context)
    }
    var keys = SettingsSchema.keys
    if let name = context.invocation.argument("KEY") {
      keys = keys.filter { $0.name == name || $0.name.hasPrefix("\(name).") }
      guard !keys.isEmpty else {
        var scratch = context.settings
        try SettingsSchema.set(name, to: .text(""), in: &scratch)
        return .usage
      }
    }
    var table = Table(
      [("KEY", .left), ("VALUE", .text), ("ORIGIN", .name), ("MEANING", .text)],
      dispensable: ["MEANING", "ORIGIN"])
    func add(_ name: String, _ value: SettingValue, _ summary: String) {
      let origin = context.loaded.origin(of: name).description
      if context.invocation.flag("json") {
        context.console.print(
          JSONOutput.line(
            Line(key: name, value: JSONSetting(value: value), origin: origin, summary: summary)))
      } else {
        table.add([name, value.description, origin, summary])
      }
    }
    for key in keys {
      add(
        key.name, SettingsSchema.shown(key.value(in: context.settings), of: key.kind), key.summary)
      for limit in context.settings.recordLimits where limit.key == key.name {
        add("records.\(limit.record).\(limit.key)", limit.value, "For the record \(limit.record)")
      }
    }
    if !context.invocation.flag("json") {
      table.print(to: context.console)
    }
    return .success
  }
}

extension ConfigCommand {
  /// The file that the command changes: that of the library if the user names one, or else the user's own.
  private static func path(_ context: Context) -> String {
    // The files are in the order of their precedence, and the library's is the last one.
    let files = SettingsLoader().files(library: context.library)
    return (context.invocation.isGiven("library") ? files.last : files.dropLast().last) ?? ""
  }

  private static func set(
    _ name: String, to value: String, _ context: Context
  ) throws -> ExitCode {
    let path = path(context)
    try SettingsEdit(path: path).set(name, to: value)
    context.console.printNote("\(name) is set in \(Console.escaped(path))")
    let origin = try SettingsLoader().load(library: context.library).origin(of: name)
    if case .file(path) = origin { return .success }
    context.console.printNote(
      "It has no effect here, because it is overridden: \(origin.description)")
    return .success
  }
}

/// The JSON value of a setting.
private struct JSONSetting: Encodable {
  let value: SettingValue

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .list(let list): try container.encode(list)
    }
  }
}
