import CommandLine
import ImgdlLibrary

/// The whole command line, described by value: parsing, help, completion and the manual come from it.
enum CommandDescription {
  static let version = "0.1.0"

  static let root = Command(
    "imgdl-cli", "Download image collections and keep them.",
    discussion: """
      A source (a zip of JSON lists, a JSON or text list, a CT-slice API, a picture, a PDF, an \
      archive) becomes records; what they name is downloaded, unzipped, rendered and kept in a \
      plain folder. An interrupted command is continued by typing it again.
      """,
    version: version,
    groups: [OptionGroup("Options of every command", common)],
    subcommands: [
      add, fetch, list, show, details, watch, pause, resume, cancel, retry, reload, refresh, more,
      priority, concurrency, perHost, remove, reset, verify, export,
      contactSheet, view, daemon, config, doctor, demo,
      experiment, completion,
    ],
    examples: [
      .init("imgdl-cli add https://example.org/collection.zip", "download a collection"),
      .init("imgdl-cli add -j 32 urls.txt", "a list of URLs, 32 at a time"),
      .init("imgdl-cli list", "what is in the library"),
      .init("imgdl-cli pause", "in another terminal: stop the downloads that run there"),
    ])

  private static let common: [Option] = [
    .value("library", short: "d", "DIR", .directory, "The library's folder."),
    .value(
      "set", "KEY=VALUE", .text, "Change a setting for this command; see config.",
      isRepeatable: true),
    .flag("quiet", short: "q", "Only errors."),
    .flag("no-color", "No colors."),
  ]

  static let add = Command(
    "add", "Fetch sources, add their records, download everything.",
    discussion: """
      SOURCE is a URL or a file; - is standard input. It is recognised by its content; a URL that is \
      no source itself is tried as the base of a series. The same source again \
      continues an interrupted add, or appends its records when all was done.
      """,
    arguments: [
      Argument("SOURCE", .zeroOrMore, .file, "URL, file, or - for standard input.")
    ],
    groups: [
      OptionGroup(
        "What",
        [
          .value(
            "input-file", short: "i", "FILE", .file, "A list of URLs; - is standard input.",
            isRepeatable: true),
          .value("format", "FORMAT", .choice(Sources.formats), "Do not guess what the source is."),
          .value(
            "name", "TEMPLATE", .text,
            "What files are called behind their number. Fields: {title}, {name} (of the URL), {host}, "
              + "{record}, {index} ({index:04}: four digits); {{ is a brace."),
          .flag("again", "Append, also if an earlier add is unfinished."),
          PasswordOption.option,
          .flag("lazy", "Fetch names only; a viewer fetches what it looks at."),
          .flag("detach", "Let imgdld do it in the background; start it when it does not run."),
          .flag("dry-run", "Show what would be downloaded, change nothing."),
          .flag("continue", short: "c", "Accepted; resuming is always on."),
        ]),
      how,
      OptionGroup(
        "Output",
        [
          events, noProgress, failedTo,
          .value("summary", "FILE", .file, "Write what it came to, as JSON.", isHidden: true),
        ]),
    ])

  static let force = Option.flag("force", "Replace what is there already.")
  static let raw = Option.flag(
    "raw", "CSV as it is; otherwise texts that a spreadsheet runs as formulas get an apostrophe.")
  static let json = Option.flag("json", "JSON lines.")
  static let events = Option.flag("json", "Events as JSON lines on standard output.")
  static let noProgress = Option.flag("no-progress", "No progress display.")
  static let failedTo = Option.value(
    "failed-to", "FILE", .file, "Write the URLs that failed to FILE, one a line.")
  static let recordArgument = Argument(
    "RECORD", .one, .text, "Its number in the list, its title or its folder.")
  static let optionalRecord = Argument("RECORD", .optional, .text, "Only this record.")

  static let list = Command(
    "list", "Show the records of the library.", options: [json])
  static let show = Command(
    "show", "Show the resources of a record.", arguments: [recordArgument],
    options: [
      json, .value("limit", "N", .integer(1...Int.max), "At most so many."),
    ])
  static let details = Command(
    "details", "Size and time of each image of a record.", arguments: [recordArgument],
    options: [
      json, .flag("csv", "Comma-separated values."), raw,
    ])
  static let remove = Command(
    "remove", "Delete a record with its files.", arguments: [recordArgument],
    options: [.flag("yes", short: "y", "Do not ask.")])
  static let reset = Command(
    "reset", "Delete everything in the library.",
    discussion: "Settings and files that are not of imgdl stay.",
    options: [.flag("yes", short: "y", "Do not ask.")])
  static let config = Command(
    "config", "Show every setting with its value and origin.",
    arguments: [Argument("KEY", .optional, .text, "Only this one.")], options: [json])
  static let doctor = Command(
    "doctor", "Show libraries, adapters and what is missing.", options: [json])
  static let demo = Command(
    "demo", "Download a small built-in collection from a built-in server.", groups: [how])
  static let completion = Command(
    "completion", "Print a completion script or the manual page.",
    arguments: [
      Argument(
        "KIND", .one, .choice(["bash", "zsh", "fish", "man"]), "A shell, or the manual page.")
    ])
}
