import CommandLine
import Engine

/// What is looked at, checked and taken out.
extension CommandDescription {
  static let watch = Command(
    "watch", "Show the progress of the downloads that run in another terminal.",
    discussion: """
      Ends when they end, with the exit code that they deserve. Ctrl-C ends only the watching.
      """,
    options: [events, noProgress])

  static let fetch = Command(
    "fetch", "Get one resource, from the library or from its server.",
    discussion: """
      Prints the path of the file. The library keeps it for a while, so that the next fetch needs no \
      request; the path is good until it makes room for others.
      """,
    arguments: [Argument("URL", .one, .text, "What to get.")],
    options: [
      .value("output", short: "o", "FILE", .file, "Copy it to FILE; - is standard output."),
      .flag(
        "refresh", "Ask the server whether it changed, unless it said for how long it does not."),
      .flag("reload", "Get it from the server, whatever is there."),
    ])

  static let verify = Command(
    "verify", "Check that every file is there and whole.",
    discussion: """
      Compares sizes, or with --read-data every byte. What is missing or damaged is queued again; \
      resume downloads it.
      """,
    options: [
      .flag("read-data", "Read every file and compare its SHA-256."),
      .flag("dry-run", "Only tell."), json, noProgress,
    ])

  static let export = Command(
    "export", "Write the rows of a record as a table.",
    arguments: [recordArgument],
    options: [
      .value(
        "format", "FORMAT", .choice(ExportFormat.allCases.map(\.rawValue)),
        "Comma-separated values or JSON lines."),
      .value(
        "output", short: "o", "FILE", .file, "Write to FILE; - is standard output.", default: "-"),
    ],
    examples: [
      .init("imgdl-cli export birds --format csv -o birds.csv", "for a spreadsheet")
    ])
}
