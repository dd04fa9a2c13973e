import CommandLine

/// A made-up program with every feature of a description, for these tests.
enum ExampleProgram {
  static let root = Command(
    "pixel", "Collect pictures.",
    discussion: """
      Pictures come from sources. A source is
      a list of addresses.

        pixel add list.json
        pixel list
      """,
    version: "1.2",
    options: [
      .flag("quiet", short: "q", "Say nothing but errors."),
      .flag("verbose", short: "v", "Say more; twice says everything."),
      .value("library", short: "d", "DIR", .directory, "Keep pictures in DIR."),
      .flag("trace", "Internal.", isHidden: true),
    ],
    subcommands: [
      add,
      Command(
        "show", "Show one record.",
        arguments: [
          Argument("RECORD", .one, .text, "A record's name or number."),
          Argument("PAGE", .optional, .integer(1...99), "A page of it."),
        ]),
      Command(
        "move", "Move files.",
        arguments: [
          Argument("FROM", .oneOrMore, .file, "What to move."),
          Argument("TO", .one, .directory, "Folder to move to."),
        ]),
      Command(
        "daemon", "Control the background service.",
        subcommands: [
          Command("start", "Start it."),
          Command("stop", "Stop it.", options: [.flag("now", "Do not wait.")]),
        ]),
      Command(
        "sort", "Sort the records.",
        arguments: [Argument("ORDER", .one, .choice(["age", "name", "size"]), "By what.")]),
      Command("selftest", "Internal.", isHidden: true),
    ],
    examples: [.init("pixel add list.json", "Download everything that list.json names.")])

  static let add = Command(
    "add", "Add the records of a source and download them.",
    arguments: [Argument("SOURCE", .oneOrMore, .file, "An address, a file, or - for input.")],
    options: [
      .value(
        "jobs", short: "j", aliases: ["max-concurrent-downloads"], "N", .integer(1...64),
        "Download at most N resources at once.", default: "8"),
      .value("set", "KEY=VALUE", .text, "Change a setting for this run.", isRepeatable: true),
      .flag("no-input", short: "n", "Never ask."),
    ],
    groups: [
      OptionGroup(
        "Network",
        [
          .value("limit-rate", "RATE", .byteSize, "Use at most RATE bytes a second."),
          .value("retry-delay", "TIME", .duration, "Wait at least TIME before a retry."),
          .value("proxy", "URL", .text, "Connect through URL."),
        ]),
      OptionGroup(
        "Output", [.value("format", "FORMAT", .choice(["json", "csv", "table"]), "The form.")]),
    ])
}
