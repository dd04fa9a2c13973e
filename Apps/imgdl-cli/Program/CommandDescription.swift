import CommandLine
import Composition
import Models
import ProgramSupport

/// The description of the whole command line, from which parsing, help, completion and the manual page
/// derive.
enum CommandDescription {
  static let root = Command(
    "imgdl-cli", "Download image collections into a local library.",
    discussion: """
      A source (a list in JSON, CSV or text, a zip of JSON lists, a web page, a folder listing, a feed, \
      a IIIF manifest, a CT-slice API, an image, a PDF, an archive) becomes records. The resources \
      of a record are downloaded, unzipped, rendered and stored as plain files in the folder of the \
      library. To continue an interrupted command, run it again.
      """,
    version: ProgramVersion.text,
    groups: [OptionGroup("Global options", common)],
    commandGroups: [
      CommandGroup("Download", [add, fetch, archive, refresh, more, demo]),
      CommandGroup(
        "Control downloads",
        [
          pause, resume, cancel, retry, reload, priority, concurrency, perHost, limitRate, watch,
        ]),
      CommandGroup("Browse the library", [list, show, details, view, open, web]),
      CommandGroup("Export", [export, contactSheet]),
      CommandGroup("Maintain the library", [verify, remove, reset, doctor]),
      CommandGroup(
        "Other commands", [daemon, worker, config, ExperimentCommand.description, completion]),
    ],
    examples: [
      .init("imgdl-cli add https://example.org/collection.zip", "download a collection"),
      .init("imgdl-cli add -j 32 urls.txt", "download the URLs of a list, 32 at a time"),
      .init("imgdl-cli list", "list the records of the library"),
      .init("imgdl-cli pause", "pause the downloads of this library, from any terminal"),
    ], hints: ForeignWords.hints)

  private static let common: [Option] = [
    .value("library", short: "d", "DIR", .directory, "Folder of the library."),
    .value(
      "set", "KEY=VALUE", .text, "Override a setting for this command; see config.",
      isRepeatable: true),
    .flag("quiet", short: "q", "Print errors only."),
    .flag("no-color", "Do not use colors."),
  ]

  static let add = Command(
    "add", "Add the records of sources and download them.",
    discussion: """
      SOURCE is a URL or a file; - is standard input. Its format is detected by its content; a URL \
      that is not a source itself is tried as the base URL of a CT series. Adding the same source \
      again continues an interrupted add, or appends its records if that add was complete; refresh \
      adds the new entries of a source that has changed. Of a zip with JSON lists, only these are read. \
      A URL may have ranges and alternatives, as for curl: [0000-0120], [a-z:2], {front,back}; in quotes, \
      since shells expand them. Its URLs are the resources of one record; \\[ is a bracket without a range.
      """,
    arguments: [
      Argument("SOURCE", .zeroOrMore, .file, "URL, file, or - for standard input.")
    ],
    groups: [
      OptionGroup(
        "Sources",
        [
          .value(
            "input-file", short: "i", "FILE", .file,
            "Read URLs from FILE; - is standard input.",
            isRepeatable: true),
          .value(
            "format", "FORMAT", .choice(Sources.formats),
            "Format of the sources, instead of detecting it."),
          .value(
            "url-column", "COLUMN", .text,
            "Column of a CSV or TSV list that has the URLs: its name in the header, or its number from 1. "
              + "Default: found by its name, or by its content."),
          .value("name-column", "COLUMN", .text, "Column of the file names."),
          .value(
            "title-column", "COLUMN", .text,
            "Column of the titles of records; rows with the same title are one record."),
          .value("sha256-column", "COLUMN", .text, "Column of the SHA-256 checksums."),
          .value(
            "via", "PROGRAM", .choice([GalleryProgram.name]),
            "Let PROGRAM list the images of the sources, which are web pages. It has to be installed."
          ),
          .value(
            "name", "TEMPLATE", .text,
            "Template of file names, after the number. Fields: {title}, {name}, {filename} and {path} "
              + "(from the URL), {host}, {record}, {index} ({index:04} for four digits); {{ for a brace."
          ),
          .flag("again", "Append the records, even if an earlier add is incomplete."),
          PasswordOption.option,
          .flag("lazy", "Do not download; resources are downloaded when they are viewed."),
          .flag(
            "detach",
            "Download in the background with imgdld, which is started if needed; returns when the "
              + "source was read. imgdld finishes also without this command."),
          .flag("dry-run", "Show what would be downloaded, without changing anything."),
          .flag(
            "continue", short: "c", "Accepted for compatibility; downloads are always resumed."),
        ]),
      how,
      OptionGroup(
        "Output",
        [
          events, noProgress, failedTo,
          .value(
            "summary", "FILE", .file, "Write a summary of the run to FILE, as JSON.", isHidden: true
          ),
        ]),
    ])

