import CommandLine

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
    ], groups: [OptionGroup("How", network)])

  static let verify = Command(
    "verify", "Check that every file is there and whole.",
    discussion: """
      Compares sizes, or with --read-data every byte. What is missing or damaged is queued again; \
      resume downloads it. Files without permission, or behind a symbolic link, stay as they are: they \
      are named each time.
      """,
    options: [
      .flag("read-data", "Read every file and compare its SHA-256."),
      .flag("dry-run", "Only tell."), json, noProgress,
    ])

  static let export = Command(
    "export", "Write the rows of a record as a table, or its pictures.",
    discussion: """
      csv and jsonl are its rows. dir, cbz, zip and tar are its pictures in reading order, numbered: \
      images as they came, the pages of PDF files drawn, the pictures of archives taken out. Damaged \
      pictures go out as they are, are named and counted, and make the command end with 1. What a \
      limit or a missing password leaves out is named, and makes it end with 8 if nothing failed.
      """,
    arguments: [recordArgument],
    options: [
      .value(
        "format", "FORMAT", .choice(ExportCommand.names),
        "A table (csv, jsonl), or pictures (dir, cbz, zip, tar)."),
      .value(
        "output", short: "o", "FILE", .file,
        "Write to FILE. Otherwise a table goes to standard output (-), pictures to a place beside "
          + "you named after the record."),
      raw, force, PasswordOption.option,
    ],
    examples: [
      .init("imgdl-cli export birds --format csv -o birds.csv", "for a spreadsheet"),
      .init("imgdl-cli export birds --format cbz -o birds.cbz", "for a reader of comics"),
    ])

  static let view = Command(
    "view", "Look at a picture of a record, or at a grid of them, on the terminal.",
    discussion: """
      RECORD:N is resource N, with the number that show gives it, and RECORD:N.P its page P. Arrows go on, Enter changes between the grid and \
      one picture, q ends. imgdl-tui shows whole libraries.
      """,
    arguments: [
      Argument("RECORD", .one, .text, "Number, title or folder; with :N or :N.P one picture.")
    ],
    options: [PasswordOption.option],
    examples: [
      .init("imgdl-cli view birds:7", "the seventh resource"),
      .init("imgdl-cli view birds:8.3", "page 3 of the eighth"),
    ])

  static let contactSheet = Command(
    "contact-sheet", "Draw small pictures of a record, with their names, on one sheet.",
    discussion: """
      A JPEG. A record that does not fit on one sheet (40 megapixels) gets several, numbered. What has \
      no picture is named and not counted; the command ends as export does.
      """,
    arguments: [recordArgument],
    options: [
      .value("output", short: "o", "FILE", .file, "The sheet, as in -o sheet.jpg."),
      .value("columns", "N", .integer(1...100), "Pictures in a row.", default: "6"),
      .value(
        "side", "N", .integer(16...1_024),
        "Longest side of a picture; by default rendering.thumbnailSide."),
      force, PasswordOption.option,
    ],
    examples: [.init("imgdl-cli contact-sheet birds -o birds.jpg", "all birds at a glance")])
}
