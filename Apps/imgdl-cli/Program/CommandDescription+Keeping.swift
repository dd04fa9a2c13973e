import CommandLine

/// Commands that show, check and export records.
extension CommandDescription {
  static let watch = Command(
    "watch", "Show the progress of downloads that run in another program.",
    discussion: """
      Exits when the downloads end, with their exit code. Ctrl-C does not stop the downloads.
      """,
    options: [events, noProgress])

  static let fetch = Command(
    "fetch", "Download a single file, or get it from the cache.",
    discussion: """
      Prints the path of the file, which stays in the cache of the library until the cache is full.
      """,
    arguments: [Argument("URL", .one, .text, "URL of the file.")],
    options: [
      .value("output", short: "o", "FILE", .file, "Write the file to FILE; - is standard output."),
      .flag(
        "refresh", "Revalidate a cached file with the server, unless it is fresh."),
      .flag("reload", "Download the file even if it is cached."),
    ], groups: [OptionGroup("Download options", network)])

  static let verify = Command(
    "verify", "Check that every file exists and is intact.",
    discussion: """
      Compares sizes, or checksums with --read-data. Missing and damaged files are queued again; \
      resume downloads them. Files without read permission, or behind a symbolic link, are reported \
      and not changed. Thumbnails and pages in the cache that are not whole are deleted, and made \
      again when they are needed.
      """,
    options: [
      .flag("read-data", "Read every file and compare its SHA-256 checksum."),
      .flag("dry-run", "Report problems without queueing downloads."), json, noProgress,
    ])

  static let export = Command(
    "export", "Export the table of a record, or its images.",
    discussion: """
      csv and jsonl export a table of the resources, aria2 an input file that lets aria2c download \
      them, with the request headers of the list. dir, cbz, zip and tar export the images in \
      reading order, numbered: image files unchanged, pages of PDF files and of image files with \
      several rendered as JPEG, images of archives extracted. In a folder, --force replaces what an \
      earlier export has put there; a folder with other files is refused. Damaged images are exported \
      unchanged and reported; the exit code is 1. Images left out because of a limit or a missing password are reported; the exit code is 8 if nothing failed. \
      The tables of several records are one table; their images are exported to a file or folder each, \
      without --output.
      """,
    arguments: [
      Argument("RECORD", .oneOrMore, .text, "Number, title or folder of a record.")
    ],
    options: [
      .value(
        "format", "FORMAT", .choice(ExportCommand.names),
        "Table (csv, jsonl), input file (aria2), or images (dir, cbz, zip, tar)."),
      .value(
        "output", short: "o", "FILE", .file,
        "Write to FILE; - is standard output. Default: standard output for a table, a file or folder "
          + "in the current folder, named after the record, for images."),
      raw, force, PasswordOption.option,
    ],
    examples: [
      .init("imgdl-cli export birds --format csv -o birds.csv", "export a table for a spreadsheet"),
      .init("imgdl-cli export birds --format cbz -o birds.cbz", "export a comic book archive"),
    ])

  static let view = Command(
    "view", "View images of a record in the terminal.",
    discussion: """
      RECORD:N is resource N as numbered by show, and RECORD:N.P its page P. The arrow keys move, \
      Enter switches between the grid and a single image, q quits. Use imgdl-tui to browse the whole \
      library.
      """,
    arguments: [
      Argument(
        "RECORD", .one, .text,
        "Number, title or folder of the record; with :N or :N.P a single image.")
    ],
    options: [PasswordOption.option],
    examples: [
      .init("imgdl-cli view birds:7", "view the seventh resource"),
      .init("imgdl-cli view birds:8.3", "view page 3 of the eighth resource"),
    ])

  static let open = Command(
    "open", "Open the folder of a record, or one of its files, on the desktop.",
    discussion:
      "Prints the path, and opens it with xdg-open if a person runs the command on a desktop.",
    arguments: [
      recordArgument,
      Argument("N", .optional, .integer(1...Int.max), "Number of the resource, as shown by show."),
    ])

  static let contactSheet = Command(
    "contact-sheet", "Create a contact sheet of a record's images.",
    discussion: """
      Writes a JPEG with thumbnails and file names, or several numbered ones if the images do not fit \
      on one sheet of 40 megapixels. Resources without an image are reported. Exit codes are those of \
      export.
      """,
    arguments: [recordArgument],
    options: [
      .value("output", short: "o", "FILE", .file, "Write the sheet to FILE, as in -o sheet.jpg."),
      .value("columns", "N", .integer(1...100), "Number of images in a row.", default: "6"),
      .value(
        "side", "N", .integer(16...1_024),
        "Longest side of a thumbnail in pixels; default: the setting rendering.thumbnailSide."),
      force, PasswordOption.option,
    ],
    examples: [
      .init("imgdl-cli contact-sheet birds -o birds.jpg", "create a contact sheet of a record")
    ])
}