  static let force = Option.flag("force", "Overwrite existing files.")
  static let raw = Option.flag(
    "raw", "Do not prefix CSV values that spreadsheets treat as formulas with an apostrophe.")
  static let json = Option.flag("json", "Print JSON lines.")
  static let events = Option.flag("json", "Print events as JSON lines.")
  static let noProgress = Option.flag("no-progress", "Do not show progress.")
  static let failedTo = Option.value(
    "failed-to", "FILE", .file, "Write failed URLs to FILE, one per line.")
  static let recordArgument = Argument(
    "RECORD", .one, .text, "Number, title or folder of the record.")
  static let optionalRecord = Argument("RECORD", .optional, .text, "Only this record.")

  static let list = Command(
    "list", "List the records of the library.", options: [json])
  static let show = Command(
    "show", "List the resources of a record.", arguments: [recordArgument],
    options: [
      json, .flag("failed", "List failed resources only."),
      .value("limit", "N", .integer(1...Int.max), "List at most N resources."),
    ])
  static let details = Command(
    "details", "Show sizes and download times of the images of a record.",
    discussion: """
      Times are in milliseconds: MS until the last byte, FIRST BYTE until the first one, CONNECT for \
      the connection, where the download has made one.
      """,
    arguments: [recordArgument],
    options: [
      json, .flag("csv", "Print comma-separated values."), raw,
    ])
  static let remove = Command(
    "remove", "Delete a record and its files.",
    discussion: """
      Files that imgdl did not create are kept. Files that cannot be deleted, for example in an \
      immutable folder, are named, and the exit code is 1; the record is removed nevertheless.
      """,
    arguments: [recordArgument],
    options: [
      .flag(
        "keep-files",
        "Keep the downloaded files where they are; imgdl forgets them and never deletes them."),
      .flag("yes", short: "y", "Do not ask for confirmation."),
    ])
  static let reset = Command(
    "reset", "Delete all records and files of the library.",
    discussion: "Settings, and files that imgdl did not create, are kept.",
    options: [.flag("yes", short: "y", "Do not ask for confirmation.")])
  static let config = Command(
    "config", "Show settings, their values and where they were set, or set one.",
    discussion: """
      With VALUE, writes the setting into the file of your settings, or with --library into that of the \
      library, and prints its path. Running programs read it at their next start.
      """,
    arguments: [
      Argument("KEY", .optional, .text, "Only this setting."),
      Argument("VALUE", .optional, .text, "New value."),
    ],
    options: [json, .flag("path", "Print the path of the file that config KEY VALUE writes.")],
    examples: [.init("imgdl-cli config network.retries 5", "set a setting for all libraries")])
  static let doctor = Command(
    "doctor", "Check the installation: system libraries, adapters, missing parts.", options: [json])
  static let demo = Command(
    "demo", "Download a small sample collection from a built-in server.", groups: [how])
  static let worker = Command(
    "worker", "Make shards of a dataset, for imgdl-dataset.",
    discussion: """
      Reads a shard's description and its URLs as JSON lines from standard input, downloads and \
      resizes the images, writes a tar file, and reports each sample as a JSON line in the order of \
      the input. Documentation/Datasets.md describes the lines. Exit code 0: all shards are \
      complete, even if URLs failed; 64: invalid input; 75: the last shard has to be repeated.
      """)
  static let completion = Command(
    "completion", "Print a shell completion script or the manual page.",
    arguments: [
      Argument(
        "KIND", .one, .choice(GeneratedText.kinds), "Shell, or man for the manual page.")
    ])
}
